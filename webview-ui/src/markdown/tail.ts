// Markdown that is still being written. Only the open tail is lexed again; blocks before the last three are closed and keep
// their identity. When the text is complete, not very long and has link definitions, which may come after what they are for, one whole
// pass makes it equal to one-shot rendering; without any it is that already.
import type { Token, Tokens } from 'marked';
import { lex, toBlock } from './render.ts';
import type { Block, LinkDefinitions } from './render.ts';

/** Tokens that later text may still change; measured over real documents. */
const openTokens = 3;
/** Characters of a text that is read once more as a whole when it is complete; for a longer one that would be felt. */
const wholeCharacters = 100_000;

export class MarkdownTail {
	/** As it was given; looked into only where that cannot be avoided, as a long text that grows is copied by each look. */
	#given = '';
	/** Of the source, what is behind the closed blocks, and how long these are. */
	#open = '';
	#closedLength = 0;
	/** The source is what was given, which has no carriage returns. */
	#asGiven = true;
	#closed: Block[] = [];
	#blocks: readonly Block[] = [];
	#links: LinkDefinitions = {};
	/** Somewhere in the text, also inside of a quote or list. */
	#hasLinks = false;
	#complete = false;

	/**
	 * The blocks of `text`; equal blocks are the same objects as in the call before. `open`: more will come. `grownBy`: what came to
	 * the text of the call before, if that is known; it may be wrong only in what is left out.
	 */
	update(text: string, open: boolean, grownBy?: string): readonly Block[] {
		if (!this.#grow(text, open, grownBy)) {
			if (text === this.#given && this.#complete === !open) return this.#blocks;
			this.#take(text);
		}
		this.#given = text;
		this.#complete = !open;
		const tokens = this.#lexed(open);
		const closing = open ? this.#closable(tokens) : 0;
		if (closing > 0) this.#close(tokens.slice(0, closing));
		const tail = this.#known(blocksOf(tokens.slice(closing)));
		this.#blocks = [...this.#closed, ...tail];
		return this.#blocks;
	}

	#lexed(open: boolean): readonly Token[] {
		const tokens = lex(this.#open, this.#links);
		this.#hasLinks ||= Object.keys(tokens.links).length > 0;
		const length = this.#closedLength + this.#open.length;
		if (open || !this.#hasLinks || this.#closedLength === 0 || length > wholeCharacters) return tokens;
		const source = this.#source(this.#given);
		this.#forget();
		this.#open = source;
		return lex(source, this.#links);
	}

	/** The usual case, without a look at all of it. */
	#grow(text: string, open: boolean, grownBy: string | undefined): boolean {
		const fits = grownBy !== undefined && text.length === this.#given.length + grownBy.length && !this.#complete;
		if (!fits || !open || !this.#asGiven || grownBy.includes('\r')) return false;
		this.#open += grownBy;
		return true;
	}

	#take(text: string): void {
		this.#asGiven = !text.includes('\r');
		if (!text.startsWith(this.#given)) this.#forget();
		this.#open = this.#source(text).slice(this.#closedLength);
	}

	#source(text: string): string {
		return this.#asGiven ? text : text.replace(/\r\n?/g, '\n');
	}

	#forget(): void {
		this.#closedLength = 0;
		this.#closed = [];
		this.#links = {};
		this.#hasLinks = false;
	}

	/** How many tokens from the start can no longer change. */
	#closable(tokens: readonly Token[]): number {
		const solid = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
		const firstOpen = solid.at(-openTokens);
		if (solid.length <= openTokens || firstOpen === undefined) return 0;
		const done = tokens.slice(0, firstOpen);
		// Were a token's raw text not the source's, the cut would be in the wrong place; then all stays open.
		return this.#open.startsWith(done.map(({ raw }) => raw).join('')) ? firstOpen : 0;
	}

	#close(done: readonly Token[]): void {
		this.#closed.push(...this.#known(blocksOf(done)));
		for (const token of done) if (token.type === 'def') this.#define(token as Tokens.Def);
		const length = done.reduce((sum, token) => sum + token.raw.length, 0);
		this.#closedLength += length;
		this.#open = this.#open.slice(length);
	}

	/** The first definition of a name holds. */
	#define({ tag, href, title }: Tokens.Def): void {
		this.#links[tag] ??= { href, title };
	}

	/** The blocks that follow the closed ones, as the objects of the call before where they are equal. */
	#known(blocks: readonly Block[]): readonly Block[] {
		return blocks.map((block, index) => {
			const old = this.#blocks[this.#closed.length + index];
			return old !== undefined && equal(old, block) ? old : block;
		});
	}
}

function blocksOf(tokens: readonly Token[]): Block[] {
	return tokens.map(toBlock).filter((block) => block !== undefined);
}

function equal(a: Block, b: Block): boolean {
	if (a === b) return true;
	if (a.kind === 'html') return b.kind === 'html' && a.html === b.html;
	return b.kind === 'code' && a.code === b.code && a.language === b.language && a.path === b.path;
}
