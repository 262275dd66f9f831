// A file's bytes as text, and edits of that text as edits of the bytes.
// Contract: bytes outside of an edit are copied, never encoded anew; nothing is written that would not read back as the
// text that was meant.
import type { TextEdit } from '../../core/ports/workspace.ts';
import { applyEdits } from '../../core/tools/edits.ts';
import { decodeBody, encodeBody, encodingLabel, isUnicode, markBytes, markOf, stepDecoder } from './encodings.ts';
import type { Encoding } from './encodings.ts';

export interface DecodedText {
	readonly kind: 'text';
	readonly text: string;
	readonly encoding: Encoding;
	/** Bytes of the byte order mark. */
	readonly mark: number;
}
export type Decoded = DecodedText | { readonly kind: 'undecodable'; readonly reason: 'binary' | 'encoding' };

/**
 * The byte order mark decides, then `assumed` where the bytes are text in it, then strict UTF-8. Never replaces a
 * character: what is no valid text is `undecodable`.
 */
export function decodeText(bytes: Uint8Array, assumed?: Encoding): Decoded {
	const marked = markOf(bytes);
	if (marked !== undefined) return decodeAs(bytes, marked, markBytes(marked).length);
	const guessed = assumed === undefined || assumed === 'utf8' ? unmarkedUtf16(bytes) : undefined;
	if (guessed !== undefined) return decodeAs(bytes, guessed, 0);
	// With the mark taken away by somebody a file that had one is plain UTF-8.
	const first = assumed === 'utf8bom' ? 'utf8' : assumed;
	if (first !== undefined && first !== 'utf8') {
		const decoded = decodeAs(bytes, first, 0);
		if (decoded.kind === 'text') return decoded;
	}
	return decodeAs(bytes, 'utf8', 0);
}

function decodeAs(bytes: Uint8Array, encoding: Encoding, mark: number): Decoded {
	const body = bytes.subarray(mark);
	const wide = encoding === 'utf16le' || encoding === 'utf16be';
	if (!wide && body.includes(0)) return { kind: 'undecodable', reason: 'binary' };
	if (!isUnicode(encoding) && looksBinary(body)) return { kind: 'undecodable', reason: 'binary' };
	const text = decodeBody(body, encoding);
	if (text === undefined) return { kind: 'undecodable', reason: looksBinary(body) ? 'binary' : 'encoding' };
	return { kind: 'text', text, encoding, mark };
}

/** Text of plain letters in UTF-16 without a mark: every other byte is 0. The editor opens it as such, too. */
function unmarkedUtf16(bytes: Uint8Array): Encoding | undefined {
	const start = bytes.subarray(0, 512);
	if (start.length < 2 || bytes.length % 2 === 1 || !start.includes(0)) return undefined;
	if (start.every((byte, index) => (byte === 0) === (index % 2 === 1))) return 'utf16le';
	if (start.every((byte, index) => (byte === 0) === (index % 2 === 0))) return 'utf16be';
	return undefined;
}

/** Control characters that no text has, in the first bytes. */
function looksBinary(body: Uint8Array): boolean {
	const start = body.subarray(0, 8_000);
	const odd = start.filter((byte) => byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)).length;
	return odd > start.length / 100;
}

export type Spliced =
	{ readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'failed'; readonly message: string };

/** The bytes with the edits in them. `decoded` is the text of exactly these bytes; edits ascend and do not overlap. */
export function spliceBytes(bytes: Uint8Array, decoded: DecodedText, edits: readonly TextEdit[]): Spliced {
	const { text, encoding } = decoded;
	const parts: Uint8Array[] = [];
	const cursor = new ByteCursor(bytes, decoded);
	let copied = 0;
	for (const edit of edits) {
		const put = encodeBody(edit.text, encoding);
		if (put.kind === 'unencodable') return { kind: 'failed', message: unencodableMessage(put.character, encoding) };
		const start = cursor.moveTo(edit.start);
		const end = start === undefined ? undefined : cursor.moveTo(edit.end);
		if (start === undefined || end === undefined) {
			return { kind: 'failed', message: `the place does not lie between two characters in ${encodingLabel(encoding)}` };
		}
		parts.push(bytes.subarray(copied, start), put.bytes);
		copied = end;
	}
	const result = Buffer.concat([...parts, bytes.subarray(copied)]);
	// Unicode text is made of units that stand alone; of the others the result is read back.
	if (!isUnicode(encoding) && decodeBody(result, encoding) !== applyEdits(text, edits)) {
		return {
			kind: 'failed',
			message: `the result would not be read back as the same text in ${encodingLabel(encoding)}`,
		};
	}
	return { kind: 'bytes', bytes: result };
}

/** All bytes of a text, with the mark that the encoding has. */
export function encodeText(text: string, encoding: Encoding): Spliced {
	const body = encodeBody(text, encoding);
	if (body.kind === 'unencodable') return { kind: 'failed', message: unencodableMessage(body.character, encoding) };
	return { kind: 'bytes', bytes: Buffer.concat([markBytes(encoding), body.bytes]) };
}

/** True when the editor, which encodes all of a text anew, would write these bytes for it. */
export function survivesEncoding(bytes: Uint8Array, { text, encoding, mark }: DecodedText): boolean {
	if (encoding === 'utf8' || encoding === 'utf8bom') return true;
	if (mark !== markBytes(encoding).length) return false;
	const body = encodeBody(text, encoding);
	return body.kind === 'bytes' && body.bytes.equals(bytes.subarray(mark));
}

/** Why a text cannot be written; names the character. Written for the model. */
export function unencodableMessage(character: string, encoding: Encoding): string {
	const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	if (!character.isWellFormed()) return `the text contains half a character (a lone surrogate, U+${code})`;
	return (
		`the file is encoded in ${encodingLabel(encoding)}, which has no "${character}" (U+${code}). ` +
		'Use other characters, or ask the person to convert the file to UTF-8'
	);
}

/** From offsets in the text, asked for in ascending order, to offsets in the bytes. */
class ByteCursor {
	private readonly bytes: Uint8Array;
	private readonly decoded: DecodedText;
	private char = 0;
	private byte: number;

	constructor(bytes: Uint8Array, decoded: DecodedText) {
		this.bytes = bytes;
		this.decoded = decoded;
		this.byte = decoded.mark;
	}

	/** `undefined` when the offset lies inside of what one sequence of bytes stands for. */
	moveTo(offset: number): number | undefined {
		const { text, encoding, mark } = this.decoded;
		if (encoding === 'utf16le' || encoding === 'utf16be') return this.set(offset, mark + 2 * offset);
		// One byte each, as in all plain files and all encodings of single bytes.
		if (this.bytes.length - mark === text.length) return this.set(offset, mark + offset);
		const passed = text.slice(this.char, offset);
		if (encoding === 'utf8' || encoding === 'utf8bom') {
			return passed.isWellFormed() ? this.set(offset, this.byte + Buffer.byteLength(passed, 'utf8')) : undefined;
		}
		return this.matches(passed, offset) ?? this.byLine(passed, offset);
	}

	private set(char: number, byte: number): number {
		this.char = char;
		this.byte = byte;
		return byte;
	}

	/** The usual case: these characters have the bytes that they would be given. */
	private matches(passed: string, offset: number): number | undefined {
		const encoded = encodeBody(passed, this.decoded.encoding);
		if (encoded.kind === 'unencodable') return undefined;
		const end = this.byte + encoded.bytes.length;
		return encoded.bytes.equals(this.bytes.subarray(this.byte, end)) ? this.set(offset, end) : undefined;
	}

	/** Some characters have several codes. Line feeds are never a part of another character: count them, then decode. */
	private byLine(passed: string, offset: number): number | undefined {
		for (let at = passed.indexOf('\n'); at !== -1; at = passed.indexOf('\n', at + 1)) {
			this.byte = this.bytes.indexOf(10, this.byte) + 1;
		}
		const rest = passed.slice(passed.lastIndexOf('\n') + 1);
		const atLine = this.matches(rest, offset);
		if (atLine !== undefined) return atLine;
		const step = stepDecoder(this.decoded.encoding);
		let missing = rest.length;
		let at = this.byte;
		while (missing > 0 && at < this.bytes.length) missing -= step(this.bytes[at++] ?? 0);
		return missing === 0 ? this.set(offset, at) : undefined;
	}
}
