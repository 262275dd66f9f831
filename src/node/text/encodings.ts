// The encodings that files may have: VS Code's names for them, and how bytes and text of each come from each other.
// Rule: a codec never invents a character. What its bytes do not say is `undefined`, what it cannot hold is named.
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** VS Code's names (`files.encoding`, `TextDocument.encoding`) and how people write them. Its `gb2312` is GBK in fact. */
const names = {
	utf8: 'UTF-8',
	utf8bom: 'UTF-8 with BOM',
	utf16le: 'UTF-16 LE',
	utf16be: 'UTF-16 BE',
	gbk: 'GBK',
	gb2312: 'GB 2312',
	gb18030: 'GB18030',
	cp950: 'Big5 (CP950)',
	big5hkscs: 'Big5-HKSCS',
	shiftjis: 'Shift-JIS',
	eucjp: 'EUC-JP',
	euckr: 'EUC-KR',
	windows1250: 'Windows-1250',
	windows1251: 'Windows-1251',
	windows1252: 'Windows-1252',
	windows1253: 'Windows-1253',
	windows1254: 'Windows-1254',
	windows1255: 'Windows-1255',
	windows1256: 'Windows-1256',
	windows1257: 'Windows-1257',
	windows1258: 'Windows-1258',
	windows874: 'Windows-874',
	iso88591: 'ISO 8859-1',
	iso88592: 'ISO 8859-2',
	iso88593: 'ISO 8859-3',
	iso88594: 'ISO 8859-4',
	iso88595: 'ISO 8859-5',
	iso88596: 'ISO 8859-6',
	iso88597: 'ISO 8859-7',
	iso88598: 'ISO 8859-8',
	iso88599: 'ISO 8859-9',
	iso885910: 'ISO 8859-10',
	iso885911: 'ISO 8859-11',
	iso885913: 'ISO 8859-13',
	iso885914: 'ISO 8859-14',
	iso885915: 'ISO 8859-15',
	iso885916: 'ISO 8859-16',
	koi8r: 'KOI8-R',
	koi8u: 'KOI8-U',
	koi8ru: 'KOI8-RU',
	koi8t: 'KOI8-T',
	macroman: 'Mac Roman',
	cp437: 'CP 437',
	cp850: 'CP 850',
	cp852: 'CP 852',
	cp865: 'CP 865',
	cp866: 'CP 866',
	cp1125: 'CP 1125',
} as const;

export type Encoding = keyof typeof names;

export const encodings = Object.keys(names) as readonly Encoding[];

/** The encoding of a name as VS Code writes it, or as people do (`GB18030`, `Shift_JIS`, `latin1`); else `undefined`. */
export function encodingNamed(name: string): Encoding | undefined {
	const key = name.toLowerCase().replace(/[^a-z0-9]/g, '');
	const aliases: Readonly<Record<string, Encoding>> = {
		latin1: 'iso88591',
		big5: 'cp950',
		sjis: 'shiftjis',
		cp932: 'shiftjis',
		cp936: 'gbk',
		cp949: 'euckr',
		utf16: 'utf16le',
	};
	if (Object.hasOwn(names, key)) return key as Encoding;
	const alias = key.startsWith('cp125') ? key.replace('cp', 'windows') : aliases[key];
	return alias !== undefined && Object.hasOwn(names, alias) ? (alias as Encoding) : undefined;
}

/** As people write it. */
export function encodingLabel(encoding: Encoding): string {
	return names[encoding];
}

export function isUnicode(encoding: Encoding): boolean {
	return encoding.startsWith('utf');
}

/** The byte order mark at the beginning, as an encoding. */
export function markOf(bytes: Uint8Array): Encoding | undefined {
	const [a, b, c] = bytes;
	if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8bom';
	if (a === 0xff && b === 0xfe) return 'utf16le';
	if (a === 0xfe && b === 0xff) return 'utf16be';
	return undefined;
}

export function markBytes(encoding: Encoding): Buffer {
	if (encoding === 'utf8bom') return Buffer.from([0xef, 0xbb, 0xbf]);
	if (encoding === 'utf16le') return Buffer.from([0xff, 0xfe]);
	if (encoding === 'utf16be') return Buffer.from([0xfe, 0xff]);
	return Buffer.alloc(0);
}

/** The text of bytes without a mark; `undefined` when they are none in this encoding. */
export function decodeBody(body: Uint8Array, encoding: Encoding): string | undefined {
	const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (encoding === 'utf8' || encoding === 'utf8bom') return isUtf8(body) ? buffer.toString('utf8') : undefined;
	if (encoding === 'utf16le' || encoding === 'utf16be') {
		if (buffer.length % 2 === 1) return undefined;
		const text = encoding === 'utf16le' ? buffer.toString('utf16le') : Buffer.from(buffer).swap16().toString('utf16le');
		return text.isWellFormed() ? text : undefined;
	}
	const text = iconv.decode(buffer, encoding, { stripBOM: false });
	// GB18030 has bytes for the replacement character itself.
	if (text.includes('\uFFFD') && !encodeRaw(text, encoding).equals(buffer)) return undefined;
	return text;
}

export type Encoded =
	| { readonly kind: 'bytes'; readonly bytes: Buffer }
	/** The first character that the encoding does not have; half a pair of surrogates is in none. */
	| { readonly kind: 'unencodable'; readonly character: string };

/** The bytes of a text, without a mark. Contract: they decode to exactly this text. */
export function encodeBody(text: string, encoding: Encoding): Encoded {
	if (isUnicode(encoding)) {
		if (text.isWellFormed()) return { kind: 'bytes', bytes: encodeRaw(text, encoding) };
		const half = Array.from(text).find((character) => !character.isWellFormed());
		return { kind: 'unencodable', character: half ?? '' };
	}
	const bytes = encodeRaw(text, encoding);
	if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return { kind: 'bytes', bytes };
	for (const character of new Set(text)) {
		if (iconv.decode(encodeRaw(character, encoding), encoding, { stripBOM: false }) !== character) {
			return { kind: 'unencodable', character };
		}
	}
	// Each has bytes, but not beside each other: nothing of the kind is known, and nothing is written.
	return { kind: 'unencodable', character: Array.from(text)[0] ?? '' };
}

function encodeRaw(text: string, encoding: Encoding): Buffer {
	if (encoding === 'utf8' || encoding === 'utf8bom') return Buffer.from(text, 'utf8');
	if (encoding === 'utf16le') return Buffer.from(text, 'utf16le');
	if (encoding === 'utf16be') return Buffer.from(text, 'utf16le').swap16();
	return iconv.encode(text, encoding, { addBOM: false });
}

/** Feeds bytes one at a time; each call says how many UTF-16 units are complete with this byte. */
export function stepDecoder(encoding: Encoding): (byte: number) => number {
	const decoder = iconv.getDecoder(encoding, { stripBOM: false });
	return (byte) => decoder.write(Buffer.from([byte])).length;
}
