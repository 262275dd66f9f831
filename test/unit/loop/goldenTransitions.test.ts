// Every reason to go on (loop.md 4 and 6), to the letter: the whole list of events, the exact requests, the reason of each
// transition; through the real loop and client. The service waits behind each call, so that there is one order.
import assert from 'node:assert/strict';
import { contextDeps, Talk, tokensOfText } from '../../support/contextWorld.ts';
import type { ExchangeRecord } from '../../support/exchange.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { sentLines, wholeStory } from '../../support/golden.ts';
import { Calls } from '../../support/goldenRun.ts';
import { answer, cut, drop, fail, stop, text, thinking, turn, verbatim } from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const change = fakeTool({ name: 'Change', run: ({ id }) => Promise.resolve(said(`changed ${id}`)) });
const overload = fail(529, 'overloaded_error');
const tooLong = fail(400, 'invalid_request_error', 'prompt is too long: 211000 tokens > 200000 maximum');
const badSignature = fail(
	400,
	'invalid_request_error',
	'messages.1.content.0: Invalid `signature` in `thinking` block.',
);

/** The events, a line for each stretch up to a transition; then the requests. */
function compare(record: ExchangeRecord, events: readonly string[], requests: readonly string[]): void {
	assert.deepEqual(wholeStory(record).split(/ (?=⟳)/), events);
	assert.deepEqual(sentLines(record), requests);
	assert.deepEqual(record.violations, []);
}

/** A conversation with eight turns of work, of which the first three have been summarised in the background. */
async function stagedWork() {
	const talk = new Talk().prompt('first task');
	for (let number = 0; number < 8; number++) {
		talk.turn({ text: `step ${number}`, calls: [{ name: 'Agent', input: { n: number }, result: tokensOfText(500) }] });
	}
	const { messages } = talk.prompt('and now?');
	const context = contextDeps();
	context.staged.start({ from: messages[1]?.id ?? '', to: messages[6]?.id ?? '' }, () => Promise.resolve('In short.'));
	await context.staged.idle();
	return { messages, params: { context } };
}

suite('golden transitions', () => {
	let calls: Calls;
	setup(() => {
		calls = new Calls();
	});

	test('next_turn', async () => {
		const record = await calls.run({
			tools: [look, change],
			model: [
				turn(thinking('hm'), text('I look.'), ...calls.of('Look', 't1'), ...calls.of('Change', 't2')),
				answer('Done.'),
			],
		});
		compare(
			record,
			[
				'1:sonnet-5 <thinking ~ > <text ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) <tool_use > tool_queued(t2) tool_start(t2) tool_end(t2 done) answer_end',
				'⟳next_turn 2:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:thinking«hm» A:text«I look.» A:use t1 A:use t2 U:result t1«saw t1» U:result t2«changed t2»',
			],
		);
	});

	test('next_turn, without tools beside the stream', async () => {
		const record = await calls.run({
			tools: [look, change],
			streamingTools: false,
			model: [turn(...calls.of('Look', 't1').slice(0, 1), ...calls.of('Change', 't2').slice(0, 1)), answer('Done.')],
		});
		compare(
			record,
			[
				'1:sonnet-5 <tool_use > <tool_use > answer_end tool_queued(t1) tool_queued(t2) tool_start(t1) tool_end(t1 done) tool_start(t2) tool_end(t2 done)',
				'⟳next_turn 2:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:use t1 A:use t2 U:result t1«saw t1» U:result t2«changed t2»',
			],
		);
	});

	test('collapse_drain_retry', async () => {
		compare(
			await calls.run({ ...(await stagedWork()), model: [tooLong, answer('ok')] }),
			[
				'1:sonnet-5 answer_end changed(collapsed) prepared(collapse)',
				'⟳collapse_drain_retry 1:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«first task» A:text«step 0» A:use t2_0 U:result t2_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 1» A:use t3_0 U:result t3_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 2» A:use t4_0 U:result t4_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 3» A:use t5_0 U:result t5_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 4» A:use t6_0 U:result t6_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 6» A:use t8_0 U:result t8_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 7» A:use t9_0 U:result t9_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»',
				'sonnet-5 32000 U:text«first task» U:text«In short.» A:text«step 3» A:use t5_0 U:result t5_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 4» A:use t6_0 U:result t6_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 6» A:use t8_0 U:result t8_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 7» A:use t9_0 U:result t9_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»',
			],
		);
	});

	test('reactive_compact_retry', async () => {
		const work = await stagedWork();
		compare(
			await calls.run({ ...work, model: [tooLong, tooLong, answer('ok')] }),
			[
				'1:sonnet-5 answer_end changed(collapsed) prepared(collapse)',
				'⟳collapse_drain_retry 1:sonnet-5 answer_end compaction_start changed(compacted) prepared(reactive_compact)',
				'⟳reactive_compact_retry 1:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«first task» A:text«step 0» A:use t2_0 U:result t2_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 1» A:use t3_0 U:result t3_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 2» A:use t4_0 U:result t4_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 3» A:use t5_0 U:result t5_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 4» A:use t6_0 U:result t6_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 6» A:use t8_0 U:result t8_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 7» A:use t9_0 U:result t9_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»',
				'sonnet-5 32000 U:text«first task» U:text«In short.» A:text«step 3» A:use t5_0 U:result t5_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 4» A:use t6_0 U:result t6_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 6» A:use t8_0 U:result t8_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 7» A:use t9_0 U:result t9_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»',
				"sonnet-5 32000 U:text«[From Loopwright] The conversation up to her…» U:text«The user's own messages so far, word for wor…» U:text«Permission mode: ask. Edits and commands are…» A:text«step 7» A:use t9_0 U:result t9_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»",
			],
		);
	});

	test('max_output_tokens_escalate', async () => {
		compare(
			await calls.run({ model: [cut(text('half'), 'max_tokens'), answer('whole')] }),
			[
				'1:sonnet-5 <text ~ > answer_end answer_retracted',
				'⟳max_output_tokens_escalate 1:sonnet-5 <text ~ > answer_end ■completed',
			],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 64000 ='],
		);
	});

	test('max_output_tokens_recovery', async () => {
		const half = cut(text('half'), 'max_tokens');
		compare(
			await calls.run({ model: [half, half, answer('whole')] }),
			[
				'1:sonnet-5 <text ~ > answer_end answer_retracted',
				'⟳max_output_tokens_escalate 1:sonnet-5 <text ~ > answer_end',
				'⟳max_output_tokens_recovery(1) 1:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 64000 =',
				'sonnet-5 64000 + A:text«half» U:text«Your answer was cut by the output limit. Go …»',
			],
		);
	});

	test('stop_hook_blocking', async () => {
		const record = await calls.run({
			model: [answer('Done.'), answer('Really done.')],
			params: {
				stopHooks: ({ active }) =>
					Promise.resolve(active ? { kind: 'pass' } : { kind: 'block', reason: 'run the tests' }),
			},
		});
		compare(
			record,
			['1:sonnet-5 <text ~ > answer_end', '⟳stop_hook_blocking 1:sonnet-5 <text ~ > answer_end ■completed'],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 32000 + A:text«Done.» U:text«Before you stop: run the tests»'],
		);
	});

	test('token_budget_continuation', async () => {
		compare(
			await calls.run({ params: { tokenTarget: 1_000_000 }, model: () => answer('a little') }),
			[
				'1:sonnet-5 <text ~ > answer_end',
				'⟳token_budget_continuation 1:sonnet-5 <text ~ > answer_end',
				'⟳token_budget_continuation 1:sonnet-5 <text ~ > answer_end',
				'⟳token_budget_continuation 1:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:text«a little» U:text«You have used 0 % of the effort the user ask…»',
				'sonnet-5 32000 + A:text«a little» U:text«You have used 0 % of the effort the user ask…»',
				'sonnet-5 32000 + A:text«a little» U:text«You have used 0 % of the effort the user ask…»',
			],
		);
	});

	test('drop_continuation', async () => {
		const record = await calls.run({ model: [turn(text('first'), drop({ how: 'reset' })), answer('second')] });
		compare(
			record,
			['1:sonnet-5 <text ~ > answer_end', '⟳drop_continuation(1) 1:sonnet-5 <text ~ > answer_end ■completed'],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:text«first» U:text«The connection broke in the middle of your a…»',
			],
		);
	});

	test('a drop behind a finished call: its result, then next_turn', async () => {
		const record = await calls.run({
			tools: [change],
			maxRetries: 3,
			model: [turn(text('I do.'), ...calls.of('Change', 't1'), drop({ how: 'reset' })), answer('Done.')],
		});
		compare(
			record,
			[
				'1:sonnet-5 <text ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn 2:sonnet-5 <text ~ > answer_end ■completed',
			],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 32000 + A:text«I do.» A:use t1 U:result t1«changed t1»'],
		);
	});

	test('model_fallback', async () => {
		const record = await calls.run({
			tools: [look],
			maxRetries: 5,
			models: ['claude-sonnet-5', 'claude-haiku-5-5'],
			model: [turn(thinking('hm'), ...calls.of('Look', 't1')), overload, overload, overload, answer('from the other')],
		});
		compare(
			record,
			[
				'1:sonnet-5 <thinking ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn 2:sonnet-5 retry_wait retry_start retry_wait retry_start answer_end answer_retracted changed(thinking_dropped) model_fallback',
				'⟳model_fallback(claude-haiku-5-5) 2:haiku-5-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:thinking«hm» A:use t1 U:result t1«saw t1»',
				'sonnet-5 32000 =',
				'sonnet-5 32000 =',
				'haiku-5-5 32000 U:text«do it» A:use t1 U:result t1«saw t1»',
			],
		);
	});

	test('model_fallback after a refusal', async () => {
		const record = await calls.run({
			models: ['claude-sonnet-5', 'claude-haiku-5-5'],
			model: [cut(text('I will not'), 'refusal'), answer('Sure.')],
		});
		compare(
			record,
			[
				'1:sonnet-5 <text ~ > answer_end answer_retracted changed(thinking_dropped) model_fallback',
				'⟳model_fallback(claude-haiku-5-5) 1:haiku-5-5 <text ~ > answer_end ■completed',
			],
			['sonnet-5 32000 U:text«do it»', 'haiku-5-5 32000 ='],
		);
	});

	test('thinking_stripped_retry', async () => {
		const record = await calls.run({
			tools: [look],
			model: [turn(thinking('hm'), ...calls.of('Look', 't1')), badSignature, answer('ok')],
		});
		compare(
			record,
			[
				'1:sonnet-5 <thinking ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn 2:sonnet-5 answer_end changed(thinking_dropped)',
				'⟳thinking_stripped_retry 2:sonnet-5 <text ~ > answer_end ■completed',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:thinking«hm» A:use t1 U:result t1«saw t1»',
				'sonnet-5 32000 U:text«do it» A:use t1 U:result t1«saw t1»',
			],
		);
	});

	test('pause_turn_resume', async () => {
		const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
		const record = await calls.run({
			model: [turn(text('I search.'), verbatim(search), stop('pause_turn')), answer('Found.')],
		});
		compare(
			record,
			['1:sonnet-5 <text ~ > <opaque > answer_end', '⟳pause_turn_resume(1) 1:sonnet-5 <text ~ > answer_end ■completed'],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 32000 + A:text«I search.» A:server_use srvtoolu_1'],
		);
	});

	test('empty_answer_retry', async () => {
		compare(
			await calls.run({ model: [turn(), answer('here')] }),
			['1:sonnet-5 answer_end', '⟳empty_answer_retry 1:sonnet-5 <text ~ > answer_end ■completed'],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 32000 + U:text«Your answer was empty. Answer now, or say wh…»'],
		);
	});
});
