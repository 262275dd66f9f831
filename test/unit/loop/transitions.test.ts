// Every reason to go on and to end (loop.md 4 and 6), each reached through the real loop and the real client against the
// mock service, with the requests that it makes. No consumer sees an error that was recovered.
import assert from 'node:assert/strict';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import type { ExchangeRecord } from '../../support/exchange.ts';
import { exchange, kinds, requestSizes, story } from '../../support/exchange.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { Step } from '../../support/mockServer.ts';
import {
	answer,
	cut,
	drop,
	errorEvent,
	fail,
	lastUserText,
	messagesOf,
	odd,
	stop,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
	verbatim,
} from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const counted = () => {
	const runs: string[] = [];
	const tool = fakeTool({
		name: 'Change',
		run: ({ id }) => {
			runs.push(id);
			return Promise.resolve(said(`changed ${id}`));
		},
	});
	return { tool, runs };
};

function transitions({ events }: Pick<ExchangeRecord, 'events'>): readonly string[] {
	return events.flatMap((event) => (event.type === 'transition' ? [event.transition.reason] : []));
}

/** What the exchange left is valid: a new prompt is accepted. */
async function assertGoesOn({ terminal, violations }: ExchangeRecord): Promise<void> {
	assert.deepEqual(violations, []);
	const prompt = {
		role: 'user',
		id: 'next',
		origin: 'prompt',
		content: [{ type: 'text', text: 'go on' }],
		time: 0,
	} as const;
	const next = await exchange({
		messages: [...terminal.messages, prompt],
		params: { changes: terminal.changes },
		model: [answer('ok')],
	});
	assert.deepEqual(next.violations, []);
	assert.equal(next.terminal.reason, 'completed');
}

function noErrorShown(events: readonly LoopEvent[]): void {
	assert.ok(!events.some(({ type }) => type === 'model_error'), 'a recovered error was shown');
}

suite('transitions', () => {
	test('retry: an overload before anything finished is tried again inside the call, with a countdown', async () => {
		const record = await exchange({
			maxRetries: 2,

			model: [fail(529, 'overloaded_error'), turn(text('half'), drop({ afterEvents: 3 })), answer('ok')],
		});
		assert.equal(record.terminal.reason, 'completed');
		assert.equal(record.terminal.turnCount, 1);
		assert.equal(record.requests.length, 3);
		assert.deepEqual(transitions(record), []);
		const waits = record.events.flatMap((event) =>
			event.type === 'retry_wait' ? [[event.attempt, event.delayMs]] : [],
		);
		assert.deepEqual(waits, [
			[1, 500],
			[2, 1000],
		]);
		assert.equal(kinds(record.events).filter((kind) => kind === 'answer_retracted').length, 1);
		noErrorShown(record.events);
		assert.equal(
			story(record),
			'turn_start retry_wait retry_start answer_retracted retry_wait retry_start text answer_end ■completed',
		);
		assert.deepEqual(requestSizes(record), [1, 1, 1]);
		await assertGoesOn(record);
	});

	test('retry: what the person must mend is not tried again; a long demanded wait is not waited for', async () => {
		const refused = await exchange({ maxRetries: 5, model: [fail(401, 'authentication_error')] });
		assert.equal(refused.requests.length, 1);
		const long = await exchange({
			maxRetries: 5,
			model: [fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '3600' })],
		});
		assert.equal(long.requests.length, 1);
		assert.equal(long.terminal.failure?.kind, 'rate_limited');
	});

	test('max_output_tokens_escalate: a cut answer is taken back and asked for again with a raised cap, once', async () => {
		const record = await exchange({ model: [cut(text('half'), 'max_tokens'), answer('whole')] });
		assert.deepEqual(transitions(record), ['max_output_tokens_escalate']);
		assert.deepEqual(
			record.requests.map(({ body }) => body['max_tokens']),
			[32_000, 64_000],
		);
		assert.deepEqual(messagesOf(record.requests[1] ?? assert.fail()), messagesOf(record.requests[0] ?? assert.fail()));
		assert.ok(kinds(record.events).includes('answer_retracted'));
		assert.ok(record.entries.some(({ type }) => type === 'tombstone'));
		noErrorShown(record.events);
		assert.equal(
			story(record),
			'turn_start text answer_end answer_retracted ⟳max_output_tokens_escalate turn_start text answer_end ■completed',
		);
		await assertGoesOn(record);
	});

	test('max_output_tokens_recovery: goes on from the cut three times, then shows the error', async () => {
		const record = await exchange({ model: () => cut(text('more '), 'max_tokens') });
		assert.deepEqual(transitions(record), [
			'max_output_tokens_escalate',
			...Array.from({ length: 3 }, () => 'max_output_tokens_recovery'),
		]);
		assert.equal(record.terminal.reason, 'model_error');
		assert.equal(record.terminal.failure?.kind, 'output_limit');
		assert.equal(record.requests.length, 5);
		assert.match(lastUserText(record.requests[2] ?? assert.fail()), /cut by the output limit/);
		const again = '⟳max_output_tokens_recovery turn_start text answer_end';
		assert.equal(
			story(record),
			`turn_start text answer_end answer_retracted ⟳max_output_tokens_escalate turn_start text answer_end ${again} ${again} ${again} model_error ■model_error`,
		);
		assert.deepEqual(requestSizes(record), [1, 1, 3, 5, 7]);
		await assertGoesOn(record);
		const recovered = await exchange({
			model: [cut(text('a'), 'max_tokens'), cut(text('b'), 'max_tokens'), answer('c')],
		});
		assert.equal(recovered.terminal.reason, 'completed');
		noErrorShown(recovered.events);
	});

	test('the cap that the caller set is not raised', async () => {
		const { requests, ...record } = await exchange({
			model: [cut(text('a'), 'max_tokens'), answer('b')],
			params: { settings: () => ({ ...settings, maxOutputTokens: 1000 }) },
		});
		assert.deepEqual(transitions(record), ['max_output_tokens_recovery']);
		assert.deepEqual(
			requests.map(({ body }) => body['max_tokens']),
			[1000, 1000],
		);
	});

	test('a call that had an effect is never repeated: its answer is kept, however it ended', async () => {
		const endings: readonly (readonly [(...parts: Parameters<typeof turn>) => Step, string])[] = [
			[(...parts) => turn(...parts, drop({ how: 'reset' })), 'next_turn'],
			[(...parts) => turn(...parts, errorEvent('overloaded_error')), 'next_turn'],
			[(...parts) => cut(...(parts as [ReturnType<typeof text>]), 'max_tokens'), 'next_turn'],
		];
		for (const [ending, expected] of endings) {
			const { tool, runs } = counted();
			const record = await exchange({
				tools: [tool],
				maxRetries: 3,
				models: ['claude-sonnet-5', 'claude-haiku-5-5'],
				model: [ending(text('I change it.'), toolUse('Change', { id: 'a' })), answer('done')],
			});
			assert.equal(record.terminal.reason, 'completed');
			assert.deepEqual(transitions(record), [expected]);
			assert.deepEqual(runs, ['a']);
			noErrorShown(record.events);
			await assertGoesOn(record);
		}
	});

	test('drop_continuation: a connection lost after finished text goes on from there, five times at most', async () => {
		const record = await exchange({ model: [turn(text('first'), drop({ how: 'reset' })), answer('second')] });
		assert.deepEqual(transitions(record), ['drop_continuation']);
		assert.match(lastUserText(record.requests[1] ?? assert.fail()), /connection broke/);
		noErrorShown(record.events);
		assert.equal(story(record), 'turn_start text answer_end ⟳drop_continuation turn_start text answer_end ■completed');
		assert.deepEqual(requestSizes(record), [1, 3]);
		await assertGoesOn(record);
		const forever = await exchange({ model: () => turn(text('again'), drop({ how: 'reset' })) });
		assert.equal(forever.terminal.reason, 'model_error');
		assert.equal(forever.requests.length, 6);
		await assertGoesOn(forever);
	});

	test('model_fallback: after three overloads the next model is asked, without thinking, and the tries in between are not seen', async () => {
		const overload = fail(529, 'overloaded_error');
		const record = await exchange({
			tools: [look],
			maxRetries: 5,
			models: ['claude-sonnet-5', 'claude-haiku-5-5'],
			model: [
				turn(thinking('where'), toolUse('Look', { id: 'a' })),
				overload,
				overload,
				overload,
				answer('from the other'),
			],
		});
		assert.deepEqual(transitions(record), ['next_turn', 'model_fallback']);
		assert.deepEqual(
			record.requests.map(({ body }) => body['model']),
			['claude-sonnet-5', 'claude-sonnet-5', 'claude-sonnet-5', 'claude-sonnet-5', 'claude-haiku-5-5'],
		);
		const last = JSON.stringify(messagesOf(record.requests[4] ?? assert.fail()));
		assert.ok(!last.includes('"thinking"'), 'signed thinking belongs to one model');
		assert.ok(record.events.some((event) => event.type === 'model_fallback' && event.to === 'claude-haiku-5-5'));
		noErrorShown(record.events);
		assert.match(
			story(record),
			/turn_start retry_wait retry_start retry_wait retry_start answer_end answer_retracted thinking_dropped model_fallback ⟳model_fallback turn_start text answer_end ■completed$/,
		);
		assert.deepEqual(requestSizes(record), [1, 3, 3, 3, 3]);
		await assertGoesOn(record);
	});

	test('refusal: the fallback model is asked; without one the exchange ends with it', async () => {
		const refusal = cut(text('I will not'), 'refusal');
		const other = await exchange({ models: ['claude-sonnet-5', 'claude-haiku-5-5'], model: [refusal, answer('sure')] });
		assert.deepEqual(transitions(other), ['model_fallback']);
		assert.equal(other.terminal.reason, 'completed');
		const alone = await exchange({ model: [refusal] });
		assert.equal(alone.terminal.reason, 'refusal');
		assert.equal(story(alone), 'turn_start text answer_end answer_retracted model_error ■refusal');
		await assertGoesOn(alone);
	});

	test('thinking_stripped_retry: a refused signature leaves out all thinking, once', async () => {
		const refusedSignature = fail(
			400,
			'invalid_request_error',
			'messages.1.content.0: Invalid `signature` in `thinking` block.',
		);
		const record = await exchange({
			tools: [look],
			model: [turn(thinking('where'), toolUse('Look', { id: 'a' })), refusedSignature, answer('ok')],
		});
		assert.deepEqual(transitions(record), ['next_turn', 'thinking_stripped_retry']);
		assert.ok(!JSON.stringify(messagesOf(record.requests[2] ?? assert.fail())).includes('"thinking"'));
		noErrorShown(record.events);
		const twice = await exchange({ model: [refusedSignature, refusedSignature] });
		assert.equal(twice.terminal.reason, 'model_error');
		assert.equal(twice.terminal.failure?.kind, 'invalid_signature');
	});

	test('pause_turn_resume: the paused answer is sent back as it is, at most ten times', async () => {
		const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
		const paused = turn(text('searching'), verbatim(search), stop('pause_turn'));
		const forever = await exchange({ model: () => paused });
		assert.equal(forever.requests.length, 11);
		assert.ok(transitions(forever).every((reason) => reason === 'pause_turn_resume'));
		assert.equal(messagesOf(forever.requests[1] ?? assert.fail()).at(-1)?.role, 'assistant');
	});

	test('empty_answer_retry: an empty answer is asked for again once', async () => {
		const record = await exchange({ model: [turn(), answer('here')] });
		assert.deepEqual(transitions(record), ['empty_answer_retry']);
		assert.equal(record.terminal.reason, 'completed');
		assert.equal(story(record), 'turn_start answer_end ⟳empty_answer_retry turn_start text answer_end ■completed');
		assert.deepEqual(requestSizes(record), [1, 1]);
		await assertGoesOn(record);
		const twice = await exchange({ model: [turn(), turn(text(' \n'))] });
		assert.equal(twice.terminal.reason, 'completed');
		assert.equal(twice.requests.length, 2);
		await assertGoesOn(twice);
	});

	test('malformed_tool_use_exhausted: three turns of nothing but unusable calls', async () => {
		const record = await exchange({
			tools: [look],
			model: () => turn(toolUse('Nope', {}), toolUse('Look', { id: 7 })),
		});
		assert.equal(record.terminal.reason, 'malformed_tool_use_exhausted');
		assert.equal(record.requests.length, 3);
		assert.equal((story(record).match(/tool:error/g) ?? []).length, 6);
		assert.match(story(record), /answer_end ■malformed_tool_use_exhausted$/);
		assert.deepEqual(requestSizes(record), [1, 3, 5]);
		await assertGoesOn(record);
	});

	test('stop_hook_blocking: the reason goes to the model, at most eight times; stop_hook_prevented ends', async () => {
		const seen: boolean[] = [];
		const blocked = await exchange({
			model: () => answer('done'),
			params: {
				stopHooks: ({ active }) => {
					seen.push(active);
					return Promise.resolve({ kind: 'block', reason: 'run the tests' });
				},
			},
		});
		assert.equal(blocked.terminal.reason, 'completed');
		assert.deepEqual(
			transitions(blocked),
			Array.from({ length: 8 }, () => 'stop_hook_blocking'),
		);
		assert.match(lastUserText(blocked.requests[1] ?? assert.fail()), /run the tests/);
		assert.deepEqual(seen.slice(0, 2), [false, true]);
		const more = Array.from({ length: 8 }, () => '⟳stop_hook_blocking turn_start text answer_end').join(' ');
		assert.equal(story(blocked), `turn_start text answer_end ${more} ■completed`);
		await assertGoesOn(blocked);
		const prevented = await exchange({
			model: [answer('done')],
			params: { stopHooks: () => Promise.resolve({ kind: 'prevent', reason: 'enough' }) },
		});
		assert.equal(prevented.terminal.reason, 'stop_hook_prevented');
	});

	test('hook_stopped: a tool hook ends the exchange after its call; a blocking one only denies it', async () => {
		const { tool, runs } = counted();
		const hooks = (verdict: 'stop' | 'block') => ({
			beforeTool: () => Promise.resolve({ kind: verdict, reason: `hook says ${verdict}` }),
			afterTool: () => Promise.resolve({ kind: 'pass' } as const),
		});
		const model = () => [turn(toolUse('Change', { id: 'a' })), answer('fine')];
		const stopped = await exchange({ tools: [tool], toolDeps: { hooks: hooks('stop') }, model: model() });
		assert.equal(stopped.terminal.reason, 'hook_stopped');
		await assertGoesOn(stopped);
		const denied = await exchange({ tools: [tool], toolDeps: { hooks: hooks('block') }, model: model() });
		assert.equal(denied.terminal.reason, 'completed');
		assert.match(toolResults(denied.requests[1] ?? assert.fail())[0]?.text ?? '', /hook says block/);
		assert.deepEqual(runs, []);
	});

	test('token_budget_continuation: goes on until most of the target is used, and not for nothing', async () => {
		const record = await exchange({ params: { tokenTarget: 1_000_000 }, model: () => answer('a little') });
		assert.equal(record.terminal.reason, 'completed');
		assert.ok(transitions(record).every((reason) => reason === 'token_budget_continuation'));
		assert.ok(record.requests.length >= 4 && record.requests.length <= 6, String(record.requests.length));
	});

	test('budget_exhausted: nothing is sent beyond the cost that the caller allows', async () => {
		const record = await exchange({ params: { maxCostUsd: 1, spentUsd: () => 1.2 }, model: [] });
		assert.equal(record.terminal.reason, 'budget_exhausted');
		assert.equal(record.requests.length, 0);
	});

	test('streams that other servers send are read to their end', async () => {
		for (const part of [odd.noPing, odd.dataLinesOnly, odd.usageNull, odd.openEnd]) {
			const record = await exchange({ model: [turn(part, text('fine'))] });
			assert.equal(record.terminal.reason, 'completed');
		}
	});
});

const settings = {
	models: ['claude-sonnet-5'],
	compaction: { enabled: true },
	thinking: 'auto',
	maxConcurrency: 10,
	bashErrorCancelsSiblings: true,
	streamingTools: true,
} as const;
