// However a stream is cut into pieces, frames and text are the same.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LineDecoder } from '../../src/node/shell/decode.ts';
import { EscapeStripper, HeadTail, LineCollapser, OutputCollector } from '../../src/node/shell/output.ts';
import { encodeFrame, FrameDecoder, type ToRunner } from '../../src/node/shell/protocol.ts';

/** Cuts at the given places (taken modulo the length). */
function cut<T extends { length: number; slice(start: number, end: number): T }>(whole: T, places: number[]): T[] {
	const ends = places.map((place) => place % (whole.length + 1)).sort((a, b) => a - b);
	return [...ends, whole.length].map((end, i) => whole.slice(ends[i - 1] ?? 0, end));
}
const places = fc.array(fc.nat(5000), { maxLength: 12 });
/** Text as programs write it: words, colours, titles, progress, line ends, wide characters, cut-off sequences. */
const terminalText = fc
	.array(
		fc.oneof(
			fc.string({ maxLength: 6 }),
			fc.string({ unit: 'grapheme', maxLength: 4 }),
			fc.constantFrom('\n', '\r', '\r\n', '\b', '\u001b', '\u001b[', '\u001b[31m', '\u001b[0;1m', '\u001b[K', '\t'),
			fc.constantFrom('\u001b]0;title\u0007', '\u001b]8;;http://x\u001b\\', '\u001b(B', '\u0000', '\u009b', '漢', '😀'),
		),
		{ maxLength: 40 },
	)
	.map((parts) => parts.join(''));

suite('shell protocol and output: any chunking', () => {
	test('frames', () => {
		const frame = fc.record({
			id: fc.nat(),
			cwd: fc.string({ unit: 'grapheme' }),
			body: fc.uint8Array({ maxLength: 300 }),
		});
		fc.assert(
			fc.property(fc.array(frame, { maxLength: 6 }), places, (frames, places) => {
				const bytes = Buffer.concat(
					frames.flatMap(({ id, cwd, body }) => encodeFrame({ type: 'run', id, cwd, shell: 'bash' }, body)),
				);
				const decoder = new FrameDecoder<ToRunner>();
				const got = cut<Buffer>(bytes as Buffer, places).flatMap((piece) => decoder.push(piece));
				assert.deepEqual(
					got.map(({ header, body }) => ({ header, body: [...body] })),
					frames.map(({ id, cwd, body }) => ({ header: { type: 'run', id, cwd, shell: 'bash' }, body: [...body] })),
				);
			}),
		);
	});

	test('what is no frame is refused, never waited for', () => {
		const decoder = new FrameDecoder<ToRunner>();
		assert.throws(() => decoder.push(Buffer.from('GET / HTTP/1.1\r\n')));
	});

	test('UTF-8: characters stay whole, whatever else stands on other lines', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'grapheme' }), places, (noise, text, places) => {
				const decoded = (bytes: Buffer, at: number[]) => {
					const decoder = new LineDecoder();
					const pieces = cut<Buffer>(bytes, at).map((piece) => decoder.push(piece));
					return pieces.join('') + decoder.end();
				};
				assert.equal(decoded(Buffer.from(text), places), text);
				const mixed = Buffer.concat([noise, Buffer.from(`\n${text}`)]);
				const got = decoded(mixed, places);
				assert.ok(got.endsWith(`\n${text}`));
				assert.equal(got, decoded(mixed, []));
			}),
		);
	});

	test('escape sequences', () => {
		fc.assert(
			fc.property(terminalText, places, (text, places) => {
				const stripper = new EscapeStripper();
				const got = cut(text, places).map((piece) => stripper.push(piece));
				assert.equal(got.join(''), new EscapeStripper().push(text));
				assert.ok(!got.join('').includes('\u001b'));
				assert.equal(got.join('').split('\n').length, text.split('\n').length);
			}),
		);
	});

	test('progress lines', () => {
		fc.assert(
			fc.property(terminalText, places, (text, places) => {
				const once = new LineCollapser();
				const whole = once.push(text) + once.end();
				const collapser = new LineCollapser();
				const got = cut(text, places).map((piece) => collapser.push(piece));
				assert.equal(got.join('') + collapser.end(), whole);
				assert.ok(!/[\r\b]/.test(whole));
			}),
		);
	});

	test('head and tail: what is kept is the beginning and the end, the rest is counted', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 400 }),
				fc.integer({ min: 2, max: 200 }),
				places,
				(text, limit, at) => {
					const kept = new HeadTail(limit);
					for (const piece of cut(text, at)) kept.push(piece);
					const { text: result, omitted } = kept.result();
					if (text.length <= limit) {
						assert.deepEqual([result, omitted], [text, 0]);
						return;
					}
					const [head = '', tail = ''] = result.split(`\n[… ${omitted} characters left out …]\n`);
					assert.ok(text.startsWith(head) && text.endsWith(tail));
					assert.equal(head.length + tail.length + omitted, text.length);
					assert.ok(head.length + tail.length <= limit && head.length + tail.length >= limit - 2);
					assert.ok(!Buffer.from(head + '|' + tail).includes('\ufffd'));
				},
			),
		);
	});

	test('everything together', () => {
		fc.assert(
			fc.property(terminalText, fc.uint8Array({ maxLength: 20 }), places, (text, noise, places) => {
				const bytes = Buffer.concat([Buffer.from(text), noise]);
				const whole = new OutputCollector(100);
				whole.push(bytes);
				const pieces = new OutputCollector(100);
				for (const piece of cut<Buffer>(bytes, places)) pieces.push(piece);
				assert.deepEqual(pieces.end(), whole.end());
			}),
		);
	});
});
