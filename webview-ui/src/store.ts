// The model as signals: one per row, one for the order, one for the state. A row that grows redraws only itself.
import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { MediaAttachment } from '../../src/shared/composer.ts';
import type { ToWebview, ViewEvent } from '../../src/shared/protocol.ts';
import type { Row, ViewState } from '../../src/shared/view.ts';
import { emptyModel, exchanges, receive, trimmed } from './reducer.ts';
import type { Exchange } from './reducer.ts';

/** The host asked to put the focus into the composer; `count` tells one request from the next. */
export interface FocusRequest {
	readonly count: number;
	readonly insert?: string;
	/** Of a queued prompt that was taken back. */
	readonly attachments?: readonly MediaAttachment[];
}

export type CheckedRule = Extract<ToWebview, { type: 'rule_checked' }>;

export interface PanelStore {
	/** Undefined until the first snapshot. */
	readonly state: ReadonlySignal<ViewState | undefined>;
	readonly exchanges: ReadonlySignal<readonly Exchange[]>;
	readonly earlier: ReadonlySignal<number>;
	readonly focusRequest: ReadonlySignal<FocusRequest>;
	/** Rises when the host asks to put the focus on what waits for an answer. */
	readonly requestFocus: ReadonlySignal<number>;
	/** The host's last word on a rule that is being typed. */
	readonly ruleCheck: ReadonlySignal<CheckedRule | undefined>;
	/** The row's signal, or undefined when the row is gone. */
	row(id: string): ReadonlySignal<Row> | undefined;
	firstRow(): string | undefined;
	/** Rises when the person sent something: the conversation goes to its end. */
	readonly held: ReadonlySignal<number>;
	holdOn(): void;
	/** Lets go of rows far above, when there are very many; the host has them. Only while the reader is at the end. */
	forget(): void;
	/** Returns false when messages were lost and a snapshot must be asked for. */
	receive(message: ToWebview): boolean;
}

export function createStore(): PanelStore {
	let model = emptyModel;
	let grouped: readonly Exchange[] = [];
	const rows = new Map<string, Signal<Row>>();
	const state = signal<ViewState | undefined>(undefined);
	const order = signal<readonly string[]>([]);
	const earlier = signal(0);
	const held = signal(0);
	const focusRequest = signal<FocusRequest>({ count: 0 });
	const requestFocus = signal(0);
	const ruleCheck = signal<CheckedRule | undefined>(undefined);

	const publishRow = (id: string) => {
		const row = model.rows.get(id);
		const known = rows.get(id);
		if (!row) rows.delete(id);
		else if (known) known.value = row;
		else rows.set(id, signal(row));
	};
	/** `touched`: the rows that changed; all, when it is not known. */
	const publish = (touched: Iterable<string> = new Set([...rows.keys(), ...model.rows.keys()])) => {
		for (const id of touched) publishRow(id);
		state.value = model.state;
		order.value = model.order;
		earlier.value = model.earlier;
	};

	return {
		state,
		earlier,
		focusRequest,
		requestFocus,
		ruleCheck,
		held,
		holdOn() {
			held.value += 1;
		},
		forget() {
			model = trimmed(model);
			batch(() => publish());
		},
		exchanges: computed(() => (grouped = exchanges(order.value, model.rows, grouped))),
		row: (id) => rows.get(id),
		firstRow: () => model.order[0],
		receive(message) {
			if (message.type === 'composer_focused') {
				const { type: _type, ...wanted } = message;
				focusRequest.value = { count: focusRequest.peek().count + 1, ...wanted };
				return true;
			}
			if (message.type === 'request_focused') requestFocus.value += 1;
			if (message.type === 'rule_checked') ruleCheck.value = message;
			const received = receive(model, message);
			model = received.model;
			if (!received.gap)
				batch(() => publish(message.type === 'events' ? message.events.flatMap(touchedBy) : undefined));
			return !received.gap;
		},
	};
}

function touchedBy(event: ViewEvent): readonly string[] {
	switch (event.type) {
		case 'row_added':
		case 'row_updated':
			return [event.row.id];
		case 'text_appended':
			return [event.rowId];
		case 'rows_removed':
			return event.rowIds;
		case 'state_changed':
			return [];
	}
}
