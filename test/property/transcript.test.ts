// A transcript that is cut at any byte loads without throwing and yields a prefix of what was written.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Entry } from '../../src/core/messages/journal.ts';
import { formatLine, parseTranscript } from '../../src/node/sessions/transcriptFile.ts';

const anyText = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string(),
	fc.constantFrom('\ud800', '\0', '\n', '{"time":', '\u2028', '"}\n{"time":1,"type":"x"}'),
);
const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
	anyText.map((text): Entry => ({
		type: 'user',
		message: { role: 'user', id: 'u', origin: 'prompt', content: [{ type: 'text', text }], time: 1 },
	})),
	fc.record({ type: fc.constant('exchange_end' as const), reason: anyText }),
	fc.record({
		type: fc.constant('tool_start' as const),
		toolUseId: anyText,
		name: fc.constant('Bash'),
		input: fc.dictionary(fc.string(), anyText),
	}),
);

suite('transcript properties', () => {
	test('whole: everything comes back', () => {
		fc.assert(
			fc.property(fc.array(anyEntry), (entries) => {
				const text = entries.map((entry, index) => formatLine(entry, index)).join('');
				const { entries: read, damaged } = parseTranscript(Buffer.from(text, 'utf8').toString('utf8'));
				assert.equal(damaged, 0);
				const stored = entries.map((entry, index) => ({ ...entry, time: index }));
				assert.deepEqual(read, JSON.parse(JSON.stringify(stored)));
			}),
		);
	});

	test('cut at any byte: a prefix, at most one damaged line, and appending works', () => {
		fc.assert(
			fc.property(fc.array(anyEntry, { minLength: 1 }), fc.nat(), (entries, at) => {
				const bytes = Buffer.from(entries.map((entry, index) => formatLine(entry, index)).join(''), 'utf8');
				const cut = bytes.subarray(0, at % (bytes.length + 1)).toString('utf8');
				const { entries: read, damaged } = parseTranscript(cut);
				assert.ok(damaged <= 1);
				const stored = entries.map((entry, index) => ({ ...entry, time: index }));
				assert.deepEqual(read, JSON.parse(JSON.stringify(stored.slice(0, read.length))));
				const fresh = cut === '' || cut.endsWith('\n') ? cut : `${cut}\n`;
				const more = parseTranscript(fresh + formatLine({ type: 'exchange_end', reason: 'x' }, 9));
				assert.equal(more.entries.length, read.length + 1);
			}),
		);
	});

	test('any bytes at all: no throw', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
				parseTranscript(Buffer.from(bytes).toString('utf8'));
			}),
		);
	});
});
