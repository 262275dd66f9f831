// What the panel knows, and how each message of the host changes it. Pure: same model and message, same result; an unknown
// row id never throws (the host may have dropped the row meanwhile).
import type { ToWebview, ViewEvent } from '../../src/shared/protocol.ts';
import type { Row, ViewState } from '../../src/shared/view.ts';

export interface PanelModel {
	/** Of the last applied message; -1 until the first snapshot. */
	readonly seq: number;
	readonly state: ViewState | undefined;
	/** Row ids from top to bottom. */
	readonly order: readonly string[];
	readonly rows: ReadonlyMap<string, Row>;
	/** Rows that the host has before the first one here. */
	readonly earlier: number;
}

export const emptyModel: PanelModel = { seq: -1, state: undefined, order: [], rows: new Map(), earlier: 0 };

export interface Received {
	readonly model: PanelModel;
	/** Messages were lost: say `ready` again and wait for the snapshot. */
	readonly gap: boolean;
}

/** Applies a message of the host. Where the focus goes, what a typed rule would do and what was found is not the model's business. */
export function receive(model: PanelModel, message: ToWebview): Received {
	switch (message.type) {
		case 'snapshot':
			return { model: fromSnapshot(message), gap: false };
		case 'events':
			if (model.seq < 0 || message.seq <= model.seq) return { model, gap: false };
			if (message.seq > model.seq + 1) return { model: { ...model, seq: -1 }, gap: true };
			return { model: { ...applyEvents(model, message.events), seq: message.seq }, gap: false };
		case 'earlier_rows':
			return { model: prepend(model, message.rows, message.earlier), gap: false };
		case 'composer_focused':
		case 'text_inserted':
		case 'draft':
		case 'media_refused':
		case 'mentions_found':
		case 'history':
		case 'request_focused':
		case 'rule_checked':
		case 'found':
		case 'outline':
		case 'copied':
		case 'context_shown':
			return { model, gap: false };
	}
}

function fromSnapshot(message: Extract<ToWebview, { type: 'snapshot' }>): PanelModel {
	const rows = new Map(message.rows.map((row) => [row.id, row]));
	return { seq: message.seq, state: message.state, order: [...rows.keys()], rows, earlier: message.earlier };
}

function prepend(model: PanelModel, older: readonly Row[], earlier: number): PanelModel {
	const fresh = new Map(older.filter((row) => !model.rows.has(row.id)).map((row) => [row.id, row]));
	return {
		...model,
		order: [...fresh.keys(), ...model.order],
		rows: new Map([...fresh, ...model.rows]),
		earlier,
	};
}

/** Rows from which on the oldest are let go of, and how many stay then. */
const mostRows = 1200;
const keptRows = 400;

/** The newest rows, from a prompt on, when there are very many; the host tells the others again when they are asked for. */
export function trimmed(model: PanelModel): PanelModel {
	const { order } = model;
	if (order.length <= mostRows) return model;
	const latest = order.length - keptRows;
	const prompt = order.findLastIndex((id, index) => index <= latest && model.rows.get(id)?.kind === 'prompt');
	const from = prompt > 0 ? prompt : latest;
	const kept = order.slice(from);
	const keptIds = new Set(kept);
	const rows = new Map([...model.rows].filter(([id]) => keptIds.has(id)));
	return { ...model, order: kept, rows, earlier: model.earlier + from };
}

/** Applies events in order. One copy of the row map per call, however many events there are. */
export function applyEvents(model: PanelModel, events: readonly ViewEvent[]): PanelModel {
	const rows = new Map(model.rows);
	let { order, state } = model;
	for (const event of events) {
		switch (event.type) {
			case 'row_added':
				if (!rows.has(event.row.id)) order = [...order, event.row.id];
				rows.set(event.row.id, event.row);
				break;
			case 'row_updated':
				if (rows.has(event.row.id)) rows.set(event.row.id, event.row);
				break;
			case 'text_appended': {
				const row = rows.get(event.rowId);
				if (row) rows.set(event.rowId, withText(row, event.text));
				break;
			}
			case 'rows_removed': {
				const gone = new Set(event.rowIds.filter((id) => rows.delete(id)));
				if (gone.size > 0) order = order.filter((id) => !gone.has(id));
				break;
			}
			case 'state_changed':
				if (state) state = { ...state, ...event.state };
				break;
		}
	}
	return { ...model, order, rows, state };
}

/** The page's own note on a row: nobody has to look for what is new in a long text. */
interface Grown {
	readonly grownBy?: string;
}

/** What its text grew by last; undefined for one that came as a whole. */
export function grownBy(row: Row & Grown): string | undefined {
	return row.grownBy;
}

function withText(row: Row, text: string): Row {
	if (row.kind === 'text' || row.kind === 'thinking') {
		const grown: Row & Grown = { ...row, text: row.text + text, grownBy: text };
		return grown;
	}
	if (row.kind === 'tool' && row.view.kind === 'command') {
		return { ...row, view: { ...row.view, output: row.view.output + text } };
	}
	return row;
}

/** A prompt and the run of rows that answers it; either may be missing. Each becomes one `article`. */
export interface Exchange {
	readonly key: string;
	readonly prompt: string | undefined;
	readonly answer: readonly string[];
}

/** Cuts the rows into exchanges. Exchanges that did not change keep their identity, so that they are not drawn again. */
export function exchanges(
	order: readonly string[],
	rows: ReadonlyMap<string, Row>,
	previous: readonly Exchange[] = [],
): readonly Exchange[] {
	const found: { key: string; prompt: string | undefined; answer: string[] }[] = [];
	for (const id of order) {
		const last = found.at(-1);
		if (rows.get(id)?.kind === 'prompt') found.push({ key: id, prompt: id, answer: [] });
		else if (last) last.answer.push(id);
		else found.push({ key: id, prompt: undefined, answer: [id] });
	}
	const known = new Map(previous.map((exchange) => [exchange.key, exchange]));
	return found.map((exchange) => {
		const before = known.get(exchange.key);
		return before && same(before, exchange) ? before : exchange;
	});
}

function same(a: Exchange, b: Exchange): boolean {
	return (
		a.prompt === b.prompt &&
		a.answer.length === b.answer.length &&
		a.answer.every((id, index) => id === b.answer[index])
	);
}
