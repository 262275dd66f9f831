// Brings the view to the panel's surfaces (the view and the editor tab, both at once if the person likes). Each surface has its
// own `seq`; deltas are merged to one message per 30 ms; a surface that is hidden gets nothing but a snapshot when shown.
import type { MediaAttachment } from '../../shared/composer.ts';
import type { PanelFocus, ToWebview, ViewEvent } from '../../shared/protocol.ts';
import { findRows } from './findRows.ts';
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
	/** Where the page wants to be as soon as it is ready. */
	awaited: FocusMessage | undefined;
	/** Where the keyboard is in the page. */
	focus: PanelFocus;
	/** The newest text to find. */
	finding: string;
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
		const attached: Attached = { surface, seq: -1, wasReady: false, awaited: undefined, focus: 'none', finding: '' };
		this.attached.add(attached);
		return {
			ready: () => {
				this.flush();
				this.snapshot(attached);
				if (attached.awaited) surface.post(attached.awaited);
				attached.awaited = undefined;
			},
			visibilityChanged: () => {
				if (!surface.visible) {
					attached.focus = 'none';
					attached.wasReady ||= attached.seq >= 0;
					attached.seq = -1;
				} else if (attached.wasReady) {
					this.later(() => {
						if (attached.seq < 0 && surface.visible && this.attached.has(attached)) this.snapshot(attached);
					}, showPatience);
				}
			},
			earlierRows: (before, through) => {
				const view = this.view();
				const send = () => {
					this.flush();
					const page = through === undefined ? view.before(before) : view.between(through, before);
					surface.post({ type: 'earlier_rows', rows: page.rows, earlier: page.earlier });
				};
				if (!view.lacks(before, through)) return send();
				void view.older?.until(() => !view.lacks(before, through)).then(() => view === this.view() && send());
			},
			newestQuery: '',
			post: (message) => surface.post(message),
			focusComposer: (insert, attachments = []) => {
				this.moveFocus(attached, {
					type: 'composer_focused',
					...(insert === undefined ? {} : { insert }),
					...(attachments.length === 0 ? {} : { attachments }),
				});
			},
			focusRequest: () => {
				this.moveFocus(attached, { type: 'request_focused' });
				// Until the page tells: whoever presses the key twice wants to come back.
				attached.focus = 'request';
			},
			focusMoved: (focus) => {
				attached.focus = focus;
			},
			find: async (query) => {
				attached.finding = query;
				const isNewest = async () => {
					await new Promise<void>((resolve) => void this.later(resolve, 0));
					return attached.finding === query && this.attached.has(attached);
				};
				const view = this.view();
				await view.older?.until(() => attached.finding !== query);
				const found = await findRows(view.all, query, isNewest);
				if (found && attached.finding === query) surface.post({ type: 'found', query, ...found });
			},
			outline: () => {
				const view = this.view();
				const send = () => surface.post({ type: 'outline', prompts: view.prompts });
				if (view.older?.more !== true) return send();
				void view.older.until(() => false).then(() => view === this.view() && send());
			},
			ruleChecked: (checked) => surface.post({ type: 'rule_checked', ...checked }),
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

	/** Where the keyboard is in the panel's surfaces. */
	get focus(): PanelFocus {
		const all = [...this.attached].map(({ focus }) => focus);
		return all.find((focus) => focus === 'request') ?? all.find((focus) => focus === 'elsewhere') ?? 'none';
	}

	dispose(): void {
		this.cancel?.();
		this.attached.clear();
	}

	private moveFocus(attached: Attached, message: FocusMessage): void {
		const { surface } = attached;
		if (attached.seq >= 0 && surface.visible) surface.post(message);
		else attached.awaited = joined(attached.awaited, message);
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
	/** A page of rows before this one, or all from `through` on. */
	earlierRows(before: string, through?: string): void;
	/** Answers unless another question comes first. */
	find(query: string): Promise<void>;
	outline(): void;
	/** What `@` was asked for last. */
	newestQuery: string;
	/** The answer to something that the page asked. */
	post(message: ComposerAnswer): void;
	/** At once, or as soon as the page is ready. */
	focusComposer(insert?: string, attachments?: readonly MediaAttachment[]): void;
	/** The same, on the card of what waits for an answer. */
	focusRequest(): void;
	/** The page tells where the keyboard is. */
	focusMoved(focus: PanelFocus): void;
	ruleChecked(checked: Omit<Extract<ToWebview, { type: 'rule_checked' }>, 'type'>): void;
	detach(): void;
}

type ComposerAnswer = Extract<
	ToWebview,
	{ type: 'mentions_found' | 'history' | 'draft' | 'text_inserted' | 'media_refused' | 'context_shown' | 'copied' }
>;

type FocusMessage = Extract<ToWebview, { type: 'composer_focused' | 'request_focused' }>;

/** The last place counts; no text for the composer is lost. */
function joined(first: FocusMessage | undefined, second: FocusMessage): FocusMessage {
	if (first?.type !== 'composer_focused' || second.type !== 'composer_focused') return second;
	const insert = [first.insert, second.insert].filter((text) => text !== undefined).join('\n');
	const attachments = [...(first.attachments ?? []), ...(second.attachments ?? [])];
	return {
		type: 'composer_focused',
		...(insert === '' ? {} : { insert }),
		...(attachments.length === 0 ? {} : { attachments }),
	};
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
