// Bytes to text and back, without loss: strict UTF-8, and UTF-8 or UTF-16 with a byte order mark, which is kept.
import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';
export type Decoded =
	| { readonly kind: 'text'; readonly text: string; readonly encoding: Encoding }
	| { readonly kind: 'undecodable'; readonly reason: 'binary' | 'encoding' };

/** Text of a file's bytes. Never replaces a character: what is no valid text is `undecodable`. */
export function decodeText(bytes: Uint8Array): Decoded {
	const encoding = markOf(bytes);
	const body = bytes.subarray(encoding === 'utf8' ? 0 : encoding === 'utf8bom' ? 3 : 2);
	if (encoding === 'utf8' && body.includes(0)) return { kind: 'undecodable', reason: 'binary' };
	// The usual case in one pass each: valid UTF-8 encodes to the same bytes.
	if (encoding === 'utf8' && isUtf8(body)) return { kind: 'text', text: plainText(body), encoding };
	const text = decode(body, encoding);
	// What decodes must encode to the same bytes, or an edit would change more than it says.
	if (text === undefined || Buffer.compare(encodeText(text, encoding), bytes) !== 0) {
		return { kind: 'undecodable', reason: looksBinary(body) ? 'binary' : 'encoding' };
	}
	return { kind: 'text', text, encoding };
}

/** The bytes of a text, with the byte order mark that the encoding has. */
export function encodeText(text: string, encoding: Encoding): Buffer {
	switch (encoding) {
		case 'utf8':
			return Buffer.from(text, 'utf8');
		case 'utf8bom':
			return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text, 'utf8')]);
		case 'utf16le':
			return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
		case 'utf16be':
			return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
	}
}

function plainText(body: Uint8Array): string {
	return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}

function markOf(bytes: Uint8Array): Encoding {
	const [a, b, c] = bytes;
	if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
	if (a === 0xff && b === 0xfe) return 'utf16le';
	if (a === 0xfe && b === 0xff) return 'utf16be';
	return 'utf8';
}

function decode(body: Uint8Array, encoding: Encoding): string | undefined {
	const label = encoding === 'utf16le' ? 'utf-16le' : encoding === 'utf16be' ? 'utf-16be' : 'utf-8';
	try {
		return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(body);
	} catch {
		return undefined;
	}
}

/** Control characters that no text has, in the first bytes. */
function looksBinary(body: Uint8Array): boolean {
	const start = body.subarray(0, 8_000);
	const odd = start.filter((byte) => byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)).length;
	return odd > start.length / 100;
}
