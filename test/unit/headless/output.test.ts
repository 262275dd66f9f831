// Events of the loop as messages of `stream-json`: the parts that a whole run does not show.
import assert from 'node:assert/strict';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import type { EndReason, Terminal } from '../../../src/core/loop/state.ts';
import type { AssistantMessage } from '../../../src/core/messages/types.ts';
import { noUsage } from '../../../src/core/messages/types.ts';
import { Ledger } from '../../../src/core/session/ledger.ts';
import { failureText } from '../../../src/headless/failureText.ts';
import { Output } from '../../../src/headless/output.ts';

const usage = { inputTokens: 10, outputTokens: 5, cacheCreationTokens: 1, cacheReadTokens: 2 };
const message = (content: AssistantMessage['content'], complete = true): AssistantMessage => ({
	role: 'assistant',
	id: 'a1',
	content,
	model: 'm',
	stopReason: 'end_turn',
	usage,
	complete,
	time: 1,
});
const answerEnd = (end: AssistantMessage, costUsd: number | null): LoopEvent => ({
	type: 'answer_end',
	message: end,
	costUsd,
	durationMs: 100,
});
const terminal = (reason: EndReason, more: Partial<Terminal> = {}) =>
	({ reason, turnCount: 1, messages: [], ...more }) as unknown as Terminal;

function output(partial = false): Output {
	let count = 0;
	return new Output({ sessionId: 's', partial, uuid: () => `u${++count}`, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
}
const end = { durationMs: 1, costUsd: 0, modelUsage: new Map(), denials: [] };

suite('headless output', () => {
	test('blocks go out as the API has them', () => {
		const content: AssistantMessage['content'] = [
			{ type: 'opaque', value: { type: 'new', x: 1 } },
			{ type: 'tool_use', id: 't', name: 'Read', input: {}, malformed: '{', extra: { caller: 'c' } },
		];
		const out = output();
		// A cut answer may be taken back: it comes with what follows.
		assert.deepEqual(out.project(answerEnd(message(content, false), 0)), []);
		const [sent] = out.project({ type: 'context_prepared', reports: [] });
		assert.equal(sent?.['aborted'], true);
		assert.deepEqual((sent?.['message'] as { content: unknown } | undefined)?.content, [
			{ type: 'new', x: 1 },
			{ type: 'tool_use', id: 't', name: 'Read', input: {}, caller: 'c' },
		]);
	});

	test('thinking and tool input as deltas of their own kinds', () => {
		const out = output(true);
		const events: LoopEvent[] = [
			{ type: 'turn_start', turn: 1, model: 'm' },
			{ type: 'block_start', messageId: 'a1', index: 0, block: 'thinking' },
			{ type: 'block_delta', messageId: 'a1', index: 0, text: 'hm' },
			{ type: 'block_end', messageId: 'a1', index: 0, block: { type: 'thinking', thinking: 'hm', signature: 's' } },
			{ type: 'block_start', messageId: 'a1', index: 1, block: 'tool_use', toolUse: { id: 't', name: 'Read' } },
			{
				type: 'block_end',
				messageId: 'a1',
				index: 1,
				block: { type: 'tool_use', id: 't', name: 'Read', input: { a: 1 } },
			},
		];
		const raw = events.flatMap((event) => out.project(event)).map((line) => line['event'] as Record<string, unknown>);
		assert.deepEqual(
			raw.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta),
			[
				{ type: 'thinking_delta', thinking: 'hm' },
				{ type: 'input_json_delta', partial_json: '{"a":1}' },
			],
		);
		assert.equal(raw[0]?.['type'], 'message_start');
	});

	test('usage and cost are sums per model; an unknown price stays unknown', () => {
		const out = output();
		out.project(answerEnd(message([{ type: 'text', text: 'one' }]), 1));
		out.project(answerEnd(message([{ type: 'text', text: 'two' }]), null));
		const ledger = new Ledger({ usage: noUsage, costUsd: 0 });
		ledger.add('m', usage, 1);
		ledger.add('m', usage, null);
		ledger.add('small', usage, 0.5);
		const { byModel: modelUsage, costUsd } = ledger;
		const result = out.result({ ...end, costUsd, modelUsage, terminal: terminal('completed') });
		assert.equal(result['result'], 'two');
		assert.equal(result['total_cost_usd'], null);
		assert.equal(result['duration_api_ms'], 200);
		assert.deepEqual(result['modelUsage'], {
			m: { inputTokens: 20, outputTokens: 10, cacheReadInputTokens: 4, cacheCreationInputTokens: 2, costUSD: null },
			small: { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 2, cacheCreationInputTokens: 1, costUSD: 0.5 },
		});
		assert.deepEqual(result['usage'], {
			input_tokens: 30,
			cache_creation_input_tokens: 3,
			cache_read_input_tokens: 6,
			output_tokens: 15,
		});
	});

	test('retries, compaction and another model are told', () => {
		const out = output();
		const failure = { kind: 'overloaded', message: 'x', status: 529 } as const;
		const summary = { kind: 'compacted', at: 'a', upTo: 'a', summary: [], before: 900, after: 90 } as const;
		const events: LoopEvent[] = [
			{ type: 'retry_wait', messageId: 'a', attempt: 1, maxRetries: 10, delayMs: 500, until: 0, failure },
			{ type: 'model_fallback', from: 'm', to: 'n' },
			{ type: 'compaction_start', trigger: 'auto', tokens: 900 },
			{ type: 'projection_changed', change: { ...summary, trigger: 'reactive' } },
			{ type: 'context_prepared', reports: [] },
			{ type: 'context_prepared', reports: [], problem: { kind: 'summary_failed', failure } },
		];
		const told = events
			.flatMap((event) => out.project(event))
			.map(({ session_id: _session, uuid: _uuid, type: _type, ...rest }) => rest);
		assert.deepEqual(told, [
			{
				subtype: 'api_retry',
				attempt: 1,
				max_retries: 10,
				retry_delay_ms: 500,
				error_status: 529,
				error: 'overloaded',
			},
			{ subtype: 'informational', content: 'm does not answer; n takes over for this prompt.', level: 'warning' },
			{ subtype: 'status', status: 'compacting' },
			{ subtype: 'compact_boundary', compact_metadata: { trigger: 'auto', pre_tokens: 900, post_tokens: 90 } },
			{ subtype: 'status', status: null },
			{
				subtype: 'informational',
				content: 'The conversation could not be compacted: overloaded: x',
				level: 'warning',
			},
		]);
	});

	test('a result comes after its answer, and an answer that is taken back does not come at all', () => {
		const out = output();
		const toolEnd = (toolUseId: string): LoopEvent => ({
			type: 'tool_end',
			toolUseId,
			tool: 'Read',
			state: 'done',
			result: { type: 'tool_result', tool_use_id: toolUseId, content: [] },
			view: { kind: 'none' },
			durationMs: 1,
		});
		const types = (...events: LoopEvent[]) => events.flatMap((event) => out.project(event)).map(({ type }) => type);
		const start: LoopEvent = { type: 'turn_start', turn: 1, model: 'm' };
		const whole = answerEnd(message([{ type: 'text', text: 'kept' }]), 0);
		assert.deepEqual(types(start, toolEnd('a'), whole, toolEnd('b')), ['assistant', 'user', 'user']);
		const cut = answerEnd({ ...message([{ type: 'text', text: 'half' }]), stopReason: 'max_tokens' }, 0);
		assert.deepEqual(types(start, cut), []);
		assert.deepEqual(types({ type: 'answer_retracted', messageId: 'a1' }, start), []);
		assert.equal(out.finalText, 'kept');
		assert.deepEqual(types(cut, { type: 'transition', transition: { reason: 'next_turn' } }), ['assistant']);
		assert.equal(out.finalText, 'half');
	});

	test('every other end is an error that says why', () => {
		const failure = { kind: 'rate_limited', message: 'slow', host: 'h', retryAfterMs: 61_000 } as const;
		const cases: [EndReason, Partial<Terminal>, string, RegExp][] = [
			['max_turns', {}, 'error_max_turns', /limit of turns/],
			['budget_exhausted', {}, 'error_max_budget_usd', /limit of costs/],
			['aborted_tools', {}, 'error_during_execution', /stopped/],
			[
				'model_error',
				{ failure },
				'error_during_execution',
				/rate_limited \(h\): slow .*61 s, until 2026-01-02 03:05:06 UTC/,
			],
			['hook_stopped', {}, 'error_during_execution', /hook_stopped/],
		];
		for (const [reason, more, subtype, words] of cases) {
			const result = output().result({ ...end, terminal: terminal(reason, more) });
			assert.equal(result['subtype'], subtype);
			assert.equal(result['is_error'], true);
			assert.equal(result['terminal_reason'], reason);
			assert.match(JSON.stringify(result['errors']), words);
		}
		assert.equal(failureText({ kind: 'dropped', message: 'x' }, 0), 'dropped: x');
		assert.match(failureText({ kind: 'billing', message: 'spend limit' }, 0), /does not say when this ends/);
	});
});
