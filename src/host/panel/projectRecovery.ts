// What an exchange goes through besides its answers: waits, answers taken back, other models, compactions, and how it ends.
// Rule: a failure that was recovered leaves no error behind. Pure.
import type { LoopEvent } from '../../core/loop/events.ts';
import type { EndReason } from '../../core/loop/state.ts';
import type { ProjectionChange } from '../../core/messages/projection.ts';
import { textOf } from '../../core/messages/types.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { NoticeCode, Row } from '../../shared/view.ts';
import { endView, errorView, failureArgs } from '../errorView.ts';
import type { Projection, ProjectionState, ViewSource } from './projection.ts';
import { added, changed, modelName, newProjection, same, serial } from './projection.ts';

type EventOf<T extends LoopEvent['type']> = Extract<LoopEvent, { type: T }>;

/** Characters of a summary that its row shows. */
const summaryMost = 100_000;

/** The answer is taken back: its texts, its thinking and its calls go. */
export function answerRetracted(view: ViewSource, messageId: string): Projection {
	const { projected } = view;
	if (projected.answer.messageId !== messageId) return same(view, []);
	const rowIds = projected.answer.rows.filter((id) => view.row(id));
	const open = projected.open.filter((id) => !rowIds.includes(id));
	const state: ProjectionState = { ...projected, open, answer: newProjection.answer, toolBlock: undefined };
	return { events: rowIds.length > 0 ? [{ type: 'rows_removed', rowIds }] : [], state };
}

export function retryWait(view: ViewSource, event: EventOf<'retry_wait'>): Projection {
	const { failure, attempt, until } = event;
	const retry = { code: failure.kind, args: failureArgs(failure), attempt: attempt + 1 };
	const rateLimit = failure.kind === 'rate_limited' ? { until } : null;
	return { events: [changed({ retryAt: until, retry, rateLimit })], state: { ...view.projected, phase: 'retrying' } };
}

/** The request goes well again, or is over: the line that said why it was repeated goes. */
export function retryOver(view: ViewSource): readonly ViewEvent[] {
	return view.state.retry ? [changed({ retry: null })] : [];
}

/** Something was answered: whatever limited the requests does so no more. */
export function limitOver(view: ViewSource): readonly ViewEvent[] {
	return view.state.rateLimit ? [changed({ rateLimit: null })] : [];
}

export function modelFallback(view: ViewSource, event: EventOf<'model_fallback'>): Projection {
	const args = { from: modelName(view, event.from), to: modelName(view, event.to) };
	return notice(view, 'model_fallback', args, retryOver(view));
}

/** Only a summary changes what a person should know of; the other stages are for the log. */
export function projectionChanged(view: ViewSource, change: ProjectionChange): Projection {
	if (change.kind !== 'compacted') return same(view, []);
	const { before, after, summary, upTo } = change;
	const row: Row = {
		kind: 'compacted',
		id: `compacted:${summary[0]?.id ?? upTo}`,
		before,
		after,
		summary: summaryText(summary.map(textOf).join('\n\n')),
	};
	return same(view, [added(row), changed({ contextTokens: after })]);
}

/** What the model wrote, without what was put back beside it. */
function summaryText(whole: string): string {
	const text = /<summary>\n?([\s\S]*?)\n?<\/summary>/.exec(whole)?.[1] ?? whole;
	return text.length > summaryMost ? `${text.slice(0, summaryMost)}…` : text;
}

export function contextPrepared(view: ViewSource, event: EventOf<'context_prepared'>): Projection {
	return event.problem?.kind === 'summary_failed' ? notice(view, 'compact_failed', {}) : same(view, []);
}

export function modelError(view: ViewSource, event: EventOf<'model_error'>, now: number): Projection {
	const { failure } = event;
	const error = errorView(failure, modelName(view, view.projected.exchange.model));
	const told = errorRow(view, (id) => ({ kind: 'error', id, error }));
	if (failure.kind !== 'rate_limited') return told;
	const until = failure.retryAfterMs === undefined ? null : now + failure.retryAfterMs;
	return { ...told, events: [...told.events, changed({ rateLimit: { until } })] };
}

/**
 * The end of an exchange: nothing grows any more, an end that is no answer is told, and a line says what it took.
 * `stored`: read from a transcript, which has the reason only; else failures and the limit of turns were told before.
 */
export function exchangeEnd(view: ViewSource, reason: string, { stored, now }: Ended): Projection {
	const told = endTold(view, reason, stored);
	const { open, exchange, serial: next, errors } = told.state;
	const events = [...open.flatMap((id) => closed(view.row(id))), ...retryOver(view), ...told.events];
	if (exchange.lastMessageId !== '') {
		const { lastMessageId, since, ...sums } = exchange;
		const durationMs = Math.max(0, now - (since || now));
		events.push(added({ kind: 'summary', id: `${lastMessageId}:summary`, ...sums, durationMs, time: now }));
	}
	return { events, state: { ...newProjection, serial: next, errors } };
}
interface Ended {
	readonly stored: boolean;
	/** Milliseconds since the epoch. */
	readonly now: number;
}

const endNotices: Readonly<Partial<Record<string, NoticeCode>>> = {
	budget_exhausted: 'budget_exhausted',
	stop_hook_prevented: 'stop_hook_prevented',
	hook_stopped: 'hook_stopped',
} satisfies Partial<Record<EndReason, NoticeCode>>;

function endTold(view: ViewSource, reason: string, stored: boolean): Projection {
	const code = stored && reason === 'max_turns' ? 'max_turns' : endNotices[reason];
	if (code) return notice(view, code, {});
	const error = endView(reason);
	if (!error) return same(view, []);
	if (stored || reason === 'malformed_tool_use_exhausted') {
		return errorRow(view, (id) => ({ kind: 'error', id, error }));
	}
	// The failure that was told just before says less than the end.
	const last = view.row(view.projected.errors.at(-1) ?? '');
	if (last?.kind !== 'error' || !isOwnEnd(reason)) return same(view, []);
	const row: Row = { ...last, error: { ...error, args: last.error.args } };
	return same(view, [{ type: 'row_updated', row }]);
}

/** Ends whose failure says less than the end itself. */
function isOwnEnd(reason: string): boolean {
	return reason === 'blocking_limit' || reason === 'rapid_refill_breaker';
}

/** The person went on: what an older failure offered is of no use any more. */
export function errorsPast(view: ViewSource): Projection {
	const { projected } = view;
	const events = projected.errors.flatMap((id): ViewEvent[] => {
		const row = view.row(id);
		return row?.kind === 'error'
			? [{ type: 'row_updated', row: { ...row, error: { ...row.error, actions: [] } } }]
			: [];
	});
	return { events, state: { ...projected, errors: [] } };
}

function errorRow(view: ViewSource, row: (id: string) => Row): Projection {
	const id = `error:${view.projected.serial}`;
	const { events, state } = serial(view, () => row(id));
	return { events: [...retryOver(view), ...events], state: { ...state, errors: [...state.errors, id] } };
}

function notice(
	view: ViewSource,
	code: NoticeCode,
	args: Readonly<Record<string, string>>,
	before: readonly ViewEvent[] = [],
): Projection {
	const { events, state } = serial(view, (id) => ({ kind: 'notice', id: `notice:${id}`, code, args }));
	return { events: [...before, ...events], state };
}

function closed(row: Row | undefined): ViewEvent[] {
	if (row?.kind === 'text' || row?.kind === 'thinking') return [{ type: 'row_updated', row: { ...row, open: false } }];
	if (row?.kind === 'tool') return [{ type: 'row_updated', row: { ...row, state: 'stopped' } }];
	return [];
}
