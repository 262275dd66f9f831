// Proposals, for any text and any choice of hunks: nothing of a denied hunk is left, and what was typed elsewhere stays.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { choiceOf } from '../../src/core/tools/choice.ts';
import { applyEdits, lineEdits } from '../../src/core/tools/edits.ts';
import { hunksOf } from '../../src/core/tools/hunks.ts';
import { rebase } from '../../src/core/tools/rebase.ts';
import type { HunkOutcome } from '../../src/shared/permission.ts';

const line = fc.constantFrom('a', 'b', '', 'c\t', '你好');
const text = fc
	.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 60 })
	.map((lines) => lines.map(([words, end]) => words + end).join(''));
const outcomes = fc.array(
	fc.boolean().map((denied): HunkOutcome => ({ kind: denied ? 'denied' : 'accepted' })),
	{
		maxLength: 12,
	},
);

suite('proposals', () => {
	test('each hunk has its edits, and together they are all of them', () => {
		fc.assert(
			fc.property(text, text, (oldText, newText) => {
				const edits = lineEdits(oldText, newText);
				const { hunks, parts } = hunksOf(oldText, edits);
				assert.equal(hunks.length, parts.length);
				assert.deepEqual(parts.flat(), edits);
			}),
		);
	});

	test('what is left is what the accepted hunks alone make of the text', () => {
		fc.assert(
			fc.property(text, text, outcomes, (oldText, newText, hunks) => {
				const edits = lineEdits(oldText, newText);
				const { parts } = hunksOf(oldText, edits);
				const choice = choiceOf({ realPath: '/f', oldText, newText, edits }, { hunks });
				const left = choice?.edits ?? edits;
				assert.deepEqual(left, parts.filter((_, index) => hunks[index]?.kind !== 'denied').flat());
			}),
		);
	});

	test('moved to a text that changed elsewhere, both changes are in it; in the same lines it is refused', () => {
		fc.assert(
			fc.property(text, text, text, text, (head, tail, before, after) => {
				const base = `${head}== one ==\n${tail}== two ==\n`;
				const edits = [{ start: head.length + 3, end: head.length + 6, text: 'ONE' }];
				const current = `${before}${base.replace('== two ==\n', `${after}== three ==\n`)}`;
				const moved = rebase(base, edits, current);
				if (moved) {
					assert.equal(moved.newText, current.replace('== one ==', '== ONE =='));
					assert.equal(applyEdits(current, moved.edits), moved.newText);
				}
				assert.equal(rebase(base, edits, base.replace('== one ==', '== uno ==')), undefined);
			}),
		);
	});
});
