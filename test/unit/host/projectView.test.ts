// From events to rows: a whole exchange, and the same exchange from its transcript.
import assert from 'node:assert/strict';
import { declinedText, declinedWithoutReason } from '../../../src/core/messages/declined.ts';
import type { AssistantMessage, UserMessage } from '../../../src/core/messages/types.ts';
import type { AgentEvent } from '../../../src/host/panel/projection.ts';
import { outputKept } from '../../../src/host/panel/projectTools.ts';
import { callSummary, waitsForDecision } from '../../../src/host/panel/transcriptRows.ts';
import { ViewModel } from '../../../src/host/panel/viewModel.ts';
import { bareState } from '../../support/viewState.ts';

const prompt: UserMessage = {
	role: 'user',
	id: 'u1',
	origin: 'prompt',
	content: [{ type: 'text', text: 'hello' }],
	time: 5,
};
const message: AssistantMessage = {
	role: 'assistant',
	id: 'm1',
	content: [],
	model: 'claude-sonnet-5',
	stopReason: 'tool_use',
	usage: { inputTokens: 10, cacheCreationTokens: 1, cacheReadTokens: 2, outputTokens: 4 },
	complete: true,
	time: 9,
};
const terminal = { reason: 'completed', turnCount: 1, messages: [], toolContext: {} } as never;
const block = { messageId: 'm1' };

function shown(events: readonly AgentEvent[]): ViewModel {
	const view = new ViewModel(bareState);
	for (const event of events) view.accept(event, 100);
	return view;
}

suite('projectView', () => {
	test('a whole exchange', () => {
		const view = shown([
			{ type: 'prompt_taken', message: prompt },
			{ type: 'turn_start', turn: 1, model: 'claude-sonnet-5' },
			{ type: 'block_start', ...block, index: 0, block: 'thinking' },
			{ type: 'block_delta', ...block, index: 0, text: 'hm' },
			{ type: 'block_end', ...block, index: 0, block: { type: 'thinking', thinking: 'hm', signature: 'x' } },
			{ type: 'block_start', ...block, index: 1, block: 'text' },
			{ type: 'block_delta', ...block, index: 1, text: 'I ' },
			{ type: 'block_delta', ...block, index: 1, text: 'look' },
			{ type: 'block_end', ...block, index: 1, block: { type: 'text', text: 'I look' } },
			{ type: 'block_start', ...block, index: 2, block: 'tool_use', toolUse: { id: 't1', name: 'Read' } },
			{ type: 'block_end', ...block, index: 2, block: { type: 'tool_use', id: 't1', name: 'Read', input: {} } },
			{ type: 'tool_queued', toolUseId: 't1', tool: 'Read', summary: 'a.ts' },
			{ type: 'answer_end', message, costUsd: 0.5, durationMs: 20 },
			{ type: 'tool_start', toolUseId: 't1' },
			{
				type: 'tool_end',
				toolUseId: 't1',
				tool: 'Read',
				state: 'done',
				result: { type: 'tool_result', tool_use_id: 't1', content: [] },
				view: { kind: 'text', text: 'found' },
				durationMs: 7,
			},
			{ type: 'exchange_end', terminal },
		]);
		assert.deepEqual(view.all, [
			{ kind: 'prompt', id: 'u1', text: 'hello', time: 5 },
			{ kind: 'thinking', id: 'm1:0', text: 'hm', open: false, durationMs: 0 },
			{ kind: 'text', id: 'm1:1', text: 'I look', open: false },
			{
				kind: 'tool',
				id: 't1',
				toolUseId: 't1',
				tool: 'Read',
				summary: 'a.ts',
				state: 'done',
				view: { kind: 'text', text: 'found' },
				startedAt: 100,
				durationMs: 7,
			},
			{
				kind: 'summary',
				id: 'm1:summary',
				model: 'claude-sonnet-5',
				inputTokens: 13,
				outputTokens: 4,
				costUsd: 0.5,
				durationMs: 0,
				time: 100,
			},
		]);
		assert.equal(view.state.costUsd, 0.5);
		assert.equal(view.state.contextTokens, 17);
	});

	test('an exchange takes the time from its prompt to its end, whatever took it; the next one begins anew', () => {
		const view = new ViewModel(bareState);
		const answered: AgentEvent = { type: 'answer_end', message, costUsd: 0, durationMs: 20 };
		const took = () => view.all.flatMap((row) => (row.kind === 'summary' ? [row.durationMs] : []));
		view.accept({ type: 'prompt_taken', message: prompt }, 100);
		view.accept({ type: 'turn_start', turn: 1, model: 'm' }, 150);
		view.accept(answered, 200);
		view.accept({ type: 'turn_start', turn: 2, model: 'm' }, 1900);
		view.accept(answered, 2000);
		view.accept({ type: 'exchange_end', terminal }, 2100);
		assert.deepEqual(took(), [2000]);
		view.accept({ type: 'turn_start', turn: 1, model: 'm' }, 5000);
		view.accept({ ...answered, message: { ...message, id: 'm2' } }, 5100);
		view.accept({ type: 'exchange_end', terminal }, 5300);
		assert.deepEqual(took(), [2000, 300]);
	});

	test('a card is there while its arguments still stream, and goes when the call is cut', () => {
		const start: AgentEvent = {
			type: 'block_start',
			...block,
			index: 0,
			block: 'tool_use',
			toolUse: { id: 't1', name: 'Bash' },
		};
		const view = shown([start]);
		assert.deepEqual(view.all, [
			{ kind: 'tool', id: 't1', toolUseId: 't1', tool: 'Bash', summary: '', state: 'queued', view: { kind: 'none' } },
		]);
		assert.deepEqual(view.accept({ type: 'block_end', ...block, index: 0, block: undefined }, 1), [
			{ type: 'rows_removed', rowIds: ['t1'] },
		]);
		assert.deepEqual(view.all, []);
	});

	test('a suggestion is there until the next prompt', () => {
		const view = shown([{ type: 'prompt_suggested', text: 'Run the tests' }]);
		assert.equal(view.state.suggestion, 'Run the tests');
		view.accept({ type: 'prompt_taken', message: prompt }, 1);
		assert.equal(view.state.suggestion, null);
	});

	test('a label stands above the first call of its batch that is shown, and stays there', () => {
		const queued = (id: string) => ({ type: 'tool_queued', toolUseId: id, tool: 'Read', summary: id }) as const;
		const view = shown([queued('t1'), queued('t2')]);
		const label = { type: 'tools_labelled', toolUseIds: ['gone', 't1', 't2'], label: 'Read both' } as const;
		assert.equal(view.accept(label, 1).length, 1);
		view.accept({ type: 'tool_start', toolUseId: 't1' }, 2);
		const labels = view.all.map((row) => row.kind === 'tool' && row.batchLabel);
		assert.deepEqual(labels, ['Read both', undefined]);
		assert.deepEqual(view.accept({ ...label, toolUseIds: ['gone'] }, 1), []);
	});

	test('blank text leaves no row', () => {
		const view = shown([
			{ type: 'block_start', ...block, index: 0, block: 'text' },
			{ type: 'block_end', ...block, index: 0, block: { type: 'text', text: ' \n' } },
		]);
		assert.deepEqual(view.all, []);
	});

	test('live output is appended and bounded', () => {
		const view = shown([{ type: 'tool_queued', toolUseId: 't1', tool: 'Bash', summary: 'yes' }]);
		const text = 'y\n'.repeat(40_000);
		const first = view.accept({ type: 'tool_progress', toolUseId: 't1', update: { kind: 'output', text } }, 1);
		assert.equal(first[0]?.type, 'row_updated');
		const more = view.accept({ type: 'tool_progress', toolUseId: 't1', update: { kind: 'output', text: 'end' } }, 1);
		assert.deepEqual(more, [{ type: 'text_appended', rowId: 't1', text: 'end' }]);
		view.accept({ type: 'tool_progress', toolUseId: 't1', update: { kind: 'output', text } }, 1);
		const row = view.row('t1');
		assert.ok(row?.kind === 'tool' && row.view.kind === 'command');
		assert.equal(row.view.output.length, outputKept);
		assert.equal(row.view.omitted, 160_003 - outputKept);
		assert.equal(row.view.command, 'yes');
	});

	test('what is open when an exchange ends is closed', () => {
		const view = shown([
			{ type: 'block_start', ...block, index: 0, block: 'text' },
			{ type: 'block_delta', ...block, index: 0, text: 'half' },
			{ type: 'tool_queued', toolUseId: 't1', tool: 'Bash', summary: 'x' },
			{ type: 'exchange_end', terminal },
		]);
		assert.deepEqual(
			view.all.map((row) => (row.kind === 'tool' ? row.state : row.kind === 'text' ? row.open : undefined)),
			[false, 'stopped'],
		);
	});

	test('a denial carries what the model was told; one by the person only what they said', () => {
		const told = (text: string) => {
			const view = shown([
				{ type: 'tool_queued', toolUseId: 't1', tool: 'Bash', summary: 'x' },
				{
					type: 'tool_end',
					toolUseId: 't1',
					tool: 'Bash',
					state: 'denied',
					result: { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text }], is_error: true },
					view: { kind: 'none' },
					durationMs: 0,
				},
			]);
			const row = view.row('t1');
			assert.ok(row?.kind === 'tool' && row.state === 'denied');
			return row.message;
		};
		assert.equal(told('no'), 'no');
		assert.equal(told(declinedText('别动测试', 'Ask before you go on.')), '别动测试');
		assert.equal(told(declinedWithoutReason), '');
	});

	test("an unknown cost makes the session's cost unknown", () => {
		assert.equal(shown([{ type: 'answer_end', message, costUsd: null, durationMs: 1 }]).state.costUsd, null);
	});

	test('summaries of stored calls are relative to the folder', () => {
		assert.equal(callSummary({ file_path: '/w/src/a.ts' }, '/w'), 'src/a.ts');
		assert.equal(callSummary({ file_path: '/w2/a.ts' }, '/w'), '/w2/a.ts');
		assert.equal(callSummary({ command: 'npm test\nls' }, '/w'), 'npm test');
		assert.equal(callSummary({ pattern: 'x', path: '/w' }, '/w'), 'x');
		assert.equal(callSummary({}, '/w'), '');
	});

	test('a stored request for permission that nobody answered is seen', () => {
		const asked = { type: 'permission', requestId: 'r', toolUseId: 't', time: 1 } as const;
		assert.equal(waitsForDecision([asked]), true);
		assert.equal(
			waitsForDecision([asked, { type: 'tool_start', toolUseId: 't', name: 'Do', input: {}, time: 2 }]),
			false,
		);
		assert.equal(waitsForDecision([asked, { type: 'exchange_end', reason: 'aborted_tools', time: 2 }]), false);
	});
});

suite('view model', () => {
	test('pages of at most 200 rows, older ones on request', () => {
		const view = new ViewModel(bareState);
		for (let at = 0; at < 450; at++) {
			view.apply({ type: 'row_added', row: { kind: 'text', id: `r${at}`, text: 'x', open: false } });
		}
		const latest = view.latest();
		assert.deepEqual([latest.rows.length, latest.rows[0]?.id, latest.earlier], [200, 'r250', 250]);
		const older = view.before('r250');
		assert.deepEqual([older.rows.length, older.rows[0]?.id, older.earlier], [200, 'r50', 50]);
		const oldest = view.before('r50');
		assert.deepEqual([oldest.rows.length, oldest.rows[0]?.id, oldest.earlier], [50, 'r0', 0]);
		assert.deepEqual(view.before('unknown'), { rows: [], earlier: 0 });
	});

	test('long results make a page shorter, but never empty', () => {
		const view = new ViewModel(bareState);
		for (let at = 0; at < 100; at++) {
			view.apply({
				type: 'row_added',
				row: {
					kind: 'tool',
					id: `r${at}`,
					toolUseId: `r${at}`,
					tool: 'Bash',
					summary: '',
					state: 'done',
					view: { kind: 'text', text: 'x'.repeat(100_000) },
				},
			});
		}
		const { rows, earlier } = view.latest();
		assert.deepEqual([rows.length, earlier], [40, 60]);
	});
});
