import assert from 'node:assert/strict';
import { microcompact } from '../../../src/core/context/microcompact.ts';
import type { ContextInput, StageResult } from '../../../src/core/context/contextTypes.ts';
import { contextLimits, contextSize } from '../../../src/core/context/tokens.ts';
import { limits } from '../../../src/core/limits.ts';
import { clearedResultText, project } from '../../../src/core/messages/projection.ts';
import { assertSendable, contextDeps, contextInput, sentText, Talk, tokensOfText } from '../../support/contextWorld.ts';

const hour = 60 * 60_000;

function cleared(talk: Talk, overrides: Partial<ContextInput> = {}): StageResult {
	const input = contextInput(talk.messages, { now: talk.time, ...overrides });
	const deps = contextDeps();
	return microcompact(input, contextSize(input, deps.cache), contextLimits(input), deps);
}

/** Turns with a result of 3,000 tokens each. */
function work(turns: number, name = 'Read'): Talk {
	const talk = new Talk().prompt('go');
	for (let turn = 0; turn < turns; turn++) talk.turn({ calls: [{ name, result: tokensOfText(3_000, `out${turn} `) }] });
	return talk;
}

function ids({ changes }: StageResult): readonly string[] {
	return changes.flatMap((change) => (change.kind === 'results_cleared' ? change.toolUseIds : []));
}

suite('context: microcompact', () => {
	test('results of all that changes files can be cleared', () => {
		for (const name of ['Edit', 'Write', 'NotebookEdit']) {
			assert.deepEqual(ids(cleared(work(9, name), { overheadTokens: 120_000 })).length, 4, name);
		}
	});

	test('does nothing while the cache is warm and there is room', () => {
		assert.deepEqual(ids(cleared(work(12))), []);
	});

	test('clears all but the newest five once the context fills up', () => {
		const talk = work(9);
		const result = cleared(talk, { overheadTokens: 120_000 });
		assert.deepEqual(ids(result), ['t2_0', 't3_0', 't4_0', 't5_0']);
		assert.ok(result.freed > 11_000 && result.freed < 12_200, String(result.freed));
		const sent = project(talk.messages, result.changes);
		assertSendable(sent);
		assert.equal(sentText(sent).split(clearedResultText).length - 1, 4);
		assert.match(sentText(sent), /out4/);
		assert.doesNotMatch(sentText(sent), /out3/);
	});

	test('clears when the cache has gone cold, for much less', () => {
		const talk = work(6);
		assert.deepEqual(ids(cleared(talk, { now: talk.time + hour - 1 })), []);
		assert.deepEqual(ids(cleared(talk, { now: talk.time + hour })), ['t2_0']);
	});

	test('never touches the current turn, even one with more than five calls', () => {
		const calls = Array.from({ length: 9 }, () => ({ name: 'Read', result: tokensOfText(9_000) }));
		const talk = new Talk().prompt('go').turn({ calls });
		assert.deepEqual(ids(cleared(talk, { overheadTokens: 140_000 })), []);
		talk.turn({ calls: [{ name: 'Bash' }] });
		assert.deepEqual(ids(cleared(talk, { overheadTokens: 140_000 })).length, 5);
	});

	test('leaves results of other tools, short ones, and stored ones', () => {
		assert.deepEqual(ids(cleared(work(12, 'Agent'), { overheadTokens: 150_000 })), []);
		const short = new Talk().prompt('go');
		for (let turn = 0; turn < 30; turn++)
			short.turn({ calls: [{ name: 'Bash', result: 'x'.repeat(limits.clearableChars - 1) }] });
		assert.deepEqual(ids(cleared(short, { overheadTokens: 170_000 })), []);
		const stored = work(12);
		const change = {
			kind: 'results_stored',
			at: 'a2-results',
			results: [{ toolUseId: 't2_0', path: '/f', replacement: 'see /f' }],
		} as const;
		const result = cleared(stored, { overheadTokens: 150_000, changes: [change] });
		assert.ok(!ids(result).includes('t2_0') && ids(result).includes('t3_0'));
	});

	test('does not come back for every single result: a gain must be worth a cold cache', () => {
		const talk = work(9);
		const first = cleared(talk, { overheadTokens: 120_000 });
		talk.turn({ calls: [{ name: 'Read', result: tokensOfText(3_000) }] });
		assert.deepEqual(ids(cleared(talk, { overheadTokens: 130_000, changes: first.changes })), []);
	});
});
