// Reads server-sent events as servers really send them (anthropic-api 1.7, 9): records with `data:` lines only, a last record
// without its blank line, `[DONE]`, any chunk sizes, line ends of any kind. Linear in the length of the stream.
import type { Json } from '../../core/messages/types.ts';
import type { StreamEvent } from '../../core/model/client.ts';

/** `unreadable`: the data was no JSON object; `data` is its beginning. */
export type SseItem =
	| { readonly kind: 'event'; readonly event: StreamEvent }
	| { readonly kind: 'ping' }
	| { readonly kind: 'unreadable'; readonly data: string };

/** Cuts a stream of text into events. Contract: never throws; what it gives does not depend on how the text was cut. */
export class SseReader {
	#decoder = new TextDecoder('utf-8');
	/** The pieces of the line that has not ended yet. */
	#open: string[] = [];
	/** The last piece ended with CR: an LF that follows belongs to it. */
	#afterCr = false;
	#name = '';
	#data: string[] = [];

	push(chunk: Uint8Array): SseItem[] {
		return this.#text(this.#decoder.decode(chunk, { stream: true }));
	}

	/** At the end of the stream: a record without its blank line counts when it is whole; half a record is dropped. */
	end(): SseItem[] {
		const items = this.#text(this.#decoder.decode());
		const rest = this.#open.join('');
		this.#open = [];
		const ended = rest === '' ? undefined : this.#line(rest);
		if (ended) items.push(ended);
		const last = this.#record();
		return last && last.kind !== 'unreadable' ? [...items, last] : items;
	}

	#text(text: string): SseItem[] {
		const items: SseItem[] = [];
		let start = this.#afterCr && text.startsWith('\n') ? 1 : 0;
		if (text !== '') this.#afterCr = text.endsWith('\r');
		const hasCr = text.includes('\r');
		for (let end = lineEnd(text, start, hasCr); end !== -1; end = lineEnd(text, start, hasCr)) {
			let line = text.slice(start, end);
			if (this.#open.length > 0) {
				line = this.#open.join('') + line;
				this.#open = [];
			}
			start = end + (text.startsWith('\r\n', end) ? 2 : 1);
			const item = this.#line(line);
			if (item) items.push(item);
		}
		if (start < text.length) this.#open.push(text.slice(start));
		return items;
	}

	/** Takes one line; a blank one ends a record. */
	#line(line: string): SseItem | undefined {
		if (line === '') return this.#record();
		const colon = line.indexOf(':');
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
		if (field === 'event') this.#name = value;
		else if (field === 'data') this.#data.push(value);
		return undefined;
	}

	#record(): SseItem | undefined {
		const name = this.#name;
		const data = this.#data.join('\n');
		this.#name = '';
		this.#data = [];
		if (name === 'ping') return { kind: 'ping' };
		if (data.trim() === '' || data.trim() === '[DONE]') return undefined;
		return toItem(name, data);
	}
}

/** Where the line that begins at `start` ends; -1 when its end has not come yet. */
function lineEnd(text: string, start: number, hasCr: boolean): number {
	const lf = text.indexOf('\n', start);
	if (!hasCr) return lf;
	const cr = text.indexOf('\r', start);
	return cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
}

/** The text in a delta that may be joined with the next one of its kind. */
const growing: Readonly<Record<string, string>> = {
	text_delta: 'text',
	thinking_delta: 'thinking',
	input_json_delta: 'partial_json',
};

/**
 * Joins deltas that follow each other in one block: what came together is passed on together. Every delta that goes its
 * own way costs a dozen promises until it is shown.
 */
export function joinDeltas(items: readonly SseItem[]): readonly SseItem[] {
	if (items.length < 2) return items;
	const joined: SseItem[] = [];
	let open: Growth | undefined;
	for (const item of items) {
		const next = growthOf(item);
		if (open && next && next.index === open.index && next.type === open.type) {
			open.text += next.text;
			continue;
		}
		if (open) joined.push(grown(open));
		open = next;
		if (!next) joined.push(item);
	}
	if (open) joined.push(grown(open));
	return joined;
}

/** A delta of nothing but text. */
interface Growth {
	readonly item: SseItem;
	readonly index: Json;
	readonly type: string;
	readonly field: string;
	readonly first: string;
	text: string;
}

function growthOf(item: SseItem): Growth | undefined {
	if (item.kind !== 'event' || item.event.type !== 'content_block_delta') return undefined;
	const { index, delta } = item.event;
	if (index === undefined || typeof delta !== 'object' || delta === null || !('type' in delta)) return undefined;
	const { type, ...rest } = delta as Readonly<Record<string, unknown>>;
	const field = typeof type === 'string' ? growing[type] : undefined;
	const text = field === undefined ? undefined : rest[field];
	if (typeof type !== 'string' || field === undefined || typeof text !== 'string') return undefined;
	if (Object.keys(rest).length > 1) return undefined;
	return { item, index, type, field, first: text, text };
}

function grown({ item, index, type, field, first, text }: Growth): SseItem {
	if (text === first) return item;
	return { kind: 'event', event: { type: 'content_block_delta', index, delta: { type, [field]: text } } };
}

function toItem(name: string, data: string): SseItem {
	let value: unknown;
	try {
		value = JSON.parse(data);
	} catch {
		return { kind: 'unreadable', data: data.slice(0, 200) };
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return { kind: 'unreadable', data: data.slice(0, 200) };
	}
	const fields = value as Omit<StreamEvent, 'type'> & { readonly type?: unknown };
	// The name in the `event:` line stands in for a missing type; an `error` object makes an error of any shape.
	const type = typeof fields.type === 'string' ? fields.type : name || ('error' in fields ? 'error' : '');
	if (type === 'ping') return { kind: 'ping' };
	return { kind: 'event', event: type === fields.type ? (fields as StreamEvent) : { ...fields, type } };
}
