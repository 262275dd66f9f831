// What an exchange goes through besides its answers, as rows: waits, answers taken back, other models, compactions, ends.
import assert from 'node:assert/strict';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { EndReason } from '../../../src/core/loop/state.ts';
import type { ProjectionChange } from '../../../src/core/messages/projection.ts';
import type { AgentEvent } from '../../../src/host/panel/projection.ts';
import { showTranscript } from '../../../src/host/panel/transcriptRows.ts';
import { ViewModel } from '../../../src/host/panel/viewModel.ts';
import { bareState } from '../../support/viewState.ts';

const models = [
	{ id: 'claude-sonnet-5', name: 'Claude Sonnet 5' },
	{ id: 'claude-haiku-5', name: 'Claude Haiku 5' },
];

function shown(events: readonly AgentEvent[]): ViewModel {
	const view = new ViewModel({ ...bareState, models });
	for (const event of events) view.accept(event, 100);
	return view;
}

const overloaded = { kind: 'overloaded', message: 'Overloaded', status: 529 } as const;
const wait: AgentEvent = {
	type: 'retry_wait',
	messageId: 'm1',
	attempt: 1,
	maxRetries: 10,
	delayMs: 2000,
	until: 2100,
	failure: overloaded,
};
const half: readonly AgentEvent[] = [
	{ type: 'turn_start', turn: 1, model: 'claude-sonnet-5' },
	{ type: 'block_start', messageId: 'm1', index: 0, block: 'thinking' },
	{ type: 'block_start', messageId: 'm1', index: 1, block: 'text' },
	{ type: 'block_delta', messageId: 'm1', index: 1, text: 'half' },
	{ type: 'block_start', messageId: 'm1', index: 2, block: 'tool_use', toolUse: { id: 't1', name: 'Read' } },
	{ type: 'tool_queued', toolUseId: 't1', tool: 'Read', summary: 'a.ts' },
];
const ended = (reason: EndReason): AgentEvent => ({
	type: 'exchange_end',
	terminal: { reason, turnCount: 1, messages: [], changes: [], toolContext: {} } as never,
});
const compacted: ProjectionChange = {
	at: 'm1',
	kind: 'compacted',
	upTo: 'm1',
	trigger: 'auto',
	before: 150_000,
	after: 20_000,
	summary: [
		{
			role: 'user',
			id: 'sum',
			origin: 'hidden',
			content: [
				{ type: 'text', text: 'Today is Monday.' },
				{ type: 'text', text: 'It was summarised.\n\n<summary>\nThe person wants tests.\n</summary>' },
				{ type: 'text', text: 'The file a.ts' },
			],
			time: 0,
		},
	],
};

suite('recovery in the panel', () => {
	test('a limit of the service is known until something is answered', () => {
		const failure = { kind: 'rate_limited', message: 'Too many', retryAfterMs: 60_000 } as const;
		const view = shown([{ ...wait, failure }]);
		assert.deepEqual(view.state.rateLimit, { until: 2100 });
		view.accept({ type: 'model_error', failure }, 5_000);
		assert.deepEqual(view.state.rateLimit, { until: 65_000 });
		view.accept({ type: 'model_error', failure: { kind: 'rate_limited', message: 'Too many' } }, 5_000);
		assert.deepEqual(view.state.rateLimit, { until: null });
		const answer = (outputTokens: number): AgentEvent => ({
			type: 'answer_end',
			message: {
				role: 'assistant',
				id: 'm2',
				content: [],
				model: 'claude-sonnet-5',
				stopReason: 'end_turn',
				usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens },
				complete: true,
				time: 0,
			},
			costUsd: 0,
			durationMs: 1,
		});
		view.accept(answer(0), 6_000);
		assert.notEqual(view.state.rateLimit, null);
		view.accept(answer(3), 6_000);
		assert.equal(view.state.rateLimit, null);
	});

	test('a wait says when and why, and leaves nothing behind', () => {
		const view = shown([{ type: 'turn_start', turn: 1, model: 'claude-sonnet-5' }, wait]);
		assert.equal(view.projected.phase, 'retrying');
		assert.equal(view.state.retryAt, 2100);
		assert.deepEqual(view.state.retry, { code: 'overloaded', args: { status: '529' }, attempt: 2 });
		view.accept({ type: 'retry_start', messageId: 'm1', attempt: 2 }, 2100);
		assert.equal(view.projected.phase, 'working');
		assert.notEqual(view.state.retry, null);
		view.accept({ type: 'block_start', messageId: 'm1', index: 0, block: 'text' }, 2200);
		assert.equal(view.state.retry, null);
		assert.deepEqual(
			view.all.map(({ kind }) => kind),
			['text'],
		);
	});

	test('a wait that is stopped leaves no reason', () => {
		const view = shown([wait, ended('aborted_streaming')]);
		assert.deepEqual([view.projected.phase, view.state.retry], ['working', null]);
	});

	test('an answer that is taken back goes with all of its rows, and comes again under the same ids', () => {
		const view = shown([...half]);
		assert.equal(view.all.length, 3);
		const events = view.accept({ type: 'answer_retracted', messageId: 'm1' }, 1);
		assert.deepEqual(events, [{ type: 'rows_removed', rowIds: ['m1:0', 'm1:1', 't1'] }]);
		assert.deepEqual(view.all, []);
		view.accept({ type: 'block_start', messageId: 'm1', index: 0, block: 'text' }, 1);
		view.accept(ended('completed'), 1);
		assert.deepEqual(view.all, [{ kind: 'text', id: 'm1:0', text: '', open: false }]);
		assert.deepEqual(view.accept({ type: 'answer_retracted', messageId: 'other' }, 1), []);
	});

	test('another model is named', () => {
		const view = shown([wait, { type: 'model_fallback', from: 'claude-sonnet-5', to: 'claude-haiku-5' }]);
		const args = { from: 'Claude Sonnet 5', to: 'Claude Haiku 5' };
		assert.deepEqual(view.all, [{ kind: 'notice', id: 'notice:0', code: 'model_fallback', args }]);
		assert.equal(view.state.retry, null);
	});

	test('a compaction is a row with the summary alone, and the meter falls', () => {
		const view = shown([{ type: 'compaction_start', trigger: 'auto', tokens: 150_000 }]);
		assert.equal(view.projected.phase, 'compacting');
		view.accept({ type: 'projection_changed', change: compacted }, 1);
		view.accept({ type: 'turn_start', turn: 2, model: 'claude-sonnet-5' }, 1);
		const row = { id: 'compacted:sum', before: 150_000, after: 20_000, summary: 'The person wants tests.' };
		assert.deepEqual(view.all, [{ kind: 'compacted', ...row }]);
		assert.deepEqual([view.state.contextTokens, view.projected.phase], [20_000, 'working']);
	});

	test('the other stages of the pipeline show nothing', () => {
		const change: ProjectionChange = { at: 'm1', kind: 'snipped', messageIds: ['x'], freed: 5 };
		assert.deepEqual(shown([{ type: 'projection_changed', change }]).all, []);
		const report = { stage: 'snip', before: 5, after: 1, items: 1 } as const;
		assert.deepEqual(shown([{ type: 'context_prepared', reports: [report] }]).all, []);
	});

	test('a compaction that failed is a notice, no error', () => {
		const problem = { kind: 'summary_failed', failure: overloaded } as const;
		const view = shown([{ type: 'context_prepared', reports: [], problem }]);
		assert.deepEqual(
			view.all.map((row) => (row.kind === 'notice' ? row.code : row.kind)),
			['compact_failed'],
		);
	});

	test('each end that is no answer says so, live and from the transcript', () => {
		const tooLong = { kind: 'prompt_too_long', message: 'The context is full.' } as const;
		const failed = (reason: EndReason): AgentEvent[] => [{ type: 'model_error', failure: tooLong }, ended(reason)];
		const ends: [EndReason, AgentEvent[], string][] = [
			['budget_exhausted', [ended('budget_exhausted')], 'notice budget_exhausted'],
			['stop_hook_prevented', [ended('stop_hook_prevented')], 'notice stop_hook_prevented'],
			['hook_stopped', [ended('hook_stopped')], 'notice hook_stopped'],
			['max_turns', [{ type: 'max_turns_reached', maxTurns: 3 }, ended('max_turns')], 'notice max_turns'],
			['malformed_tool_use_exhausted', [ended('malformed_tool_use_exhausted')], 'error malformed_tool_use_exhausted'],
			['blocking_limit', failed('blocking_limit'), 'error blocking_limit'],
			['rapid_refill_breaker', failed('rapid_refill_breaker'), 'error rapid_refill_breaker'],
			['prompt_too_long', failed('prompt_too_long'), 'error prompt_too_long'],
			['completed', [ended('completed')], ''],
			['aborted_tools', [ended('aborted_tools')], ''],
		];
		for (const [reason, events, expected] of ends) {
			assert.equal(told(shown(events)), expected, reason);
			const stored = new ViewModel(bareState);
			showTranscript(stored, [{ type: 'exchange_end', reason, time: 1 }], '/w');
			assert.equal(told(stored), expected, `${reason}, stored`);
		}
	});

	test('the buttons of an error go when the person goes on', () => {
		const view = shown([{ type: 'model_error', failure: overloaded }, ended('model_error')]);
		const actions = () => view.all.flatMap((row) => (row.kind === 'error' ? [row.error.actions] : []));
		assert.deepEqual(actions(), [['retry']]);
		const message = { role: 'user', id: 'u', origin: 'prompt', content: [], time: 1 } as const;
		view.accept({ type: 'prompt_taken', message }, 1);
		assert.deepEqual(actions(), [[]]);
	});
});

suite('recovery from the transcript', () => {
	const usage = { inputTokens: 5, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 2 };
	const call = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: '/w/a.ts' } } as const;
	const retractedTurn: readonly StoredEntry[] = [
		{ type: 'request', turn: 1, model: 'claude-sonnet-5', messageCount: 1, time: 1 },
		{
			type: 'block',
			messageId: 'm1',
			index: 0,
			model: 'claude-sonnet-5',
			block: { type: 'text', text: 'no' },
			time: 1,
		},
		{ type: 'block', messageId: 'm1', index: 1, model: 'claude-sonnet-5', block: call, time: 1 },
		{ type: 'tool_start', toolUseId: 't1', name: 'Read', input: call.input, time: 2 },
		{ type: 'answer', messageId: 'm1', stopReason: 'refusal', usage, complete: true, costUsd: 1, time: 3 },
		{ type: 'tombstone', messageId: 'm1', time: 4 },
		{
			type: 'tool_result',
			toolUseId: 't1',
			result: { type: 'tool_result', tool_use_id: 't1', content: [] },
			state: 'done',
			view: { kind: 'none' },
			time: 5,
		},
	];

	test('what was taken back stays away, what it took counts, and the fallback is told', () => {
		const view = new ViewModel({ ...bareState, models });
		const next: StoredEntry = { type: 'request', turn: 1, model: 'claude-haiku-5', messageCount: 1, time: 6 };
		showTranscript(view, [...retractedTurn, next], '/w');
		assert.equal(told(view), 'notice model_fallback');
		assert.equal(view.state.costUsd, 1);
	});

	test('the same model again is no fallback', () => {
		const view = new ViewModel({ ...bareState, models });
		const next: StoredEntry = { type: 'request', turn: 1, model: 'claude-sonnet-5', messageCount: 1, time: 6 };
		showTranscript(view, [...retractedTurn, next], '/w');
		assert.equal(told(view), '');
	});

	test('a label is there again; the one of calls that were taken back is not', () => {
		const label: StoredEntry = { type: 'tools_labelled', toolUseIds: ['t1'], label: 'Read a', time: 6 };
		const kept = retractedTurn.filter(({ type }) => type !== 'tombstone');
		const view = new ViewModel({ ...bareState, models });
		showTranscript(view, [...kept, label], '/w');
		const row = view.row('t1');
		assert.equal(row?.kind === 'tool' ? row.batchLabel : undefined, 'Read a');
		const without = new ViewModel({ ...bareState, models });
		showTranscript(without, [...retractedTurn, label], '/w');
		assert.deepEqual(without.all, []);
	});

	test('a compaction is there again, and the meter shows what came of it', () => {
		const view = new ViewModel(bareState);
		showTranscript(view, [{ type: 'projection', change: compacted, time: 1 }], '/w');
		assert.equal(view.row('compacted:sum')?.kind, 'compacted');
		assert.equal(view.state.contextTokens, 20_000);
	});
});

function told(view: ViewModel): string {
	return view.all
		.map((row) =>
			row.kind === 'notice' ? `notice ${row.code}` : row.kind === 'error' ? `error ${row.error.code}` : row.kind,
		)
		.join(', ');
}
