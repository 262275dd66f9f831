import assert from 'node:assert/strict';
import { snip } from '../../../src/core/context/snip.ts';
import type { ContextInput, StageResult } from '../../../src/core/context/contextTypes.ts';
import { contextLimits, contextSize } from '../../../src/core/context/tokens.ts';
import { limits } from '../../../src/core/limits.ts';
import { project } from '../../../src/core/messages/projection.ts';
import type { TurnSpec } from '../../support/contextWorld.ts';
import { assertSendable, contextDeps, contextInput, sentText, Talk, tokensOfText } from '../../support/contextWorld.ts';

/** The stage on a window of 40,000 tokens that is 17,000 full. */
function snipped(talk: Talk, overrides: Partial<ContextInput> = {}): StageResult {
	const input = contextInput(talk.messages, { overheadTokens: 17_000, ...overrides });
	const small = { ...input, facts: { ...input.facts, contextWindow: 40_000 } };
	const deps = contextDeps();
	return snip(small, contextSize(small, deps.cache), contextLimits(small), deps);
}

/** An old turn, the same file read again, and as many newer turns as snip leaves alone. */
function oldAndNew(old: TurnSpec): Talk {
	const talk = new Talk().prompt('please look at it').turn(old);
	talk.turn({ calls: [{ name: 'Read', input: { file_path: 'a' }, result: 'new text' }] });
	for (let turn = 0; turn < limits.snipKeptTurns; turn++) {
		talk.turn({ calls: [{ name: 'Bash', input: { command: String(turn) } }] });
	}
	return talk;
}

const large = tokensOfText(4_000);
const oldRead = { calls: [{ name: 'Read', input: { file_path: 'a' }, result: large }] };

suite('context: snip', () => {
	test('leaves out a read that was repeated later, whole turn and all, and says what that freed', () => {
		const talk = oldAndNew(oldRead);
		const { changes, freed, items } = snipped(talk);
		assert.equal(items, 1);
		assert.ok(freed >= 4_000 && freed < 4_200, String(freed));
		const sent = project(talk.messages, changes);
		assert.deepEqual(
			sent.slice(0, 3).map(({ id }) => id),
			['p1', 'a3', 'a3-results'],
		);
		assertSendable(sent);
		assert.match(sentText(sent), /please look at it/);
	});

	test('leaves out searches that found nothing, but not those that found something', () => {
		const turns = (result: string) => oldAndNew({ calls: [{ name: 'Grep', input: { pattern: large }, result }] });
		assert.equal(snipped(turns('No matches.')).items, 1);
		assert.equal(snipped(turns('src/a.ts:1: found\n'.repeat(20))).items, 0);
	});

	const kept: Readonly<Record<string, TurnSpec>> = {
		'a turn with something to say': { ...oldRead, text: 'An insight. '.repeat(40) },
		'a failed call (its text may be the reason of a person who declined)': {
			calls: [{ name: 'Read', input: { file_path: 'a' }, result: large, isError: true }],
		},
		'a call with effects': { calls: [{ name: 'Edit', input: { file_path: 'a' }, result: large }] },
		'a turn with one worthless call and one that is not': {
			calls: [...oldRead.calls, { name: 'Bash', input: { command: 'x' } }],
		},
	};
	for (const [what, turn] of Object.entries(kept)) {
		test(`keeps ${what}`, () => {
			assert.equal(snipped(oldAndNew(turn)).items, 0);
		});
	}

	test('keeps the newest turns, and everything while there is room', () => {
		const talk = new Talk().prompt('go').turn(oldRead).turn(oldRead);
		assert.equal(snipped(talk).items, 0);
		assert.equal(snipped(oldAndNew(oldRead), { overheadTokens: 0 }).items, 0);
	});

	test('does nothing for a gain that is not worth a cold cache', () => {
		assert.equal(snipped(oldAndNew({ calls: [{ ...oldRead.calls[0], name: 'Read', result: 'tiny' }] })).items, 0);
	});

	test('a message that holds more than results stays', () => {
		const talk = oldAndNew(oldRead);
		const messages = talk.messages.map((message) =>
			message.role === 'user' && message.id === 'a2-results'
				? { ...message, content: [...message.content, { type: 'text', text: 'a note' } as const] }
				: message,
		);
		const noted = new Talk();
		noted.messages = messages;
		assert.equal(snipped(noted).items, 0);
	});
});
