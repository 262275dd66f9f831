// What the projection from events to rows works with, and the small words its parts are written in. Pure.
import type { LoopEvent } from '../../core/loop/events.ts';
import type { SessionEvent } from '../../core/session/options.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { Row, ViewState } from '../../shared/view.ts';

export type AgentEvent = LoopEvent | SessionEvent;

/** What is known of the view so far. */
export interface ViewSource {
	readonly state: ViewState;
	readonly projected: ProjectionState;
	row(id: string): Row | undefined;
}

/** What the projection has to remember between events; replaced whole. */
export interface ProjectionState {
	/** What goes on in a running exchange. */
	readonly phase: Phase;
	/** Rows that still grow. */
	readonly open: readonly string[];
	/** Rows of the newest answer: they go when it is taken back. */
	readonly answer: { readonly messageId: string; readonly rows: readonly string[] };
	/** Error rows whose buttons still mean something. */
	readonly errors: readonly string[];
	/** Milliseconds since the epoch at which the newest thinking block began. */
	readonly thinkingSince: number;
	/** Sums of the running exchange. */
	readonly exchange: ExchangeSums;
	/** The newest tool call's block (`messageId:index`) and its row. */
	readonly toolBlock: { readonly block: string; readonly row: string } | undefined;
	/** Makes ids of rows that no message stands behind. */
	readonly serial: number;
}
export type Phase = 'working' | 'retrying' | 'compacting';
export interface ExchangeSums {
	readonly model: string;
	readonly lastMessageId: string;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly costUsd: number;
	/** When it began, in milliseconds since the epoch; 0 before that. */
	readonly since: number;
}
const nothing: ExchangeSums = {
	model: '',
	lastMessageId: '',
	inputTokens: 0,
	outputTokens: 0,
	costUsd: 0,
	since: 0,
};
export const newProjection: ProjectionState = {
	phase: 'working',
	open: [],
	answer: { messageId: '', rows: [] },
	errors: [],
	thinkingSince: 0,
	exchange: nothing,
	toolBlock: undefined,
	serial: 0,
};

export interface Projection {
	readonly events: readonly ViewEvent[];
	readonly state: ProjectionState;
}

/** A row that grows, whether it is there already or not. */
export function opened(view: ViewSource, row: Row, state: ProjectionState): Projection {
	const event: ViewEvent = view.row(row.id) ? { type: 'row_updated', row } : added(row);
	return { events: [event], state: { ...state, open: [...state.open.filter((id) => id !== row.id), row.id] } };
}

export function serial(view: ViewSource, row: (id: number) => Row): Projection {
	const { projected } = view;
	return { events: [added(row(projected.serial))], state: { ...projected, serial: projected.serial + 1 } };
}

/** The name of a model for people; its id when nobody knows it. */
export function modelName({ state }: ViewSource, id: string): string {
	return state.models.find((model) => model.id === id)?.name ?? (id === '' ? state.model.name : id);
}

export function withSums(view: ViewSource, sums: Partial<ExchangeSums>): ProjectionState {
	return { ...view.projected, exchange: { ...view.projected.exchange, ...sums } };
}

export function same(view: ViewSource, events: readonly ViewEvent[]): Projection {
	return { events, state: view.projected };
}

export function added(row: Row): ViewEvent {
	return { type: 'row_added', row };
}

export function removed(id: string): ViewEvent {
	return { type: 'rows_removed', rowIds: [id] };
}

export function changed(state: Partial<ViewState>): ViewEvent {
	return { type: 'state_changed', state };
}
