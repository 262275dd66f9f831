// Bytes to text, line by line: UTF-8 as it is, and a line that is not UTF-8 in the encoding that it most likely has. Pure; the
// text is the same however the stream is cut into pieces (lines of up to 64 Ki bytes).
import { isUtf8 } from 'node:buffer';

/** A line longer than this is decoded before its end is seen. */
const MAX_OPEN_LINE = 1 << 16;
const LF = 10;
const CR = 13;

/** Encodings of old texts by the language of the locale; others use the Western one. */
const BY_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
	zh: ['gb18030', 'big5'],
	ja: ['euc-jp', 'shift_jis'],
	ko: ['euc-kr'],
	ru: ['windows-1251'],
	uk: ['windows-1251'],
	bg: ['windows-1251'],
	el: ['windows-1253'],
	tr: ['windows-1254'],
	he: ['windows-1255'],
	ar: ['windows-1256'],
	pl: ['windows-1250'],
	cs: ['windows-1250'],
	hu: ['windows-1250'],
};
const WESTERN = 'windows-1252';
const CHINESE = 'gb18030';

/** What text that is not UTF-8 may be in, likeliest first, by the environment's locale. */
export function likelyEncodings(env: Readonly<Record<string, string | undefined>>): readonly string[] {
	const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
	const [place = '', charset] = (locale.split('@')[0] ?? '').split('.');
	const named = charset === undefined || /^utf-?8$/i.test(charset) || !isKnown(charset) ? [] : [charset.toLowerCase()];
	const [language = '', country = ''] = place.split('_');
	const traditional = country === 'TW' || country === 'HK';
	const likely = traditional ? ['big5', CHINESE] : (BY_LANGUAGE[language] ?? []);
	return [...new Set([...named, ...likely, WESTERN])];
}

function isKnown(label: string): boolean {
	return decoderOf(label) !== undefined;
}

/** Undefined where this Node lacks the encoding. */
function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
	try {
		return new TextDecoder(label, { fatal: true, ignoreBOM: true });
	} catch {
		return undefined;
	}
}

/** Decodes a stream in whole lines. */
export class LineDecoder {
	readonly #encodings: readonly string[];
	#open: Uint8Array[] = [];
	#length = 0;

	/** `encodings`: what lines that are not UTF-8 may be in, likeliest first. */
	constructor(encodings: readonly string[] = [WESTERN]) {
		this.#encodings = encodings;
	}

	/** The text of the lines (or parts that a carriage return ends) that these bytes complete. */
	push(bytes: Uint8Array): string {
		const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
		if (end === 0) {
			this.#keep(bytes);
			return this.#length > MAX_OPEN_LINE ? this.#early() : '';
		}
		this.#keep(bytes.subarray(0, end));
		const text = this.#decode(this.#take());
		this.#keep(bytes.subarray(end));
		return this.#length > MAX_OPEN_LINE ? text + this.#early() : text;
	}

	/** What was still open at the end. */
	end(): string {
		return this.#decode(this.#take());
	}

	#keep(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#open.push(bytes);
		this.#length += bytes.length;
	}

	#take(): Uint8Array {
		const [first] = this.#open;
		const all = this.#open.length === 1 && first ? first : Buffer.concat(this.#open, this.#length);
		this.#open = [];
		this.#length = 0;
		return all;
	}

	/** A part of a very long line, up to the beginning of its last character. */
	#early(): string {
		const all = this.#take();
		let cut = all.length;
		for (let back = 1; back <= 4 && back <= all.length; back++) {
			const byte = all[all.length - back] ?? 0;
			if (byte < 0x80) break;
			if (byte >= 0xc0) {
				cut = all.length - back;
				break;
			}
		}
		this.#keep(all.subarray(cut));
		return this.#decode(all.subarray(0, cut));
	}

	#decode(bytes: Uint8Array): string {
		if (isUtf8(bytes)) return utf8(bytes);
		const parts: string[] = [];
		for (let start = 0; start < bytes.length;) {
			let end = start;
			while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
			end = Math.min(end + 1, bytes.length);
			parts.push(this.#line(bytes.subarray(start, end)));
			start = end;
		}
		return parts.join('');
	}

	#line(line: Uint8Array): string {
		if (isUtf8(line) || looksBinary(line)) return utf8(line);
		const encodings = inPairs(line) ? [...this.#encodings.filter((name) => name !== WESTERN), CHINESE] : [];
		for (const encoding of [...encodings, ...this.#encodings]) {
			try {
				return decoderOf(encoding)?.decode(line) ?? utf8(line);
			} catch {
				// Not in this one.
			}
		}
		return utf8(line);
	}
}

function utf8(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Control characters that no text has: such a line stays what it is, with U+FFFD. */
function looksBinary(line: Uint8Array): boolean {
	return line.some((byte) => byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}

/** East Asian text has two bytes a character, above ASCII both; accented letters of Western text stand alone. */
function inPairs(line: Uint8Array): boolean {
	let run = 0;
	for (const byte of line) {
		if (byte >= 0xa1) run++;
		else if (byte >= 0x80 || run % 2 === 1) return false;
		else run = 0;
	}
	return run % 2 === 0;
}
