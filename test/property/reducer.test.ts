// The panel's reducer against a plain reference: any events, in any batches, with unknown ids, give the same rows.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ViewEvent } from '../../src/shared/protocol.ts';
import type { Row } from '../../src/shared/view.ts';
import { applyEvents, emptyModel, exchanges, receive } from '../../webview-ui/src/reducer.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const row: fc.Arbitrary<Row> = fc.oneof(
	fc.record({ kind: fc.constant('prompt' as const), id, text: fc.string(), time: fc.nat() }),
	fc.record({ kind: fc.constant('text' as const), id, text: fc.string(), open: fc.boolean() }),
	fc.record({ kind: fc.constant('thinking' as const), id, text: fc.string(), open: fc.boolean() }),
	fc.record({ kind: fc.constant('notice' as const), id, code: fc.constant('resumed' as const), args: fc.constant({}) }),
);
const event: fc.Arbitrary<ViewEvent> = fc.oneof(
	fc.record({ type: fc.constant('row_added' as const), row }),
	fc.record({ type: fc.constant('row_updated' as const), row }),
	fc.record({ type: fc.constant('text_appended' as const), rowId: id, text: fc.string() }),
	fc.record({ type: fc.constant('rows_removed' as const), rowIds: fc.array(id) }),
	fc.constant<ViewEvent>({ type: 'state_changed', state: { status: 'working' } }),
);

/** The same rules over a plain list, written without regard to speed. */
function reference(events: readonly ViewEvent[]): readonly Row[] {
	let rows: readonly Row[] = [];
	for (const event of events) {
		if (event.type === 'row_added') {
			const known = rows.some((row) => row.id === event.row.id);
			rows = known ? rows.map((row) => (row.id === event.row.id ? event.row : row)) : [...rows, event.row];
		} else if (event.type === 'row_updated') {
			rows = rows.map((row) => (row.id === event.row.id ? event.row : row));
		} else if (event.type === 'text_appended') {
			rows = rows.map((row) =>
				row.id === event.rowId && (row.kind === 'text' || row.kind === 'thinking')
					? { ...row, text: row.text + event.text, grownBy: event.text }
					: row,
			);
		} else if (event.type === 'rows_removed') rows = rows.filter((row) => !event.rowIds.includes(row.id));
	}
	return rows;
}

suite('panel reducer, any events', () => {
	test('equals the reference, whatever the batches', () => {
		fc.assert(
			fc.property(fc.array(fc.array(event)), (batches) => {
				const model = batches.reduce(applyEvents, emptyModel);
				const rows = model.order.map((rowId) => model.rows.get(rowId));
				assert.deepEqual(rows, reference(batches.flat()));
				assert.equal(model.rows.size, model.order.length);
				assert.deepEqual(applyEvents(emptyModel, batches.flat()).order, model.order);
			}),
		);
	});

	test('lost and repeated messages never throw, and a gap is told once', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.nat(6), fc.array(event))), (messages) => {
				let model = { ...emptyModel, seq: 0 };
				let gaps = 0;
				for (const [seq, events] of messages) {
					const received = receive(model, { type: 'events', seq, events });
					if (received.gap) gaps += 1;
					model = received.model;
				}
				assert.ok(gaps <= 1);
			}),
		);
	});

	test('exchanges hold each row exactly once, in order', () => {
		fc.assert(
			fc.property(fc.array(event), (events) => {
				const model = applyEvents(emptyModel, events);
				const cut = exchanges(model.order, model.rows);
				const ids = cut.flatMap(({ prompt, answer }) => (prompt === undefined ? answer : [prompt, ...answer]));
				assert.deepEqual(ids, model.order);
				const again = exchanges(model.order, model.rows, cut);
				assert.ok(again.every((exchange, index) => exchange === cut[index]));
			}),
		);
	});
});
