// Streamed markdown against one-shot rendering: any chunking of a document ends in the same blocks, and before the end it
// differs only where architecture allows it (link definitions that come later).
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MarkdownTail } from '../../webview-ui/src/markdown/tail.ts';

const words = fc
	.array(
		fc.constantFrom('one', '**two**', '`three`', '登录', '[x](https://e.x)', '_a', '*b*', '~~c~~', 'd|e', '<b>', '\\*'),
		{
			minLength: 1,
			maxLength: 6,
		},
	)
	.map((parts) => parts.join(' '));
const fragment = fc.oneof(
	words,
	words.map((text) => `## ${text}`),
	fc.array(words, { minLength: 1, maxLength: 4 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
	fc.array(words, { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `1. ${item}`).join('\n\n')),
	words.map((text) => `- [ ] ${text}\n  - nested\n\n    more`),
	words.map((text) => `> ${text}\n> again`),
	words.map((text) => `| a | b |\n|---|--:|\n| ${text} | 2 |`),
	fc.array(words, { maxLength: 4 }).map((lines) => `\`\`\`ts\n${lines.join('\n')}\n\n\`\`\``),
	fc.constantFrom(
		'---',
		'~~~\nopen\n~~~',
		'    indented',
		'Title\n===',
		'<div>\nraw\n</div>',
		'a\\\nb',
		'line  \nbreak',
	),
);
const document = fc
	.array(fc.tuple(fragment, fc.constantFrom('\n', '\n\n', '\n\n\n', '\r\n\r\n')), { maxLength: 14 })
	.map((parts) => parts.flat().join(''));

const linked = fc
	.array(
		fc.oneof(
			document,
			fc.constantFrom(
				'[x]: https://e.x/1\n\n',
				'> [y]: https://e.y\n\n',
				'- [z]: https://e.z\n\n',
				'[x]: https://e.x/2\n\n',
			),
			fc.constantFrom('see [x] and [y]\n\n', '- [z]\n- [x][y]\n\n', '> [it][x]\n\n'),
		),
		{ maxLength: 12 },
	)
	.map((parts) => parts.join(''));

/** Cuts a text at the given places. */
function prefixes(text: string, cuts: readonly number[]): readonly string[] {
	return [...new Set(cuts.map((cut) => cut % (text.length + 1)))]
		.sort((a, b) => a - b)
		.map((cut) => text.slice(0, cut));
}

suite('streamed markdown', () => {
	test('any chunking ends in the one-shot rendering', () => {
		fc.assert(
			fc.property(fc.oneof(document, linked), fc.array(fc.nat(2000), { maxLength: 40 }), (text, cuts) => {
				const tail = new MarkdownTail();
				for (const prefix of prefixes(text, cuts)) tail.update(prefix, true);
				assert.deepEqual(tail.update(text, false), new MarkdownTail().update(text, false));
			}),
			{ numRuns: 200 },
		);
	});

	test('before the end, what is shown is what the text so far means', () => {
		fc.assert(
			fc.property(document, fc.array(fc.nat(2000), { maxLength: 40 }), (text, cuts) => {
				const tail = new MarkdownTail();
				for (const prefix of prefixes(text, cuts)) {
					assert.deepEqual(tail.update(prefix, true), new MarkdownTail().update(prefix, false));
				}
			}),
			{ numRuns: 200 },
		);
	});

	test('told what came last, it shows the same; a wrong word on it is found out', () => {
		fc.assert(
			fc.property(document, fc.array(fc.nat(2000), { maxLength: 40 }), fc.nat(20), (text, cuts, wrong) => {
				const [tail, plain] = [new MarkdownTail(), new MarkdownTail()];
				let before = '';
				for (const [index, prefix] of prefixes(text, cuts).entries()) {
					const grown = prefix.slice(before.length);
					const told = index === wrong ? `${grown}?` : grown;
					assert.deepEqual(tail.update(prefix, true, told), plain.update(prefix, true));
					before = prefix;
				}
				assert.deepEqual(tail.update(text, false), plain.update(text, false));
			}),
			{ numRuns: 200 },
		);
	});

	test('the open tail stays small: a long document costs little more than its length', () => {
		const tail = new MarkdownTail();
		const paragraph = 'Some words with `code` and **strong** text that fill a line of a paragraph.\n\n';
		const started = performance.now();
		let text = '';
		for (let count = 0; count < 1000; count += 1) tail.update((text += paragraph), true);
		assert.equal(tail.update(text, true).length, 1000);
		assert.ok(performance.now() - started < 10_000, 'took too long');
	});
});
