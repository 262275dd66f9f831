// Bytes: in every encoding an edit changes the bytes of the edited text and no others, or nothing at all.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { applyEdits } from '../../src/core/tools/edits.ts';
import { decodeBody, encodeBody, encodingNamed, encodings, markBytes } from '../../src/node/text/encodings.ts';
import type { Encoding } from '../../src/node/text/encodings.ts';
import { decodeText, encodeText, spliceBytes, survivesEncoding } from '../../src/node/text/textBytes.ts';
import type { DecodedText } from '../../src/node/text/textBytes.ts';

/** Characters of all scripts that the encodings are for, and some that only Unicode has. */
const letters = Array.from(
	'abk=1;"$&\'\\ \tàéñßøžğłşŐЖяіїαωάשלםسلامابไทยทưđ中文字体繁體簡编码軟日本語カナひらｶﾅ한국어ㄱ①∑═║“”‘’—…€¥£²·ǹ㐂😀é',
);

function lettersOf(encoding: Encoding): readonly string[] {
	return letters.filter((letter) => encodeBody(letter, encoding).kind === 'bytes');
}

function textIn(encoding: Encoding): fc.Arbitrary<string> {
	const line = fc.array(fc.constantFrom(...lettersOf(encoding)), { maxLength: 8 }).map((parts) => parts.join(''));
	const ends = fc.constantFrom('\n', '\n', '\r\n', '\r', '');
	return fc.array(fc.tuple(line, ends), { maxLength: 6 }).map((lines) => lines.map((parts) => parts.join('')).join(''));
}

/** Two edits at most, between characters. */
function editsOf(text: string, put: fc.Arbitrary<string>) {
	const places = [0, ...Array.from(text).map((_, index, all) => all.slice(0, index + 1).join('').length)];
	return fc
		.tuple(fc.array(fc.constantFrom(...places), { minLength: 4, maxLength: 4 }), put, put)
		.map(([at, one, other]) => {
			const [a = 0, b = 0, c = 0, d = 0] = at.toSorted((x, y) => x - y);
			return [{ start: a, end: b, text: one }, ...(c > b ? [{ start: c, end: d, text: other }] : [])];
		});
}

function inputs(encoding: Encoding) {
	const text = textIn(encoding);
	return text.chain((old) => fc.tuple(fc.constant(old), editsOf(old, text)));
}

function bytesOf(text: string, encoding: Encoding): Buffer {
	const encoded = encodeText(text, encoding);
	assert.ok(encoded.kind === 'bytes', JSON.stringify(encoded));
	return encoded.bytes;
}

function decoded(bytes: Buffer, encoding: Encoding): DecodedText {
	const mark = markBytes(encoding).length;
	const text = decodeBody(bytes.subarray(mark), encoding);
	assert.ok(text !== undefined);
	return { kind: 'text', text, encoding, mark };
}

suite('property: bytes of text', () => {
	for (const encoding of encodings) {
		test(`${encoding}: what is edited reads back, all around it is copied`, () => {
			fc.assert(
				fc.property(inputs(encoding), ([text, edits]) => {
					const bytes = bytesOf(text, encoding);
					const spliced = spliceBytes(bytes, decoded(bytes, encoding), edits);
					assert.ok(spliced.kind === 'bytes', JSON.stringify(spliced));
					assert.deepEqual(spliced.bytes, bytesOf(applyEdits(text, edits), encoding));
				}),
				{ numRuns: 200 },
			);
		});

		test(`${encoding}: a character that it does not have is named, or there is none`, () => {
			const missing = letters.filter((letter) => !lettersOf(encoding).includes(letter));
			if (encoding.startsWith('utf') || encoding === 'gb18030') assert.deepEqual(missing, []);
			else assert.ok(missing.includes('😀'));
			const bytes = bytesOf('a\n', encoding);
			for (const letter of missing) {
				const spliced = spliceBytes(bytes, decoded(bytes, encoding), [{ start: 1, end: 1, text: `x${letter}y` }]);
				assert.ok(spliced.kind === 'failed');
				const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
				assert.ok(spliced.message.includes(`"${letter}" (U+${code})`), spliced.message);
			}
		});
	}

	test('bytes that have several codes for one character stay as they are', () => {
		// Shift-JIS knows these characters twice (NEC and IBM extensions).
		const doubled = [
			Buffer.from([0xed, 0x40]),
			Buffer.from([0xfa, 0x5c]),
			Buffer.from([0x87, 0x90]),
			Buffer.from([0x81, 0xe0]),
		];
		const part = fc.oneof(
			fc.constantFrom(...doubled),
			fc.constantFrom('a', 'あ', '\n', 'k=1').map((text) => iconv.encode(text, 'shiftjis')),
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 8 }), fc.array(part, { maxLength: 8 }), (before, after) => {
				const bytes = Buffer.concat([...before, Buffer.from('X'), ...after]);
				const read = decoded(bytes, 'shiftjis');
				const start = read.text.indexOf('X');
				const spliced = spliceBytes(bytes, read, [{ start, end: start + 1, text: 'ｶ漢' }]);
				assert.ok(spliced.kind === 'bytes', JSON.stringify(spliced));
				const put = iconv.encode('ｶ漢', 'shiftjis');
				assert.deepEqual(spliced.bytes, Buffer.concat([...before, put, ...after]));
			}),
		);
		const twice = Buffer.from([0xed, 0x40]);
		assert.equal(survivesEncoding(twice, decoded(twice, 'shiftjis')), false);
	});

	test('any bytes: they are text that encodes to them again, or they are refused', () => {
		const assumed = fc.constantFrom(undefined, ...encodings);
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 40 }), assumed, (found, encoding) => {
				const bytes = Buffer.from(found);
				const read = decodeText(bytes, encoding);
				if (read.kind !== 'text') return;
				const spliced = spliceBytes(bytes, read, [{ start: read.text.length, end: read.text.length, text: 'x' }]);
				assert.ok(spliced.kind === 'bytes');
				assert.deepEqual(spliced.bytes.subarray(0, bytes.length), bytes);
			}),
			{ numRuns: 5000 },
		);
	});

	test('names as people write them', () => {
		for (const [name, encoding] of [
			['GB18030', 'gb18030'],
			['Shift_JIS', 'shiftjis'],
			['ISO-8859-15', 'iso885915'],
			['latin1', 'iso88591'],
			['cp1252', 'windows1252'],
			['Big5', 'cp950'],
			['UTF-8', 'utf8'],
			['klingon', undefined],
			['__proto__', undefined],
		] as const) {
			assert.equal(encodingNamed(name), encoding, name);
		}
	});
});
