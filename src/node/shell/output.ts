// From a command's bytes to text for the model: escape codes out, progress lines collapsed, head and tail kept. Pure; the
// text is the same however the stream is cut into pieces (lines of up to 64 Ki characters).
import { LineDecoder } from './decode.ts';

const ESC = '\u001b';
const BEL = '\u0007';
/** A line longer than this is passed on before its end is seen. */
const MAX_OPEN_LINE = 1 << 16;

type EscapeState = 'text' | 'escape' | 'intermediate' | 'control' | 'string' | 'stringEscape';

/** Takes out ANSI escape sequences (CSI, OSC, DCS and the short ones) and control characters other than \n, \r, \t, \b. */
export class EscapeStripper {
	#state: EscapeState = 'text';

	/** The next piece without escape sequences; one that is split over pieces is taken out as well. */
	push(text: string): string {
		let result = '';
		let index = 0;
		while (index < text.length) {
			if (this.#state === 'text') {
				const escape = text.indexOf(ESC, index);
				result += text.slice(index, escape < 0 ? text.length : escape);
				if (escape < 0) break;
				this.#state = 'escape';
				index = escape + 1;
			} else {
				const char = text[index++] ?? '';
				// No sequence goes over a line end: one that was cut off must not swallow the rest.
				if (char === '\n') result += char;
				this.#state = char === '\n' ? 'text' : next(this.#state, char);
			}
		}
		return result.replace(CONTROLS, '');
	}
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

function next(state: EscapeState, char: string): EscapeState {
	if (char === ESC) return state === 'string' ? 'stringEscape' : 'escape';
	switch (state) {
		case 'escape':
			if (char === '[') return 'control';
			if (char === ']' || char === 'P' || char === 'X' || char === '^' || char === '_') return 'string';
			return char >= ' ' && char <= '/' ? 'intermediate' : 'text';
		case 'intermediate':
			return char >= ' ' && char <= '/' ? 'intermediate' : 'text';
		case 'control':
			return char >= ' ' && char <= '?' ? 'control' : 'text';
		case 'stringEscape':
			return char === '\\' || char === BEL ? 'text' : 'string';
		case 'string':
			return char === BEL ? 'text' : 'string';
		case 'text':
			return 'text';
	}
}

/**
 * Collapses what a terminal overwrites: of a line with carriage returns the last written part stays, `\r\n` is a line
 * end, a backspace takes back one character.
 */
export class LineCollapser {
	#line = '';

	/** Text that cannot be overwritten any more. */
	push(text: string): string {
		const all = this.#line + text;
		const end = all.lastIndexOf('\n') + 1;
		const closed = all.slice(0, end);
		this.#line = shorten(all.slice(end));
		const settled = OVERWRITES.test(closed) ? closed.split('\n').map(settle).join('\n') : closed;
		const excess = this.#line.length - MAX_OPEN_LINE;
		if (excess <= 0) return settled;
		const early = this.#line.slice(0, excess);
		this.#line = this.#line.slice(excess);
		return settled + early;
	}

	/** The last line, when it had no end. */
	end(): string {
		const line = settle(this.#line);
		this.#line = '';
		return line;
	}
}

const OVERWRITES = /[\r\b]/;

/** An open line without the parts that are overwritten already. */
function shorten(line: string): string {
	if (!line.includes('\r')) return line;
	const parts = line.split('\r').filter((part) => part !== '');
	return (parts.at(-1) ?? '') + (line.endsWith('\r') ? '\r' : '');
}

function settle(line: string): string {
	if (!OVERWRITES.test(line)) return line;
	const parts = line.split('\r').filter((part) => part !== '');
	const last = parts.at(-1) ?? '';
	return last.includes('\b') ? takeBack(last) : last;
}

function takeBack(text: string): string {
	const chars: string[] = [];
	for (const char of text) {
		if (char === '\b') chars.pop();
		else chars.push(char);
	}
	return chars.join('');
}

/** Keeps the beginning and the end of a text of any length in bounded memory. */
export class HeadTail {
	readonly #headLimit: number;
	readonly #tailLimit: number;
	#head = '';
	#tail: string[] = [];
	#tailLength = 0;
	#dropped = 0;

	/** `limit`: characters kept in all, half of them from the end. */
	constructor(limit: number) {
		this.#headLimit = Math.ceil(limit / 2);
		this.#tailLimit = Math.floor(limit / 2);
	}

	/** Takes the next piece. */
	push(text: string): void {
		let rest = text;
		const room = this.#headLimit - this.#head.length;
		if (room > 0 && this.#tailLength === 0) {
			this.#head += rest.slice(0, room);
			rest = rest.slice(room);
		}
		if (rest === '') return;
		this.#tail.push(rest);
		this.#tailLength += rest.length;
		// Cut rarely: joining at each piece would make a long stream quadratic.
		if (this.#tailLength > 2 * this.#tailLimit + MAX_OPEN_LINE) this.#shorten();
	}

	/** The text kept, with a line that says what is missing, and the number of characters left out. */
	result(): { readonly text: string; readonly omitted: number } {
		this.#shorten();
		const tail = this.#tail.join('');
		if (this.#dropped === 0) return { text: this.#head + tail, omitted: 0 };
		const head = splitsPair(this.#head) ? this.#head.slice(0, -1) : this.#head;
		const end = isLowSurrogate(tail, 0) ? tail.slice(1) : tail;
		const omitted = this.#dropped + this.#head.length - head.length + tail.length - end.length;
		return { text: `${head}\n[… ${omitted} characters left out …]\n${end}`, omitted };
	}

	#shorten(): void {
		const excess = this.#tailLength - this.#tailLimit;
		if (excess <= 0) return;
		const tail = this.#tail.join('').slice(excess);
		this.#tail = tail === '' ? [] : [tail];
		this.#tailLength = tail.length;
		this.#dropped += excess;
	}
}

function splitsPair(head: string): boolean {
	const code = head.charCodeAt(head.length - 1);
	return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(text: string, index: number): boolean {
	const code = text.charCodeAt(index);
	return code >= 0xdc00 && code <= 0xdfff;
}

/** All of it: bytes in, cleaned and bounded text out. */
export class OutputCollector {
	readonly #decoder: LineDecoder;
	readonly #escapes = new EscapeStripper();
	readonly #lines = new LineCollapser();
	readonly #kept: HeadTail;

	/** `limit`: characters kept (head and tail together). */
	constructor(limit: number, decoder: LineDecoder = new LineDecoder()) {
		this.#kept = new HeadTail(limit);
		this.#decoder = decoder;
	}

	/** Takes the next bytes. */
	push(bytes: Uint8Array): void {
		this.#add(this.#decoder.push(bytes));
	}

	/** The text of what has come, without an open line; goes on afterwards. */
	soFar(): { readonly text: string; readonly omitted: number } {
		return this.#kept.result();
	}

	/** Ends the stream. */
	end(): { readonly text: string; readonly omitted: number } {
		this.#add(this.#decoder.end());
		this.#kept.push(this.#lines.end());
		return this.#kept.result();
	}

	#add(text: string): void {
		if (text !== '') this.#kept.push(this.#lines.push(this.#escapes.push(text)));
	}
}
