// Every way in which an exchange ends (loop.md 4), to the letter: the whole list of events, the exact requests, the reason.
// Through the real loop and client; the service waits behind each call, so that there is one order.
import assert from 'node:assert/strict';
import { contextDeps, Talk, tokensOfText } from '../../support/contextWorld.ts';
import type { ExchangeRecord } from '../../support/exchange.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { sentLines, wholeStory } from '../../support/golden.ts';
import { Calls } from '../../support/goldenRun.ts';
import { answer, cut, drop, fail, gate, text, toolUse, turn } from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const change = fakeTool({ name: 'Change', run: ({ id }) => Promise.resolve(said(`changed ${id}`)) });
const tooLong = fail(400, 'invalid_request_error', 'prompt is too long: 211000 tokens > 200000 maximum');
const tooLarge = fail(
	400,
	'invalid_request_error',
	'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum',
);

/** The events, a line for each stretch up to a transition; then the requests. */
function compare(record: ExchangeRecord, events: readonly string[], requests: readonly string[]): void {
	assert.deepEqual(wholeStory(record).split(/ (?=⟳)/), events);
	assert.deepEqual(sentLines(record), requests);
	assert.deepEqual(record.violations, []);
}

const settings =
	(window: number, enabled = true) =>
	() =>
		({
			models: ['claude-sonnet-5'],
			thinking: 'auto',
			maxConcurrency: 10,
			bashErrorCancelsSiblings: true,
			streamingTools: true,
			compaction: { enabled, window },
		}) as const;
const hooks = (kind: 'stop' | 'block') => ({
	beforeTool: () => Promise.resolve({ kind, reason: `the hook says ${kind}` }),
	afterTool: () => Promise.resolve({ kind: 'pass' } as const),
});

suite('golden ends', () => {
	let calls: Calls;
	setup(() => {
		calls = new Calls();
	});

	test('completed', async () => {
		compare(
			await calls.run({ model: [answer('hello')] }),
			['1:sonnet-5 <text ~ > answer_end ■completed'],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('max_turns', async () => {
		const model = [turn(...calls.of('Look', 't1')), turn(...calls.of('Look', 't2'))];
		compare(
			await calls.run({ tools: [look], params: { maxTurns: 2 }, model }),
			[
				'1:sonnet-5 <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn 2:sonnet-5 <tool_use > tool_queued(t2) tool_start(t2) tool_end(t2 done) answer_end max_turns_reached ■max_turns',
			],
			['sonnet-5 32000 U:text«do it»', 'sonnet-5 32000 + A:use t1 U:result t1«saw t1»'],
		);
	});

	test('budget_exhausted', async () => {
		let spent = 0.9;
		const record = await calls.run({
			tools: [look],
			params: { maxCostUsd: 1, spentUsd: () => (spent += 0.1) - 0.1 },
			model: [turn(...calls.of('Look', 't1'))],
		});
		compare(
			record,
			[
				'1:sonnet-5 <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn ■budget_exhausted',
			],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('aborted_streaming', async () => {
		const rest = gate();
		const record = await calls.run({
			tools: [change],
			model: [turn(text('half', rest, ' an answer'), toolUse('Change', { id: 'a' }))],
			onEvent: (event, { stop }) => {
				if (event.type === 'block_delta') stop();
			},
		});
		compare(
			record,
			['1:sonnet-5 <text ~ > answer_end interrupted ■aborted_streaming'],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	const stopTools = (reason: 'stop' | 'interrupt') => {
		const hang = fakeTool({
			name: 'Hang',
			run: (_, { signal }) =>
				new Promise((resolve) => signal.addEventListener('abort', () => resolve({ ...said('partly'), isError: true }))),
		});
		const uses = [
			toolUse('Look', { id: 'a' }, 't1'),
			toolUse('Hang', { id: 'b' }, 't2'),
			toolUse('Hang', { id: 'c' }, 't3'),
		];
		return calls.run({
			tools: [look, hang],
			streamingTools: false,
			model: [turn(...uses)],
			onEvent: (event, { stop }) => {
				if (event.type === 'tool_start' && event.toolUseId === 't2') stop(reason);
			},
		});
	};

	test('aborted_tools', async () => {
		compare(
			await stopTools('stop'),
			[
				'1:sonnet-5 <tool_use > <tool_use > <tool_use > answer_end tool_queued(t1) tool_queued(t2) tool_queued(t3) tool_start(t1) tool_end(t1 done) tool_start(t2) tool_end(t2 stopped) tool_end(t3 stopped) interrupted ■aborted_tools',
			],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('aborted_tools, because a new message takes its place', async () => {
		compare(
			await stopTools('interrupt'),
			[
				'1:sonnet-5 <tool_use > <tool_use > <tool_use > answer_end tool_queued(t1) tool_queued(t2) tool_queued(t3) tool_start(t1) tool_end(t1 done) tool_start(t2) tool_end(t2 stopped) tool_end(t3 stopped) ■aborted_tools',
			],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('prompt_too_long', async () => {
		const talk = new Talk().prompt('first task');
		for (let number = 0; number < 6; number++) {
			talk.turn({
				text: `step ${number}`,
				calls: [{ name: 'Agent', input: { n: number }, result: tokensOfText(500) }],
			});
		}
		const { messages } = talk.prompt('and now?');
		compare(
			await calls.run({ messages, params: { context: contextDeps() }, model: () => tooLong }),
			[
				'1:sonnet-5 answer_end compaction_start changed(compacted) prepared(reactive_compact)',
				'⟳reactive_compact_retry 1:sonnet-5 answer_end model_error(prompt_too_long) ■prompt_too_long',
			],
			[
				'sonnet-5 32000 U:text«first task» A:text«step 0» A:use t2_0 U:result t2_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 1» A:use t3_0 U:result t3_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 2» A:use t4_0 U:result t4_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 3» A:use t5_0 U:result t5_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 4» A:use t6_0 U:result t6_0«lorem lorem lorem lorem lorem lorem lorem lo…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»',
				"sonnet-5 32000 U:text«[From Loopwright] The conversation up to her…» U:text«The user's own messages so far, word for wor…» U:text«Permission mode: ask. Edits and commands are…» A:text«step 5» A:use t7_0 U:result t7_0«lorem lorem lorem lorem lorem lorem lorem lo…» U:text«and now?»",
			],
		);
	});

	test('image_error', async () => {
		const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } as const;
		const talk = new Talk()
			.prompt('look at this')
			.turn({ calls: [{ name: 'Read', result: [{ type: 'image', source }] }] });
		compare(
			await calls.run({ messages: talk.prompt('and?').messages, model: () => tooLarge }),
			[
				'1:sonnet-5 answer_end changed(media_dropped) prepared(reactive_compact)',
				'⟳reactive_compact_retry 1:sonnet-5 answer_end model_error(media_too_large) ■image_error',
			],
			[
				'sonnet-5 32000 U:text«look at this» A:use t2_0 U:result t2_0«(image)» U:text«and?»',
				'sonnet-5 32000 U:text«look at this» A:use t2_0 U:result t2_0«[An image or a document was here; it is not …» U:text«and?»',
			],
		);
	});

	test('refusal', async () => {
		compare(
			await calls.run({ model: [cut(text('I will not'), 'refusal')] }),
			['1:sonnet-5 <text ~ > answer_end answer_retracted model_error(refused) ■refusal'],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('refusal, behind a call that has run', async () => {
		const model = [cut(text('I do.'), ...calls.of('Change', 't1'), 'refusal')];
		compare(
			await calls.run({ tools: [change], model }),
			[
				'1:sonnet-5 <text ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end model_error(refused) ■refusal',
			],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('blocking_limit', async () => {
		const { messages } = new Talk()
			.prompt('go')
			.turn({ calls: [{ name: 'Bash' }], tokens: 197_500 })
			.prompt('more');
		compare(
			await calls.run({ messages, params: { settings: settings(200_000, false) }, model: [] }),
			['model_error(prompt_too_long) ■blocking_limit'],
			[],
		);
	});

	test('model_error: a failure that nothing recovers', async () => {
		compare(
			await calls.run({ maxRetries: 3, model: [fail(401, 'authentication_error')] }),
			['1:sonnet-5 answer_end model_error(authentication) ■model_error'],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('model_error: cut by the output limit again and again', async () => {
		compare(
			await calls.run({ model: () => cut(text('more'), 'max_tokens') }),
			[
				'1:sonnet-5 <text ~ > answer_end answer_retracted',
				'⟳max_output_tokens_escalate 1:sonnet-5 <text ~ > answer_end',
				'⟳max_output_tokens_recovery(1) 1:sonnet-5 <text ~ > answer_end',
				'⟳max_output_tokens_recovery(2) 1:sonnet-5 <text ~ > answer_end',
				'⟳max_output_tokens_recovery(3) 1:sonnet-5 <text ~ > answer_end model_error(output_limit) ■model_error',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 64000 =',
				'sonnet-5 64000 + A:text«more» U:text«Your answer was cut by the output limit. Go …»',
				'sonnet-5 64000 + A:text«more» U:text«Your answer was cut by the output limit. Go …»',
				'sonnet-5 64000 + A:text«more» U:text«Your answer was cut by the output limit. Go …»',
			],
		);
	});

	test('model_error: dropped again and again, also behind calls', async () => {
		const again = (number: number) => turn(text('Again.'), ...calls.of('Change', `t${number}`), drop({ how: 'reset' }));
		const model = [1, 2, 3, 4, 5, 6].map(again);
		compare(
			await calls.run({ tools: [change], model }),
			[
				'1:sonnet-5 <text ~ > <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn 2:sonnet-5 <text ~ > <tool_use > tool_queued(t2) tool_start(t2) tool_end(t2 done) answer_end',
				'⟳next_turn 3:sonnet-5 <text ~ > <tool_use > tool_queued(t3) tool_start(t3) tool_end(t3 done) answer_end',
				'⟳next_turn 4:sonnet-5 <text ~ > <tool_use > tool_queued(t4) tool_start(t4) tool_end(t4 done) answer_end',
				'⟳next_turn 5:sonnet-5 <text ~ > <tool_use > tool_queued(t5) tool_start(t5) tool_end(t5 done) answer_end',
				'⟳next_turn 6:sonnet-5 <text ~ > <tool_use > tool_queued(t6) tool_start(t6) tool_end(t6 done) answer_end model_error(dropped) ■model_error',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:text«Again.» A:use t1 U:result t1«changed t1»',
				'sonnet-5 32000 + A:text«Again.» A:use t2 U:result t2«changed t2»',
				'sonnet-5 32000 + A:text«Again.» A:use t3 U:result t3«changed t3»',
				'sonnet-5 32000 + A:text«Again.» A:use t4 U:result t4«changed t4»',
				'sonnet-5 32000 + A:text«Again.» A:use t5 U:result t5«changed t5»',
			],
		);
	});

	test('stop_hook_prevented', async () => {
		const stopHooks = () => Promise.resolve({ kind: 'prevent', reason: 'enough' } as const);
		compare(
			await calls.run({ model: [answer('Done.')], params: { stopHooks } }),
			['1:sonnet-5 <text ~ > answer_end ■stop_hook_prevented'],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('hook_stopped', async () => {
		const model = [turn(...calls.of('Change', 't1'), ...calls.of('Look', 't2'))];
		compare(
			await calls.run({ tools: [change, look], toolDeps: { hooks: hooks('stop') }, model }),
			[
				'1:sonnet-5 <tool_use > tool_queued(t1) tool_end(t1 denied) <tool_use > tool_queued(t2) tool_end(t2 denied) answer_end ■hook_stopped',
			],
			['sonnet-5 32000 U:text«do it»'],
		);
	});

	test('malformed_tool_use_exhausted', async () => {
		const model = [1, 2, 3].map((number) =>
			turn(...calls.of('Nope', `a${number}`, {}), ...calls.of('Look', `b${number}`, { id: 7 })),
		);
		compare(
			await calls.run({ tools: [look], model }),
			[
				'1:sonnet-5 <tool_use > tool_queued(a1) tool_end(a1 error) <tool_use > tool_queued(b1) tool_end(b1 error) answer_end',
				'⟳next_turn 2:sonnet-5 <tool_use > tool_queued(a2) tool_end(a2 error) <tool_use > tool_queued(b2) tool_end(b2 error) answer_end',
				'⟳next_turn 3:sonnet-5 <tool_use > tool_queued(a3) tool_end(a3 error) <tool_use > tool_queued(b3) tool_end(b3 error) answer_end ■malformed_tool_use_exhausted',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:use a1 A:use b1 U:result a1!«There is no tool named "Nope". Available too…» U:result b1!«The input of Look is not valid, so nothing r…»',
				'sonnet-5 32000 + A:use a2 A:use b2 U:result a2!«There is no tool named "Nope". Available too…» U:result b2!«The input of Look is not valid, so nothing r…»',
			],
		);
	});

	test('rapid_refill_breaker', async () => {
		const big = fakeTool({
			name: 'Read',
			safe: true,
			maxResultChars: Infinity,
			run: () => Promise.resolve(said(tokensOfText(190_000))),
		});
		const record = await calls.run({
			tools: [big],
			params: { context: contextDeps(), settings: settings(200_000) },
			model: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => turn(...calls.of('Read', `t${number}`))),
		});
		compare(
			record,
			[
				'1:sonnet-5 <tool_use > tool_queued(t1) tool_start(t1) tool_end(t1 done) answer_end',
				'⟳next_turn compaction_start changed(results_kept) changed(results_stored) prepared(autocompact) 2:sonnet-5 <tool_use > tool_queued(t2) tool_start(t2) tool_end(t2 done) answer_end',
				'⟳next_turn compaction_start changed(results_kept) changed(results_stored) changed(compacted) prepared(autocompact) 3:sonnet-5 <tool_use > tool_queued(t3) tool_start(t3) tool_end(t3 done) answer_end',
				'⟳next_turn compaction_start changed(results_kept) changed(results_stored) changed(compacted) prepared(autocompact) 4:sonnet-5 <tool_use > tool_queued(t4) tool_start(t4) tool_end(t4 done) answer_end',
				'⟳next_turn compaction_start changed(results_kept) changed(results_stored) changed(compacted) prepared(autocompact) 5:sonnet-5 <tool_use > tool_queued(t5) tool_start(t5) tool_end(t5 done) answer_end',
				'⟳next_turn changed(results_kept) model_error(prompt_too_long) ■rapid_refill_breaker',
			],
			[
				'sonnet-5 32000 U:text«do it»',
				'sonnet-5 32000 + A:use t1 U:result t1«[This output has 665004 characters. All of i…»',
				"sonnet-5 32000 U:text«[From Loopwright] The conversation up to her…» U:text«The user's own messages so far, word for wor…» U:text«Permission mode: ask. Edits and commands are…» A:use t2 U:result t2«[This output has 665004 characters. All of i…»",
				"sonnet-5 32000 U:text«[From Loopwright] The conversation up to her…» U:text«The user's own messages so far, word for wor…» U:text«Permission mode: ask. Edits and commands are…» A:use t3 U:result t3«[This output has 665004 characters. All of i…»",
				"sonnet-5 32000 U:text«[From Loopwright] The conversation up to her…» U:text«The user's own messages so far, word for wor…» U:text«Permission mode: ask. Edits and commands are…» A:use t4 U:result t4«[This output has 665004 characters. All of i…»",
			],
		);
	});
});
