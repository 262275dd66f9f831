// What the person has said of a proposal, on the card and in the editor, becomes one answer.
import assert from 'node:assert/strict';
import { lineEdits } from '../../../src/core/tools/edits.ts';
import { hunksOf } from '../../../src/core/tools/hunks.ts';
import {
	completedAnswer,
	decided,
	isDecided,
	openProposal,
	outcomesOf,
	recalled,
	rewritten,
	saidOf,
} from '../../../src/host/proposals/openProposal.ts';

const gap = 'same\n'.repeat(20);
const oldText = `one\n${gap}two\n${gap}three\n`;
const newText = `ONE\n${gap}TWO\n${gap}THREE\n`;

suite('an open proposal', () => {
	function open() {
		const edits = lineEdits(oldText, newText);
		const { hunks, added, removed } = hunksOf(oldText, edits);
		const proposed = { realPath: '/w/a', oldText, newText, edits };
		const detail = { kind: 'edit', path: '/w/a', created: false, unsaved: false, hunks, added, removed } as const;
		return openProposal({ id: 'r', toolUseId: 't' }, proposed, detail);
	}
	const denied = { kind: 'denied' } as const;
	const accepted = { kind: 'accepted' } as const;

	test('nothing said: the answer stays as it is', () => {
		assert.deepEqual(completedAnswer({ behavior: 'allow' }, open()), { behavior: 'allow' });
		assert.deepEqual(completedAnswer({ behavior: 'deny', reason: 'no' }, open()), { behavior: 'deny', reason: 'no' });
	});

	test('what was denied is left out, with the reason of the thread or of the card', () => {
		const proposal = decided(decided(open(), [0], { ...denied, reason: 'mine' }), [1], denied);
		assert.equal(isDecided(proposal), false);
		const hunks = [denied, { ...denied, reason: 'card' }, accepted];
		assert.deepEqual(completedAnswer({ behavior: 'allow', mode: 'acceptEdits', edit: { hunks } }, proposal), {
			behavior: 'allow',
			mode: 'acceptEdits',
			edit: { hunks: [{ ...denied, reason: 'mine' }, { ...denied, reason: 'card' }, accepted] },
		});
		assert.equal(isDecided(decided(proposal, [2], accepted)), true);
		assert.deepEqual(outcomesOf(decided(proposal, [1], null))[1], null);
	});

	test('a text that the person wrote goes with the answer; a denied hunk stays denied and out of it', () => {
		const proposal = rewritten(decided(open(), [1], denied), newText.replace('ONE', 'uno'));
		assert.equal(proposal.detail.rewritten, true);
		assert.deepEqual(outcomesOf(proposal), [null, denied, null]);
		const answer = completedAnswer({ behavior: 'allow' }, proposal);
		assert.ok(answer.behavior === 'allow');
		assert.equal(answer.edit?.text, newText.replace('ONE', 'uno').replace('TWO', 'two'));
		const back = rewritten(proposal, newText);
		assert.equal(back.detail.rewritten, undefined);
		assert.deepEqual(outcomesOf(back), [null, denied, null]);
	});

	test('denied with the reasons of the hunks', () => {
		const proposal = decided(open(), [1], { ...denied, reason: 'keep it' });
		assert.deepEqual(completedAnswer({ behavior: 'deny' }, proposal), { behavior: 'deny', reason: 'Line 22: keep it' });
	});

	test('what was said comes back on the same proposal: hunks, reasons, and the rewritten text with what was said of its hunks', () => {
		const said = decided(decided(open(), [0], accepted), [2], { ...denied, reason: 'no' });
		assert.deepEqual(outcomesOf(recalled(open(), saidOf(said))), outcomesOf(said));
		const written = rewritten(said, newText.replace('TWO', 'dos'));
		const again = recalled(open(), saidOf(written));
		assert.deepEqual(again.detail, written.detail);
		assert.equal(again.current.newText, written.current.newText);
		assert.deepEqual(outcomesOf(recalled(open(), { outcomes: [accepted] })), [null, null, null]);
	});
});
