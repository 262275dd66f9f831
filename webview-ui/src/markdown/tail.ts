// Markdown that is still being written. Only the open tail is lexed again; blocks before the last three are closed and keep
// their identity. When the text is complete and not very long, one whole pass makes it equal to one-shot rendering (late link definitions).
import type { Token, Tokens } from 'marked';
import { lex, toBlock } from './render.ts';
import type { Block, LinkDefinitions } from './render.ts';

/** Tokens that later text may still change; measured over real documents. */
const openTokens = 3;
/** Characters of a text that is read once more as a whole when it is complete; for a longer one that would be felt. */
const wholeCharacters = 100_000;

export class MarkdownTail {
	#source = '';
	#closedLength = 0;
	#closed: Block[] = [];
	#blocks: readonly Block[] = [];
	#links: LinkDefinitions = {};
	#complete = false;

	/** The blocks of `text`; equal blocks are the same objects as in the call before. `open`: more will come. */
	update(text: string, open: boolean): readonly Block[] {
		const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
		if (source === this.#source && this.#complete === !open) return this.#blocks;
		const goesOn = source.startsWith(this.#source);
		if (!goesOn || (!open && source.length <= wholeCharacters)) this.#forget();
		this.#source = source;
		this.#complete = !open;
		const tokens = lex(source.slice(this.#closedLength), this.#links);
		const closing = open ? this.#closable(tokens) : 0;
		if (closing > 0) this.#close(tokens.slice(0, closing));
		const tail = this.#known(blocksOf(tokens.slice(closing)));
		this.#blocks = [...this.#closed, ...tail];
		return this.#blocks;
	}

	#forget(): void {
		this.#closedLength = 0;
		this.#closed = [];
		this.#links = {};
	}

	/** How many tokens from the start can no longer change. */
	#closable(tokens: readonly Token[]): number {
		const solid = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
		const firstOpen = solid.at(-openTokens);
		if (solid.length <= openTokens || firstOpen === undefined) return 0;
		const done = tokens.slice(0, firstOpen);
		// Were a token's raw text not the source's, the cut would be in the wrong place; then all stays open.
		return this.#source.startsWith(done.map(({ raw }) => raw).join(''), this.#closedLength) ? firstOpen : 0;
	}

	#close(done: readonly Token[]): void {
		this.#closed.push(...this.#known(blocksOf(done)));
		for (const token of done) if (token.type === 'def') this.#define(token as Tokens.Def);
		this.#closedLength += done.reduce((sum, token) => sum + token.raw.length, 0);
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
