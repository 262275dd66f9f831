// What the panel gets: merged, in order, complete, whatever is hidden, shown or thrown away meanwhile.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Channel, merged } from '../../../src/host/panel/channel.ts';
import { ViewModel } from '../../../src/host/panel/viewModel.ts';
import type { ViewEvent } from '../../../src/shared/protocol.ts';
import { bareState } from '../../support/viewState.ts';
import { FakeLater, FakePanel } from './support.ts';

function start() {
	const view = new ViewModel(bareState);
	const later = new FakeLater();
	const channel = new Channel(() => view, later.later);
	const send = (event: ViewEvent) => {
		view.apply(event);
		channel.publish([event]);
	};
	return { view, later, channel, send };
}
const added = (id: string): ViewEvent => ({ type: 'row_added', row: { kind: 'text', id, text: '', open: true } });
const text = (rowId: string, piece: string): ViewEvent => ({ type: 'text_appended', rowId, text: piece });

suite('panel channel', () => {
	test('nothing before ready, then a snapshot, then events', () => {
		const { later, channel, send } = start();
		const panel = new FakePanel(channel);
		send(added('a'));
		later.run();
		assert.equal(panel.messages.length, 0);
		panel.handle.ready();
		send(text('a', 'x'));
		send(text('a', 'y'));
		assert.equal(later.waiting, 1);
		later.run();
		assert.deepEqual(
			panel.messages.map((message) => message.type),
			['snapshot', 'events'],
		);
		assert.deepEqual(panel.messages[1], { type: 'events', seq: 1, events: [text('a', 'xy')] });
	});

	test('a hidden panel gets nothing but a snapshot when shown', () => {
		const { later, channel, send, view } = start();
		const panel = new FakePanel(channel);
		panel.handle.ready();
		panel.hide();
		send(added('a'));
		for (let at = 0; at < 1000; at++) send(text('a', 'x'));
		later.run();
		assert.equal(panel.messages.length, 1);
		panel.show();
		assert.deepEqual(panel.rows, view.all);
		assert.equal(panel.messages.length, 2);
	});

	test('a page that was kept while hidden and says nothing gets its snapshot, too', () => {
		const { later, channel, send, view } = start();
		const panel = new FakePanel(channel);
		panel.handle.ready();
		panel.hide();
		send(added('a'));
		panel.visible = true;
		panel.handle.visibilityChanged();
		later.run();
		assert.deepEqual(panel.rows, view.all);
	});

	test('what goes to the composer waits for the page', () => {
		const { channel } = start();
		const panel = new FakePanel(channel);
		panel.handle.focusComposer('one');
		panel.handle.focusComposer('two');
		panel.handle.ready();
		assert.deepEqual(panel.messages[1], { type: 'composer_focused', insert: 'one\ntwo' });
		panel.handle.focusComposer();
		assert.deepEqual(panel.messages[2], { type: 'composer_focused' });
	});

	test('older rows on request', () => {
		const { channel, send, later } = start();
		for (let at = 0; at < 300; at++) send(added(`r${at}`));
		later.run();
		const panel = new FakePanel(channel);
		panel.handle.ready();
		panel.handle.earlierRows('r100');
		assert.deepEqual([panel.rows.length, panel.model.earlier], [300, 0]);
	});

	test('every panel ends with the same rows as the host', () => {
		const id = fc.constantFrom('a', 'b', 'c', 'd');
		const row = id.map((name) => ({ kind: 'text', id: name, text: 'new', open: true }) as const);
		const action = fc.oneof(
			row.map((of): ViewEvent => ({ type: 'row_added', row: of })),
			row.map((of): ViewEvent => ({ type: 'row_updated', row: { ...of, text: 'whole', open: false } })),
			fc.tuple(id, fc.string()).map(([rowId, piece]) => text(rowId, piece)),
			id.map((rowId): ViewEvent => ({ type: 'rows_removed', rowIds: [rowId] })),
			fc.nat(9).map((contextTokens): ViewEvent => ({ type: 'state_changed', state: { contextTokens } })),
			fc.constantFrom('flush' as const, 'hide' as const, 'show' as const),
		);
		fc.assert(
			fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
				const { view, later, channel, send } = start();
				const panels = [new FakePanel(channel), new FakePanel(channel)];
				const [first] = panels;
				assert.ok(first);
				for (const panel of panels) panel.handle.ready();
				for (const step of actions) {
					if (typeof step === 'object') send(step);
					else if (step === 'flush') later.run();
					else if (step === 'hide' && first.visible) first.hide();
					else if (step === 'show' && !first.visible) first.show();
				}
				if (!first.visible) first.show();
				later.run();
				for (const panel of panels) {
					assert.deepEqual(panel.rows, view.all);
					assert.deepEqual(panel.model.state, view.state);
				}
			}),
		);
	});

	test('a thousand deltas of two rows are two events', () => {
		const events = Array.from({ length: 1000 }, (_, at) => text(at % 2 ? 'a' : 'b', 'x'));
		assert.equal(merged(events).length, 2);
	});
});
