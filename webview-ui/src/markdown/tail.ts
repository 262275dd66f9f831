// Markdown that is still being written. Only the open tail is lexed again; blocks before the last three are closed and keep
// their identity. When the text is complete, one whole pass makes it equal to one-shot rendering (late link definitions).
import type { Token } from 'marked';
import { lex, toBlock } from './render.ts';
import type { Block, LinkDefinitions } from './render.ts';

/** Tokens that later text may still change; measured over real documents. */
const openTokens = 3;

export class MarkdownTail {
	#source = '';
	#closedLength = 0;
	#closed: readonly Block[] = [];
	#blocks: readonly Block[] = [];
	#links: LinkDefinitions = {};
	#complete = false;

	/** The blocks of `text`; equal blocks are the same objects as in the call before. `open`: more will come. */
	update(text: string, open: boolean): readonly Block[] {
		const source = text.replace(/\r\n?/g, '\n');
		if (source === this.#source && this.#complete === !open) return this.#blocks;
		if (!open || !source.startsWith(this.#source)) this.#forget();
		this.#source = source;
		this.#complete = !open;
		const tokens = lex(source.slice(this.#closedLength), this.#links);
		if (open) this.#close(tokens);
		const tail = open ? lex(source.slice(this.#closedLength), this.#links) : tokens;
		this.#blocks = reuse(this.#blocks, [...this.#closed, ...blocksOf(tail)]);
		return this.#blocks;
	}

	#forget(): void {
		this.#closedLength = 0;
		this.#closed = [];
		this.#links = {};
	}

	#close(tokens: readonly Token[]): void {
		const solid = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
		const firstOpen = solid.at(-openTokens);
		if (solid.length <= openTokens || firstOpen === undefined) return;
		const done = tokens.slice(0, firstOpen);
		const length = done.reduce((sum, token) => sum + token.raw.length, 0);
		if (!this.#source.startsWith(done.map((token) => token.raw).join(''), this.#closedLength)) return;
		this.#closed = [...this.#closed, ...blocksOf(done)];
		this.#closedLength += length;
	}
}

function blocksOf(tokens: readonly Token[]): Block[] {
	return tokens.map(toBlock).filter((block) => block !== undefined);
}

function reuse(before: readonly Block[], now: readonly Block[]): readonly Block[] {
	return now.map((block, index) => {
		const old = before[index];
		return old !== undefined && equal(old, block) ? old : block;
	});
}

function equal(a: Block, b: Block): boolean {
	if (a === b) return true;
	if (a.kind === 'html') return b.kind === 'html' && a.html === b.html;
	return b.kind === 'code' && a.code === b.code && a.language === b.language;
}
