// The rows and the state that the panel shows, kept in the host: a snapshot is simply what is here now. No `vscode`.
import type { OutlinePrompt, ViewEvent } from '../../shared/protocol.ts';
import type { Row, ViewState } from '../../shared/view.ts';
import type { AgentEvent, Projection, ProjectionState, ViewSource } from './projection.ts';
import { newProjection } from './projection.ts';
import { projectView } from './projectView.ts';

/** Rows of a snapshot, and of each answer to `rows_requested`. */
export const pageRows = 200;
/** Characters of a page's texts; a page with long results has fewer rows, but never fewer than `leastRows`. */
const pageCharacters = 4_000_000;
const leastRows = 20;
/** Characters of a prompt in the outline. */
const outlineCharacters = 200;

export interface RowPage {
	readonly rows: readonly Row[];
	/** How many rows are before the first one, at least. */
	readonly earlier: number;
}

/** Rows that are stored and not here yet. */
export interface StoredRows {
	/** There may be some. */
	readonly more: boolean;
	/** Brings pages of them until `enough`, or until all are here; never rejects. */
	until(enough: () => boolean): Promise<void>;
}

export class ViewModel implements ViewSource {
	/** Come before all others. */
	older: StoredRows | undefined;
	private pages = 0;
	private readonly rows = new Map<string, Row>();
	private order: string[] = [];
	private projection: ProjectionState = newProjection;
	private current: ViewState;

	constructor(state: ViewState) {
		this.current = state;
	}

	get state(): ViewState {
		return this.current;
	}

	get projected(): ProjectionState {
		return this.projection;
	}

	row(id: string): Row | undefined {
		return this.rows.get(id);
	}

	get all(): readonly Row[] {
		return this.order.flatMap((id) => this.rows.get(id) ?? []);
	}

	/** Takes what the agent told; gives back what the panel has to be told. `now`: milliseconds since the epoch. */
	accept(event: AgentEvent, now: number): readonly ViewEvent[] {
		return this.take(projectView(this, event, now));
	}

	take({ events, state }: Projection): readonly ViewEvent[] {
		this.projection = state;
		for (const change of events) this.apply(change);
		return events;
	}

	/** Takes a change that has no event of the agent behind it. */
	apply(event: ViewEvent): void {
		switch (event.type) {
			case 'row_added':
				if (!this.rows.has(event.row.id)) this.order.push(event.row.id);
				this.rows.set(event.row.id, event.row);
				return;
			case 'row_updated':
				if (this.rows.has(event.row.id)) this.rows.set(event.row.id, event.row);
				return;
			case 'text_appended': {
				const row = this.rows.get(event.rowId);
				if (row) this.rows.set(row.id, withText(row, event.text));
				return;
			}
			case 'rows_removed': {
				const gone = new Set(event.rowIds.filter((id) => this.rows.delete(id)));
				if (gone.size > 0) this.order = this.order.filter((id) => !gone.has(id));
				return;
			}
			case 'state_changed':
				this.current = { ...this.current, ...event.state };
				return;
		}
	}

	/** The newest rows. */
	latest(): RowPage {
		return this.page(this.order.length);
	}

	/** Puts rows before all others; who has their id keeps it. */
	prepend(rows: readonly Row[]): void {
		this.pages++;
		const fresh = rows.map((row) => (this.rows.has(row.id) ? { ...row, id: `page${this.pages}:${row.id}` } : row));
		for (const row of fresh) this.rows.set(row.id, row);
		this.order = [...fresh.map(({ id }) => id), ...this.order];
	}

	/** Stored rows have to be brought for a page before `id`, or for all from `through` on. */
	lacks(id: string, through: string | undefined): boolean {
		if (this.older?.more !== true) return false;
		return through === undefined ? this.order.indexOf(id) < pageRows : !this.rows.has(through);
	}

	/** The rows just before the row `id`; none when it is unknown. */
	before(id: string): RowPage {
		return this.page(Math.max(0, this.order.indexOf(id)));
	}

	/** All rows from `through` to just before the row `id`; a page when `through` is not among them. */
	between(through: string, id: string): RowPage {
		const [from, end] = [this.order.indexOf(through), Math.max(0, this.order.indexOf(id))];
		if (from < 0 || from >= end) return this.page(end);
		return {
			rows: this.order.slice(from, end).flatMap((each) => this.rows.get(each) ?? []),
			earlier: from + this.stored,
		};
	}

	/** The first prompt of the person; empty before there is one. */
	get title(): string {
		for (const id of this.order) {
			const row = this.rows.get(id);
			if (row?.kind === 'prompt') return row.text;
		}
		return '';
	}

	/** The person's prompts, the oldest first. */
	get prompts(): readonly OutlinePrompt[] {
		return this.all.flatMap((row) =>
			row.kind === 'prompt' ? [{ id: row.id, text: row.text.slice(0, outlineCharacters), time: row.time }] : [],
		);
	}

	private page(end: number): RowPage {
		const rows: Row[] = [];
		let characters = 0;
		for (let at = end - 1; at >= 0 && rows.length < pageRows; at--) {
			const row = this.rows.get(this.order[at] ?? '');
			if (!row) continue;
			characters += rowCharacters(row);
			if (characters > pageCharacters && rows.length >= leastRows) break;
			rows.push(row);
		}
		return { rows: rows.reverse(), earlier: end - rows.length + this.stored };
	}

	/** How many are stored is not known: one stands for them. */
	private get stored(): number {
		return this.older?.more === true ? 1 : 0;
	}
}

function withText(row: Row, text: string): Row {
	if (row.kind === 'text' || row.kind === 'thinking') return { ...row, text: row.text + text };
	if (row.kind === 'tool' && row.view.kind === 'command') {
		return { ...row, view: { ...row.view, output: row.view.output + text } };
	}
	return row;
}

/** About how much a row weighs on the wire; small parts are not counted. */
function rowCharacters(row: Row): number {
	if (row.kind === 'prompt' || row.kind === 'text' || row.kind === 'thinking') return row.text.length;
	if (row.kind === 'compacted') return row.summary.length;
	if (row.kind !== 'tool') return 100;
	const { view } = row;
	switch (view.kind) {
		case 'text':
		case 'read':
		case 'web':
			return view.text.length;
		case 'command':
			return view.output.length;
		case 'matches':
			return view.matches.reduce((sum, match) => sum + match.file.length + (match.text?.length ?? 0), 0);
		case 'files':
			return view.files.reduce((sum, file) => sum + file.length, 0);
		case 'edit':
			return view.hunks.reduce((sum, hunk) => sum + hunk.lines.reduce((all, line) => all + line.length, 0), 0);
		case 'plan':
			return view.plan.length;
		case 'agent':
			return view.log.reduce((sum, inner) => sum + rowCharacters(inner), view.answer.length);
		case 'none':
		case 'media':
		case 'todos':
		case 'answers':
			return 100;
	}
}
