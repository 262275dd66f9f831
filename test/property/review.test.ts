// Review: whatever the agent and the person do, in any order, nothing of the person's is lost and all of the agent's can go.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
	agentEdited,
	baselineOf,
	createdFile,
	edited,
	kept,
	replaced,
	textOf,
	undone,
	unreviewed,
	type ReviewedFile,
} from '../../src/core/review/reviewedFile.ts';
import { applyBlocks, blocksBetween, splitLines } from '../../src/core/review/lines.ts';
import { applyEdits } from '../../src/core/tools/edits.ts';

const turn = { sessionId: 's', promptId: 'p', prompt: 'do it' };
const word = fc.constantFrom('a', 'b', 'c', '', '  d', '}');
const textWith = (end: string) =>
	fc.tuple(fc.array(word, { maxLength: 9 }), fc.boolean()).map(([lines, closed]) => {
		return lines.join(end) + (closed && lines.length > 0 ? end : '');
	});
const text = textWith('\n');
const anyText = fc.constantFrom('\n', '\r\n', '\r').chain(textWith);

type Step =
	| { readonly kind: 'agent'; readonly at: number; readonly removed: number; readonly put: readonly string[] }
	| { readonly kind: 'person'; readonly line: number; readonly character: number; readonly breaks: boolean }
	| { readonly kind: 'undo' | 'keep'; readonly which: number };
const agentStep = fc.record({
	kind: fc.constant('agent' as const),
	at: fc.nat(12),
	removed: fc.nat(3),
	put: fc.array(word, { maxLength: 3 }),
});
const personStep = fc.record({
	kind: fc.constant('person' as const),
	line: fc.nat(12),
	character: fc.nat(3),
	breaks: fc.boolean(),
});
const answerStep = fc.record({ kind: fc.constantFrom('undo' as const, 'keep' as const), which: fc.nat(5) });

/** What the agent's step makes of a text. */
function agentText(before: string, { at, removed, put }: Extract<Step, { kind: 'agent' }>): string {
	const lines = before.split('\n');
	lines.splice(Math.min(at, lines.length), removed, ...put);
	return lines.join('\n');
}

/** Types a word that occurs nowhere else. */
function type(file: ReviewedFile, step: Extract<Step, { kind: 'person' }>, mark: string): ReviewedFile {
	const lines = textOf(file).split('\n');
	const line = Math.min(step.line, lines.length - 1);
	const character = Math.min(step.character, lines[line]?.length ?? 0);
	const put = step.breaks ? `\n${mark}\n` : mark;
	const place = { startLine: line, startCharacter: character, endLine: line, endCharacter: character };
	const old = lines[line] ?? '';
	lines[line] = old.slice(0, character) + put + old.slice(character);
	const next = edited(file, [{ ...place, text: put }], 'typing');
	assert.equal(textOf(next), lines.join('\n'));
	return next;
}

function assertSound(file: ReviewedFile): void {
	let end = 0;
	for (const { start, count, original, id } of file.hunks) {
		assert.ok(start >= end && start + count <= file.lines.length, 'hunks are ascending and in the file');
		assert.ok(count + original.length > 0 && id < file.nextId);
		end = start + count;
	}
	assert.equal(new Set(file.hunks.map(({ id }) => id)).size, file.hunks.length);
	assert.deepEqual(file.lines, splitLines(textOf(file)));
}

const ids = (file: ReviewedFile) => file.hunks.map(({ id }) => id);
const undoAll = (file: ReviewedFile) => {
	const { edits, file: after } = undone(file, ids(file));
	assert.equal(applyEdits(textOf(file), edits), textOf(after));
	return textOf(after);
};

suite('property: review', () => {
	test('blocks turn any lines into any others', () => {
		fc.assert(
			fc.property(anyText, anyText, (old, now) => {
				const [before, after] = [splitLines(old), splitLines(now)];
				assert.equal(before.join(''), old);
				const result = applyBlocks(before, blocksBetween(before, after, true));
				const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\r\n|\r/, '\n')).join('');
				assert.equal(plain(result), plain(after));
			}),
			{ numRuns: 1000 },
		);
	});

	test('the agent alone: undoing all gives the first text, keeping all the last, in any order', () => {
		fc.assert(
			fc.property(text, fc.array(agentStep, { maxLength: 6 }), fc.array(fc.nat(9)), (first, steps, order) => {
				let file = unreviewed(first);
				for (const step of steps) {
					file = agentEdited(file, agentText(textOf(file), step), turn);
					assertSound(file);
					assert.equal(baselineOf(file), first);
				}
				assert.equal(undoAll(file), first);
				const all = kept(file, ids(file));
				assert.deepEqual(all.hunks, []);
				assert.equal(baselineOf(all), textOf(file));
				let one = file;
				for (const pick of order) {
					const hunk = one.hunks[pick % Math.max(1, one.hunks.length)];
					if (hunk === undefined) break;
					one = undone(one, [hunk.id]).file;
					assertSound(one);
					assert.equal(baselineOf(one), first);
				}
				assert.equal(undoAll(one), first);
			}),
			{ numRuns: 1500 },
		);
	});

	test('whatever happens, no word of the person is ever taken away', () => {
		const steps = fc.array(fc.oneof(agentStep, personStep, personStep, answerStep), { maxLength: 10 });
		fc.assert(
			fc.property(text, steps, (first, all) => {
				let file = unreviewed(first);
				const marks: string[] = [];
				for (const [index, step] of all.entries()) {
					if (step.kind === 'agent') file = agentEdited(file, agentText(textOf(file), step), turn);
					else if (step.kind === 'person') {
						// One character: nothing can be typed into its middle.
						const mark = String.fromCodePoint(0x4e00 + index);
						file = type(file, step, mark);
						marks.push(mark);
					} else {
						const hunk = file.hunks[step.which % Math.max(1, file.hunks.length)];
						if (hunk === undefined) continue;
						const visible = marks.filter((mark) => textOf(file).includes(mark));
						file = step.kind === 'keep' ? kept(file, [hunk.id]) : undone(file, [hunk.id]).file;
						for (const mark of visible) assert.ok(textOf(file).includes(mark), `${mark} is still there`);
					}
					assertSound(file);
					const baseline = baselineOf(file);
					for (const mark of marks) {
						if (textOf(file).includes(mark)) assert.ok(baseline.includes(mark), `${mark} is in no hunk`);
					}
					// Kept, or typed into: that the agent took a word away there is now the person's will.
					if (step.kind === 'agent' || step.kind === 'undo') continue;
					marks.splice(0, marks.length, ...marks.filter((mark) => baseline.includes(mark)));
				}
				const end = undoAll(file);
				for (const mark of marks) assert.ok(end.includes(mark), `${mark} is back`);
				assert.equal(end, baselineOf(file));
			}),
			{ numRuns: 3000 },
		);
	});

	test('a line that stayed among lines that are alike is not taken for one that was put in', () => {
		let file = edited(
			unreviewed('a\na\na\na'),
			[{ startLine: 3, startCharacter: 0, endLine: 3, endCharacter: 0, text: 'mine ' }],
			'typing',
		);
		for (const now of ['mine a', 'mine a\na', 'mine a\na\na']) file = agentEdited(file, now, turn);
		for (const id of ids(file)) assert.match(baselineOf(kept(file, [id])), /mine/);
	});

	test('typing between hunks changes the baseline as it changes the file', () => {
		fc.assert(
			fc.property(text, fc.array(agentStep, { minLength: 1, maxLength: 3 }), personStep, (first, steps, typing) => {
				let file = unreviewed(first);
				for (const step of steps) file = agentEdited(file, agentText(textOf(file), step), turn);
				const after = type(file, typing, '<x>');
				const survived = ids(after);
				for (const hunk of after.hunks) {
					const before = file.hunks.find(({ id }) => id === hunk.id);
					assert.deepEqual(hunk.original, before?.original);
					assert.equal(hunk.count, before?.count);
					const lines = file.lines.slice(before?.start, (before?.start ?? 0) + (before?.count ?? 0));
					assert.equal(
						after.lines
							.slice(hunk.start, hunk.start + hunk.count)
							.join('')
							.trimEnd(),
						lines.join('').trimEnd(),
						'the same lines, wherever they are now',
					);
				}
				assert.ok(file.hunks.length - survived.length <= 1, 'at most the one that was typed into is gone');
			}),
			{ numRuns: 1500 },
		);
	});

	test('found again with another text: sound, and all the same when nothing was changed', () => {
		fc.assert(
			fc.property(text, agentStep, text, (first, step, other) => {
				const file = agentEdited(unreviewed(first), agentText(first, step), turn);
				assert.deepEqual(replaced(file, textOf(file), 'unknown'), file);
				const found = replaced(file, other, 'unknown');
				assertSound(found);
				assert.equal(textOf(found), other);
				assert.deepEqual(replaced(file, first, 'unknown').hunks, [], 'back at the first text nothing is left');
			}),
			{ numRuns: 1500 },
		);
	});

	test('formatting moves and carries hunks; undoing still gives lines that were there', () => {
		fc.assert(
			fc.property(text, agentStep, (first, step) => {
				const file = agentEdited(unreviewed(first), agentText(first, step), turn);
				const indented = textOf(file).replaceAll(/^(?=.)/gm, '\t');
				const formatted = replaced(file, indented, 'unknown');
				assertSound(formatted);
				const plain = (some: string) => some.replaceAll(/\s+/g, '');
				assert.equal(plain(baselineOf(formatted)), plain(first));
			}),
			{ numRuns: 1500 },
		);
	});

	test('a created file is one hunk, whatever is in it', () => {
		fc.assert(
			fc.property(text, text, personStep, (first, second, step) => {
				const created = createdFile(first, turn);
				const again = agentEdited(created, second, turn);
				assert.equal(again.hunks.length, 1);
				assert.equal(again.hunks[0]?.count, again.lines.length);
				assert.equal(baselineOf(again), '');
				const typed = type(again, step, '<x>');
				assert.deepEqual(typed.created, { touched: true });
				assert.equal(typed.hunks[0]?.count, typed.lines.length);
				assert.equal(kept(typed, ids(typed)).created, undefined);
			}),
		);
	});
});
