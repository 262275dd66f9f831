import assert from 'node:assert/strict';
import type { ContextInput } from '../../../src/core/context/contextTypes.ts';
import { compactNow, drainCollapses } from '../../../src/core/context/pipeline.ts';
import { limits } from '../../../src/core/limits.ts';
import { project } from '../../../src/core/messages/projection.ts';
import {
	answered,
	assertSendable,
	contextDeps,
	contextInput,
	kindsOf,
	prepared,
	sentText,
	Talk,
	tokensOfText,
	tooLong,
} from '../../support/contextWorld.ts';
import { withoutFeature } from '../../support/features.ts';

/** Two exchanges of work, and as many newer turns as collapse leaves alone. */
function twoExchanges(): Talk {
	const talk = new Talk().prompt('first task');
	for (let turn = 0; turn < 3; turn++) talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(2_000, 'alpha ') }] });
	talk.turn({ text: 'first done' }).prompt('second task');
	for (let turn = 0; turn < 3; turn++) talk.turn({ calls: [{ name: 'Agent', result: tokensOfText(2_000, 'beta ') }] });
	for (let turn = 0; turn < limits.collapseKeptTurns; turn++) talk.turn({ calls: [{ name: 'Agent', result: 'new' }] });
	return talk;
}

function atTokens(talk: Talk, overheadTokens: number, overrides: Partial<ContextInput> = {}): ContextInput {
	return contextInput(talk.messages, { overheadTokens, now: talk.time, ...overrides });
}

suite('context: collapse', () => {
	test('stages one segment at a time in the background, without delaying the request', async () => {
		const talk = twoExchanges();
		let answer = (): void => undefined;
		const deps = contextDeps({
			summarise: () => new Promise((resolve) => (answer = () => resolve(answered('did alpha')))),
		});
		const first = await prepared(atTokens(talk, 100_000), deps);
		assert.deepEqual(first.changes, []);
		await prepared(atTokens(talk, 100_000), deps);
		assert.equal(deps.requests.length, 1, 'one at a time');
		const [request] = deps.requests;
		assert.equal(request?.purpose, 'segment');
		assertSendable(request?.messages ?? []);
		const asked = sentText(request?.messages ?? []);
		assert.match(asked, /first task.*alpha.*first done/s);
		assert.doesNotMatch(asked, /beta/);
		answer();
		await deps.staged.idle();
		await prepared(atTokens(talk, 100_000), deps);
		assert.match(sentText(deps.requests[1]?.messages ?? []), /second task.*beta/s);
	});

	test('puts the summaries in near the limit, and no dearer step is needed', async () => {
		const talk = twoExchanges();
		const deps = contextDeps({ summarise: (_, count) => Promise.resolve(answered(`did part ${count}`)) });
		for (let turn = 0; turn < 2; turn++) {
			await prepared(atTokens(talk, 100_000), deps);
			await deps.staged.idle();
		}
		const { changes, reports, messages, tokens } = await prepared(atTokens(talk, 156_000), deps);
		assert.deepEqual(kindsOf(changes), ['collapsed', 'collapsed']);
		assert.deepEqual(
			reports.map(({ stage, items }) => [stage, items]),
			[['collapse', 2]],
		);
		assert.ok(tokens < 157_000, String(tokens));
		assertSendable(messages);
		const sent = sentText(messages);
		assert.match(sent, /first task.*did part 1.*second task.*did part 2.*new/s);
		assert.doesNotMatch(sent, /alpha|beta/);
		assert.equal(deps.requests.length, 2);
	});

	test('drains at once when the service says it is too long; nothing staged, nothing done', async () => {
		const talk = twoExchanges();
		const deps = contextDeps();
		assert.equal(drainCollapses(atTokens(talk, 0), deps), undefined);
		await prepared(atTokens(talk, 100_000), deps);
		await deps.staged.idle();
		const drained = drainCollapses(atTokens(talk, 0), deps);
		assert.deepEqual(kindsOf(drained?.changes ?? []), ['collapsed']);
		assert.ok(drained && drained.report.after < drained.report.before - 5_000);
		assertSendable(project(talk.messages, drained?.changes ?? []));
		assert.equal(drainCollapses(atTokens(talk, 0), deps), undefined, 'not twice');
	});

	test('thinking goes when a segment is put in', async () => {
		const talk = twoExchanges().turn({ thinking: 'hm', calls: [{ name: 'Agent' }] });
		const deps = contextDeps();
		await prepared(atTokens(talk, 100_000), deps);
		await deps.staged.idle();
		assert.deepEqual(kindsOf(drainCollapses(atTokens(talk, 0), deps)?.changes ?? []), [
			'thinking_dropped',
			'collapsed',
		]);
	});

	test('what was staged for messages that a compaction took away is not put in', async () => {
		const talk = twoExchanges();
		const deps = contextDeps();
		await prepared(atTokens(talk, 100_000), deps);
		await deps.staged.idle();
		assert.equal(deps.staged.staged.length, 1);
		await compactNow(atTokens(talk, 0), deps, new AbortController().signal);
		assert.equal(drainCollapses(atTokens(talk, 0), deps), undefined);
	});

	test('gives up after three failures in a row', async () => {
		const talk = twoExchanges();
		const deps = contextDeps({ summarise: () => Promise.resolve(tooLong()) });
		for (let turn = 0; turn < 6; turn++) {
			await prepared(atTokens(talk, 100_000), deps);
			await deps.staged.idle();
		}
		assert.equal(deps.requests.length, limits.summaryAttempts);
	});

	test('not while there is room, not in subagents, not when compaction is off, not without the feature', async () => {
		const talk = twoExchanges();
		const deps = contextDeps();
		await prepared(atTokens(talk, 50_000), deps);
		await prepared(atTokens(talk, 100_000, { mainConversation: false }), deps);
		await prepared(atTokens(talk, 100_000, { settings: { enabled: false } }), deps);
		await withoutFeature('CONTEXT_COLLAPSE', () => prepared(atTokens(talk, 100_000), deps));
		assert.equal(deps.requests.length, 0);
	});

	test('stopping forgets what is under way', async () => {
		const talk = twoExchanges();
		let stopped = false;
		const deps = contextDeps({
			summarise: (_, _count, signal) =>
				new Promise((resolve) =>
					signal.addEventListener('abort', () => {
						stopped = true;
						resolve(answered('late'));
					}),
				),
		});
		await prepared(atTokens(talk, 100_000), deps);
		const idle = deps.staged.idle();
		deps.staged.clear();
		await idle;
		assert.ok(stopped);
		assert.deepEqual(deps.staged.staged, []);
	});
});
