// The reducer of the panel: snapshots, events in order, gaps, earlier rows, and the cutting into exchanges.
import assert from 'node:assert/strict';
import type { ToWebview } from '../../../src/shared/protocol.ts';
import type { Row } from '../../../src/shared/view.ts';
import { bareState as state } from '../../support/viewState.ts';
import { applyEvents, emptyModel, exchanges, receive } from '../../../webview-ui/src/reducer.ts';
import type { PanelModel } from '../../../webview-ui/src/reducer.ts';

const prompt = (id: string): Row => ({ kind: 'prompt', id, text: id, time: 0 });
const text = (id: string, content = ''): Row => ({ kind: 'text', id, text: content, open: true });
const started = (rows: readonly Row[], seq = 0): PanelModel =>
	receive(emptyModel, { type: 'snapshot', seq, state, rows, earlier: 0 }).model;
const events = (seq: number, id: string): ToWebview => ({
	type: 'events',
	seq,
	events: [{ type: 'row_added', row: text(id) }],
});

suite('panel reducer', () => {
	test('events before the first snapshot change nothing', () => {
		assert.deepEqual(receive(emptyModel, events(1, 'a')), { model: emptyModel, gap: false });
	});

	test('the next seq is applied, an old one is ignored, a gap asks for a snapshot', () => {
		const first = receive(started([]), events(1, 'a'));
		assert.deepEqual(first.model.order, ['a']);
		assert.deepEqual(receive(first.model, events(1, 'b')).model.order, ['a']);
		const gap = receive(first.model, events(3, 'c'));
		assert.equal(gap.gap, true);
		assert.deepEqual(gap.model.order, ['a'], 'what is known stays on the page');
		assert.deepEqual(receive(gap.model, events(4, 'd')), { model: gap.model, gap: false }, 'asks once, then waits');
	});

	test('a snapshot replaces everything', () => {
		assert.deepEqual(started([text('z')], 7).order, ['z']);
		const again = receive(started([text('z')]), { type: 'snapshot', seq: 9, state, rows: [text('y')], earlier: 3 });
		assert.deepEqual([again.model.order, again.model.seq, again.model.earlier], [['y'], 9, 3]);
	});

	test('text is appended to texts, thinking and the output of commands, and to nothing else', () => {
		const command: Row = {
			kind: 'tool',
			id: 'c',
			toolUseId: 'c',
			tool: 'Bash',
			summary: 'ls',
			state: 'running',
			view: { kind: 'command', command: 'ls', output: 'a', omitted: 0, outcome: 'running', durationMs: 0 },
		};
		const rows = [text('t', 'x'), command, prompt('p')];
		const after = applyEvents(
			started(rows),
			['t', 'c', 'p', 'unknown'].map((rowId) => ({ type: 'text_appended', rowId, text: '!' })),
		);
		assert.deepEqual(after.rows.get('t'), { ...text('t', 'x!'), grownBy: '!' });
		assert.deepEqual(after.rows.get('c'), { ...command, view: { ...command.view, output: 'a!' } });
		assert.deepEqual(after.rows.get('p'), prompt('p'));
		assert.equal(after.rows.size, 3);
	});

	test('rows that do not change keep their identity', () => {
		const before = started([text('a'), text('b')]);
		const after = applyEvents(before, [{ type: 'text_appended', rowId: 'b', text: '!' }]);
		assert.equal(after.rows.get('a'), before.rows.get('a'));
		assert.equal(after.order, before.order);
	});

	test('earlier rows come first; known ones are not doubled', () => {
		const after = receive(started([text('c')]), {
			type: 'earlier_rows',
			rows: [text('a'), text('b'), text('c', 'other')],
			earlier: 5,
		}).model;
		assert.deepEqual([after.order, after.earlier], [['a', 'b', 'c'], 5]);
		assert.deepEqual(after.rows.get('c'), text('c'));
	});

	test('an exchange is a prompt and the run of rows after it', () => {
		const rows = [text('a'), prompt('p'), text('b'), text('c'), prompt('q')];
		const model = started(rows);
		const cut = exchanges(model.order, model.rows);
		assert.deepEqual(cut, [
			{ key: 'a', prompt: undefined, answer: ['a'] },
			{ key: 'p', prompt: 'p', answer: ['b', 'c'] },
			{ key: 'q', prompt: 'q', answer: [] },
		]);
		const grown = applyEvents(model, [{ type: 'row_added', row: text('d') }]);
		const again = exchanges(grown.order, grown.rows, cut);
		assert.equal(again[0], cut[0]);
		assert.equal(again[1], cut[1]);
		assert.deepEqual(again[2], { key: 'q', prompt: 'q', answer: ['d'] });
	});
});
