// Reads server-sent events as servers really send them (anthropic-api 1.7, 9): records with `data:` lines only, a last record
// without its blank line, `[DONE]`, any chunk sizes, line ends of any kind. Linear in the length of the stream.
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
		if (rest !== '') items.push(...this.#line(rest));
		const last = this.#record();
		return last && last.kind !== 'unreadable' ? [...items, last] : items;
	}

	#text(text: string): SseItem[] {
		const items: SseItem[] = [];
		let start = this.#afterCr && text.startsWith('\n') ? 1 : 0;
		if (text !== '') this.#afterCr = text.endsWith('\r');
		const lineEnd = /\r\n|\n|\r/g;
		lineEnd.lastIndex = start;
		for (let found = lineEnd.exec(text); found; found = lineEnd.exec(text)) {
			const line = this.#open.join('') + text.slice(start, found.index);
			this.#open = [];
			start = lineEnd.lastIndex;
			items.push(...this.#line(line));
		}
		if (start < text.length) this.#open.push(text.slice(start));
		return items;
	}

	#line(line: string): SseItem[] {
		if (line === '') {
			const item = this.#record();
			return item ? [item] : [];
		}
		const colon = line.indexOf(':');
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
		if (field === 'event') this.#name = value;
		else if (field === 'data') this.#data.push(value);
		return [];
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
	return type === 'ping' ? { kind: 'ping' } : { kind: 'event', event: { ...fields, type } };
}
