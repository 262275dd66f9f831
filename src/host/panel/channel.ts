// Brings the view to the panel's surfaces (the view and the editor tab, both at once if the person likes). Each surface has its
// own `seq`; deltas are merged to one message per 30 ms; a surface that is hidden gets nothing but a snapshot when shown.
import type { ToWebview, ViewEvent } from '../../shared/protocol.ts';
import type { ViewModel } from './viewModel.ts';

/** Milliseconds. */
export const mergeInterval = 30;
/** Milliseconds after which a shown page that was kept, and so says nothing, gets its snapshot anyway. */
const showPatience = 500;

/** One place where the panel is drawn. */
export interface Surface {
	post(message: ToWebview): void;
	readonly visible: boolean;
}

/** Runs `task` after `ms`; gives back how to cancel it. */
export type Later = (task: () => void, ms: number) => () => void;

interface Attached {
	readonly surface: Surface;
	/** Of the last message sent; -1 until the page has said that it is ready. */
	seq: number;
	wasReady: boolean;
	/** What to do as soon as the page is ready. */
	focus: { readonly insert?: string } | undefined;
}

export class Channel {
	private readonly attached = new Set<Attached>();
	private pending: ViewEvent[] = [];
	private cancel: (() => void) | undefined;
	private readonly view: () => ViewModel;
	private readonly later: Later;

	constructor(view: () => ViewModel, later: Later) {
		this.view = view;
		this.later = later;
	}

	/** Gives back the surface's handle; it gets nothing before `ready`. */
	attach(surface: Surface): SurfaceHandle {
		const attached: Attached = { surface, seq: -1, wasReady: false, focus: undefined };
		this.attached.add(attached);
		return {
			ready: () => {
				this.flush();
				this.snapshot(attached);
				if (attached.focus) surface.post({ type: 'composer_focused', ...attached.focus });
				attached.focus = undefined;
			},
			visibilityChanged: () => {
				if (!surface.visible) {
					attached.wasReady ||= attached.seq >= 0;
					attached.seq = -1;
				} else if (attached.wasReady) {
					this.later(() => {
						if (attached.seq < 0 && surface.visible && this.attached.has(attached)) this.snapshot(attached);
					}, showPatience);
				}
			},
			earlierRows: (before) => {
				this.flush();
				const page = this.view().before(before);
				surface.post({ type: 'earlier_rows', rows: page.rows, earlier: page.earlier });
			},
			focusComposer: (insert) => {
				const focus = insert === undefined ? {} : { insert };
				if (attached.seq >= 0 && surface.visible) surface.post({ type: 'composer_focused', ...focus });
				else attached.focus = joined(attached.focus, focus);
			},
			detach: () => {
				this.attached.delete(attached);
			},
		};
	}

	/** Sends changes that the view already has. */
	publish(events: readonly ViewEvent[]): void {
		if (events.length === 0) return;
		this.pending.push(...events);
		this.cancel ??= this.later(() => this.flush(), mergeInterval);
	}

	/** Everything is different (another conversation): each surface starts anew. */
	reset(): void {
		this.pending = [];
		for (const attached of this.attached) if (attached.seq >= 0) this.snapshot(attached);
	}

	/** True while a person can see a surface. */
	get visible(): boolean {
		return [...this.attached].some(({ surface }) => surface.visible);
	}

	dispose(): void {
		this.cancel?.();
		this.attached.clear();
	}

	private flush(): void {
		this.cancel?.();
		this.cancel = undefined;
		if (this.pending.length === 0) return;
		const events = merged(this.pending);
		this.pending = [];
		for (const attached of this.attached) {
			if (attached.seq < 0 || !attached.surface.visible) continue;
			attached.seq++;
			attached.surface.post({ type: 'events', seq: attached.seq, events });
		}
	}

	private snapshot(attached: Attached): void {
		const view = this.view();
		const { rows, earlier } = view.latest();
		attached.seq = Math.max(0, attached.seq + 1);
		attached.surface.post({ type: 'snapshot', seq: attached.seq, state: view.state, rows, earlier });
	}
}

/** What the owner of a surface tells about it. */
export interface SurfaceHandle {
	/** The page says that it is there, for the first time or again: it gets a snapshot. */
	ready(): void;
	/** The page of a hidden surface is thrown away: it says `ready` again when shown. */
	visibilityChanged(): void;
	earlierRows(before: string): void;
	/** At once, or as soon as the page is ready. */
	focusComposer(insert?: string): void;
	detach(): void;
}

function joined(first: { readonly insert?: string } | undefined, second: { readonly insert?: string }) {
	const insert = [first?.insert, second.insert].filter((text) => text !== undefined).join('\n');
	return insert === '' ? {} : { insert };
}

/** Fewer events with the same effect: text that follows text of its row is joined, only the last state of a row is kept. */
export function merged(events: readonly ViewEvent[]): readonly ViewEvent[] {
	const result: (ViewEvent | undefined)[] = [];
	/** Per row: where its newest event is in `result`. */
	const newest = new Map<string, number>();
	let stateAt: number | undefined;
	for (const event of events) {
		if (event.type === 'state_changed') {
			const before = stateAt === undefined ? undefined : result[stateAt];
			if (stateAt !== undefined && before?.type === 'state_changed') {
				result[stateAt] = { type: 'state_changed', state: { ...before.state, ...event.state } };
			} else stateAt = result.push(event) - 1;
		} else if (event.type === 'text_appended') mergeText(result, newest, event);
		else if (event.type === 'row_updated') mergeRow(result, newest, event);
		else {
			const at = result.push(event) - 1;
			if (event.type === 'row_added') newest.set(event.row.id, at);
			else for (const id of event.rowIds) newest.delete(id);
		}
	}
	return result.filter((event) => event !== undefined);
}

type Of<T extends ViewEvent['type']> = Extract<ViewEvent, { type: T }>;

function mergeText(result: (ViewEvent | undefined)[], newest: Map<string, number>, event: Of<'text_appended'>): void {
	const at = newest.get(event.rowId);
	const before = at === undefined ? undefined : result[at];
	if (at !== undefined && before?.type === 'text_appended') {
		result[at] = { ...before, text: before.text + event.text };
	} else newest.set(event.rowId, result.push(event) - 1);
}

function mergeRow(result: (ViewEvent | undefined)[], newest: Map<string, number>, event: Of<'row_updated'>): void {
	const at = newest.get(event.row.id);
	const before = at === undefined ? undefined : result[at];
	if (at !== undefined && before?.type === 'row_added') {
		result[at] = { type: 'row_added', row: event.row };
		return;
	}
	if (at !== undefined) result[at] = undefined;
	newest.set(event.row.id, result.push(event) - 1);
}
