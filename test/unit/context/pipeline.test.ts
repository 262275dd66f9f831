import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import type { ProjectionChange } from '../../../src/core/messages/projection.ts';
import { contextDeps, contextInput, kindsOf, prepared, Talk, tokensOfText } from '../../support/contextWorld.ts';
import { withoutFeature } from '../../support/features.ts';

suite('context: the pipeline', () => {
	test('does nothing to a conversation with room: the very same messages, no events, no reports', async () => {
		const { messages } = new Talk().prompt('hello').turn({ calls: [{ name: 'Bash', result: 'x' }] });
		const result = await prepared(contextInput(messages), contextDeps());
		assert.equal(result.messages, messages);
		assert.deepEqual([result.changes, result.reports, result.events], [[], [], []]);
		assert.equal(result.problem ?? result.blocked, undefined);
	});

	test('a cheaper step that suffices makes the dearer ones no-ops', async () => {
		const talk = new Talk().prompt('go');
		for (let turn = 0; turn < 20; turn++)
			talk.turn({ calls: [{ name: 'Read', input: { n: turn }, result: tokensOfText(9_000) }] });
		const deps = contextDeps();
		const { reports, tokens, events } = await prepared(contextInput(talk.messages), deps);
		assert.deepEqual(
			reports.map(({ stage }) => stage),
			['microcompact'],
		);
		assert.ok(tokens < 60_000, String(tokens));
		assert.deepEqual(events, []);
		assert.equal(deps.requests.length, 0);
	});

	test('what snip freed is passed on: no step after it has anything to do', async () => {
		const talk = new Talk()
			.prompt('go')
			.turn({ calls: [{ name: 'Read', input: { n: 0 }, result: tokensOfText(60_000) }] });
		for (let turn = 0; turn < 12; turn++)
			talk.turn({ calls: [{ name: 'Read', input: { n: 0 }, result: tokensOfText(6_000) }] });
		const { changes } = await prepared(contextInput(talk.messages), contextDeps());
		assert.deepEqual(kindsOf(changes), ['snipped']);
		const kept = await withoutFeature('HISTORY_SNIP', () => prepared(contextInput(talk.messages), contextDeps()));
		assert.deepEqual(kindsOf(kept.changes), ['results_cleared']);
		const child = await prepared(contextInput(talk.messages, { mainConversation: false }), contextDeps());
		assert.deepEqual(kindsOf(child.changes), ['results_cleared'], 'main conversation only');
	});

	test('summarises when nothing cheaper helps, and says so before it begins', async () => {
		const talk = new Talk().prompt('go');
		for (let turn = 0; turn < 20; turn++) talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(9_000) }] });
		const { events, reports, changes } = await prepared(contextInput(talk.messages), contextDeps());
		assert.deepEqual(
			events.map(({ type, trigger }) => [type, trigger]),
			[['compaction_start', 'auto']],
		);
		assert.deepEqual(kindsOf(changes), ['compacted']);
		assert.deepEqual(
			reports.map(({ stage }) => stage),
			['autocompact'],
		);
		assert.ok((reports[0]?.after ?? 0) < (reports[0]?.before ?? 0) / 4);
	});

	test('a change of what was sent leaves out all thinking; a result that was never sent changes nothing', async () => {
		const talk = new Talk().prompt('go').turn({ thinking: 'a', calls: [{ name: 'Bash', result: 'x'.repeat(40_000) }] });
		const stored = await prepared(contextInput(talk.messages), contextDeps());
		assert.deepEqual(kindsOf(stored.changes), ['results_stored']);
		for (let turn = 0; turn < 20; turn++) {
			talk.turn({ thinking: 'b', calls: [{ name: 'Read', input: { n: turn }, result: tokensOfText(9_000) }] });
		}
		const cleared = await prepared(contextInput(talk.messages, { changes: stored.changes }), contextDeps());
		assert.deepEqual(kindsOf(cleared.changes), ['thinking_dropped', 'results_cleared']);
		assert.ok(cleared.messages.every(({ content }) => content.every(({ type }) => type !== 'thinking')));
	});

	test('over the hard limit with compaction off: refused before calling', async () => {
		const talk = new Talk().prompt('go').turn({ calls: [{ name: 'Bash', result: 'x' }], tokens: 197_500 });
		const off = { enabled: false };
		const result = await prepared(contextInput(talk.messages, { settings: off }), contextDeps());
		assert.equal(result.blocked, 'blocking_limit');
		const talkWithRoom = new Talk().prompt('go').turn({ calls: [{ name: 'Bash', result: 'x' }], tokens: 190_000 });
		const room = await prepared(contextInput(talkWithRoom.messages, { settings: off }), contextDeps());
		assert.deepEqual([room.blocked, room.changes], [undefined, []]);
		const guess = new Talk().prompt(tokensOfText(200_000));
		const unsure = await prepared(contextInput(guess.messages, { settings: off }), contextDeps());
		assert.equal(unsure.blocked, undefined, 'an estimate alone must be far over');
	});

	test('a context that refills right after each compaction ends it, after three', async () => {
		const talk = new Talk().prompt('go');
		const fill = () => {
			for (let turn = 0; turn < 2; turn++)
				talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(45_000) }], tokens: 100_000 });
			talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(20_000) }], tokens: 175_000 });
		};
		let changes: readonly ProjectionChange[] = [];
		let input = contextInput([]);
		const blocks: (string | undefined)[] = [];
		const deps = contextDeps();
		for (let round = 0; round <= limits.refills; round++) {
			fill();
			if (round > 0) talk.messages = [...talk.messages.slice(0, -6), ...talk.messages.slice(-4)];
			input = { ...input, messages: talk.messages, changes };
			const result = await prepared(input, deps);
			blocks.push(result.blocked);
			changes = [...changes, ...result.changes];
			input = { ...input, tracking: result.tracking };
		}
		assert.deepEqual(blocks, [undefined, undefined, undefined, 'rapid_refill_breaker']);
		assert.equal(kindsOf(changes).filter((kind) => kind === 'compacted').length, 3);
	});

	test('growth over many turns is no refill', async () => {
		const talk = new Talk().prompt('go');
		let changes: readonly ProjectionChange[] = [];
		let input = contextInput([]);
		const deps = contextDeps();
		for (let round = 0; round < 5; round++) {
			for (let turn = 0; turn < 5; turn++) talk.turn({ calls: [{ name: 'Agent', result: 'x' }], tokens: 100_000 });
			talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(2_000) }], tokens: 175_000 });
			input = { ...input, messages: talk.messages, changes };
			const result = await prepared(input, deps);
			assert.equal(result.blocked, undefined);
			changes = [...changes, ...result.changes];
			input = { ...input, tracking: result.tracking };
		}
		assert.equal(kindsOf(changes).filter((kind) => kind === 'compacted').length, 5);
	});

	test('a turn costs what is new in it', async () => {
		const talk = new Talk().prompt('go').turn({ calls: [{ name: 'Bash', result: 'x'.repeat(40_000) }] });
		const deps = contextDeps();
		let input = contextInput(talk.messages);
		let changes = (await prepared(input, deps)).changes;
		const millisecondsOf = async (turns: number) => {
			const start = performance.now();
			for (let turn = 0; turn < turns; turn++) {
				talk.turn({ calls: [{ name: 'Read', result: tokensOfText(20) }], tokens: 1_000 });
				input = { ...input, messages: talk.messages, changes };
				const made = (await prepared(input, deps)).changes;
				if (made.length > 0) changes = [...changes, ...made];
			}
			return (performance.now() - start) / turns;
		};
		await millisecondsOf(500);
		const late = await millisecondsOf(500);
		assert.ok(late < 2, `${late} ms for each turn after 500`);
	});
});
