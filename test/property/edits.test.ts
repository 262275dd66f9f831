// Edits: whatever the text, what is applied equals a plain reference, and nothing else changes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, lineEdits, planOverwrite, planReplacement } from '../../src/core/tools/edits.ts';
import { hunksBetween, hunksOf } from '../../src/core/tools/hunks.ts';
import { lineRuns } from '../../src/core/util/lineDiff.ts';

// Few letters, so that matches and repetitions are frequent.
const piece = fc.constantFrom('a', 'b', 'ab', ' ', '\t', '$&', '$1', '\\', 'é', '😀', '中');
const line = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
const plainText = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
const mixedText = fc
	.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 8 })
	.map((lines) => lines.map(([text, end]) => text + end).join(''));

function searchIn(text: string): fc.Arbitrary<string> {
	return fc
		.tuple(fc.nat(text.length), fc.nat(text.length))
		.map(([a, b]) => text.slice(Math.min(a, b), Math.max(a, b)))
		.filter((search) => search !== '');
}

suite('property: edits', () => {
	test('on plain line ends: the same as split and join', () => {
		const inputs = plainText
			.filter((text) => text !== '')
			.chain((text) => fc.tuple(fc.constant(text), searchIn(text), plainText));
		fc.assert(
			fc.property(inputs, ([text, search, replacement]) => {
				const plan = planReplacement(text, search, replacement, true);
				assert.ok(plan.kind === 'plan');
				assert.equal(plan.newText, text.split(search).join(replacement));
				assert.equal(applyEdits(text, plan.edits), plan.newText);
			}),
			{ numRuns: 2000 },
		);
	});

	test('a CRLF file stays one, and equals the plain edit otherwise', () => {
		const inputs = plainText
			.filter((text) => text !== '')
			.chain((text) => fc.tuple(fc.constant(text), searchIn(text), plainText));
		fc.assert(
			fc.property(inputs, ([text, search, replacement]) => {
				const windows = text.replaceAll('\n', '\r\n');
				const plan = planReplacement(windows, search, replacement, true);
				assert.ok(plan.kind === 'plan');
				if (!text.includes('\n')) return;
				assert.equal(plan.newText, text.split(search).join(replacement).replaceAll('\n', '\r\n'));
			}),
			{ numRuns: 2000 },
		);
	});

	test('in any file the bytes before and after a single match are untouched', () => {
		const inputs = mixedText
			.filter((text) => text.trim() !== '')
			.chain((text) => fc.tuple(fc.constant(text), searchIn(text.replaceAll('\r\n', '\n')), plainText));
		fc.assert(
			fc.property(inputs, ([text, search, replacement]) => {
				const plan = planReplacement(text, search, replacement, false);
				if (plan.kind !== 'plan') return assert.equal(plan.kind, 'ambiguous');
				const plain = text.replaceAll('\r\n', '\n');
				const at = plain.indexOf(search);
				assert.equal(
					plan.newText.replaceAll('\r\n', '\n'),
					plain.slice(0, at) + replacement + plain.slice(at + search.length),
				);
				const linesBefore = plain.slice(0, at).split('\n').length - 1;
				const start = text.split('\n').slice(0, linesBefore).join('\n');
				assert.ok(plan.newText.startsWith(start));
				const linesAfter = plain.slice(at + search.length).split('\n').length - 1;
				const end = text.split('\n').slice(-linesAfter);
				if (linesAfter > 0) assert.ok(plan.newText.endsWith(end.join('\n')));
			}),
			{ numRuns: 2000 },
		);
	});

	test('line edits turn any text into any other, in order, without touching more than they must', () => {
		fc.assert(
			fc.property(mixedText, mixedText, (old, wanted) => {
				const edits = lineEdits(old, wanted);
				assert.equal(applyEdits(old, edits), wanted);
				let position = 0;
				for (const edit of edits) {
					assert.ok(edit.start >= position && edit.end >= edit.start && edit.end <= old.length);
					assert.notEqual(old.slice(edit.start, edit.end), edit.text);
					position = edit.end;
				}
			}),
			{ numRuns: 2000 },
		);
	});

	test('overwriting keeps the line ends of a uniform file and says the same text', () => {
		fc.assert(
			fc.property(plainText, plainText, (old, wanted) => {
				const windows = planOverwrite(old.replaceAll('\n', '\r\n'), wanted);
				assert.equal(windows.newText.replaceAll('\r\n', '\n'), wanted);
				if (old.includes('\n')) assert.equal(windows.newText, wanted.replaceAll('\n', '\r\n'));
				assert.equal(planOverwrite(old, wanted).newText, wanted);
			}),
		);
	});

	test('hunks count what changes', () => {
		fc.assert(
			fc.property(plainText, plainText, (old, wanted) => {
				const { hunks, added, removed } = hunksBetween(old, wanted);
				const lines = hunks.flatMap((hunk) => hunk.lines);
				assert.equal(lines.filter((text) => text.startsWith('+')).length, added);
				assert.equal(lines.filter((text) => text.startsWith('-')).length, removed);
				assert.equal(added + removed === 0, old === wanted);
			}),
		);
	});

	test('hunks put into the old lines give the new ones, wherever they are', () => {
		const filler = fc.array(fc.constantFrom('x', 'y', ''), { minLength: 4, maxLength: 9 });
		const long = fc.array(fc.tuple(line, filler), { maxLength: 4 });
		fc.assert(
			fc.property(long, fc.array(fc.nat(60), { maxLength: 4 }), line, (parts, at, put) => {
				const lines = parts.flatMap(([first, rest]) => [first, ...rest]);
				const changed = lines.flatMap((text, index) => (at.includes(index) ? [put, `${text}!`] : [text]));
				const [old, now] = [lines, changed].map((all) => all.map((text) => `${text}\n`).join('')) as [string, string];
				const rebuilt = [...lines];
				const { hunks, omittedLines } = hunksOf(old, lineEdits(old, now));
				assert.equal(omittedLines, 0);
				for (const hunk of hunks) {
					const before = hunk.lines.filter((text) => !text.startsWith('+'));
					const after = hunk.lines.filter((text) => !text.startsWith('-'));
					const start = Math.max(0, hunk.newStart - 1);
					assert.deepEqual(
						rebuilt.slice(start, start + before.length),
						before.map((text) => text.slice(1)),
					);
					assert.deepEqual(
						lines.slice(Math.max(0, hunk.oldStart - 1)).slice(0, before.length),
						rebuilt.slice(start, start + before.length),
					);
					rebuilt.splice(start, before.length, ...after.map((text) => text.slice(1)));
				}
				assert.deepEqual(rebuilt, changed);
			}),
			{ numRuns: 1000 },
		);
	});

	test('a file whose lines end with CR alone keeps them', () => {
		const inputs = plainText
			.filter((text) => text.includes('\n'))
			.chain((text) => fc.tuple(fc.constant(text), searchIn(text), plainText));
		fc.assert(
			fc.property(inputs, ([text, search, replacement]) => {
				const plan = planReplacement(text.replaceAll('\n', '\r'), search, replacement, true);
				assert.ok(plan.kind === 'plan');
				assert.equal(plan.newText, text.split(search).join(replacement).replaceAll('\n', '\r'));
			}),
		);
	});

	test('runs of lines say both lists, whatever is changed in a long one; a change here and there stays one', () => {
		const touched = fc.array(fc.nat(999), { maxLength: 60 });
		const put = fc.array(fc.constantFrom('}', '', 'new'), { maxLength: 3 });
		fc.assert(
			fc.property(touched, put, fc.nat(6), (places, lines, repeats) => {
				const old = Array.from({ length: 1_000 }, (_, at) => (at % 7 < repeats ? '}' : `line ${at}`));
				const now = old.flatMap((line, at) => (places.includes(at) ? lines : [line]));
				const runs = lineRuns(old, now);
				const take = (list: readonly string[], other: 'old' | 'new') => {
					let at = 0;
					return runs.flatMap(({ kind, count }) => (kind === other ? [] : list.slice(at, (at += count))));
				};
				assert.deepEqual(take(old, 'new'), old);
				assert.deepEqual(take(now, 'old'), now);
				let [before, after] = [0, 0];
				for (const { kind, count } of runs) {
					if (kind === 'same') assert.deepEqual(old.slice(before, before + count), now.slice(after, after + count));
					if (kind !== 'new') before += count;
					if (kind !== 'old') after += count;
				}
				const changed = runs.reduce((sum, { kind, count }) => sum + (kind === 'same' ? 0 : count), 0);
				assert.ok(changed <= 14 * (new Set(places).size * (1 + lines.length)), `${changed} of ${places.length}`);
			}),
			{ numRuns: 300 },
		);
	});

	test('every line of a long text changed, or every second one: each as it is', () => {
		const lines = Array.from({ length: 20_000 }, (_, at) => `call(${at});\n`);
		const all = lines.map((text) => text.replace('call', 'run'));
		const half = lines.map((text, at) => (at % 2 ? text : text.replace('call', 'run')));
		assert.equal(lineEdits(lines.join(''), half.join('')).length, 10_000);
		const { added, removed } = hunksBetween(lines.join(''), all.join(''));
		assert.deepEqual([added, removed], [20_000, 20_000]);
	});
});
