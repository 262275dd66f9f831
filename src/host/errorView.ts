// A failure of the model service as the panel shows it: a code that the view localises, and what the person can do about it.
import type { EndReason } from '../core/loop/state.ts';
import type { ModelFailure, ModelFailureKind } from '../core/model/failure.ts';
import type { ErrorView } from '../shared/view.ts';

type Action = ErrorView['actions'][number];

const actions: Readonly<Record<ModelFailureKind, readonly Action[]>> = {
	authentication: ['set_key', 'retry'],
	permission: ['set_key', 'open_settings'],
	billing: ['retry', 'open_settings'],
	not_found: ['open_settings', 'retry'],
	prompt_too_long: ['compact', 'retry'],
	media_too_large: ['compact', 'retry'],
	invalid_request: ['retry', 'show_log'],
	invalid_signature: ['retry', 'show_log'],
	rate_limited: ['retry'],
	overloaded: ['retry'],
	server_error: ['retry', 'show_log'],
	unreachable: ['retry', 'open_settings'],
	not_a_stream: ['open_settings', 'retry'],
	dropped: ['retry'],
	stalled: ['retry'],
	output_limit: ['retry', 'open_settings'],
	refused: ['retry', 'open_settings'],
	not_configured: ['set_key', 'open_settings'],
	unknown: ['retry', 'show_log'],
};

export function errorView(failure: ModelFailure, model?: string): ErrorView {
	const args = { ...(model === undefined ? {} : { model }), ...failureArgs(failure) };
	return { code: failure.kind, args, detail: failure.message, actions: actions[failure.kind] };
}

/** Only what is known: `status`, `host`, `code`, `seconds` (to wait), `actual` and `maximum` (tokens), `requestId`. */
export function failureArgs(failure: ModelFailure): Readonly<Record<string, string>> {
	const args: Record<string, string> = {};
	if (failure.status !== undefined) args['status'] = String(failure.status);
	if (failure.host !== undefined) args['host'] = failure.host;
	if (failure.code !== undefined) args['code'] = failure.code;
	if (failure.retryAfterMs !== undefined) args['seconds'] = String(Math.ceil(failure.retryAfterMs / 1000));
	if (failure.actual !== undefined) args['actual'] = String(failure.actual);
	if (failure.maximum !== undefined) args['maximum'] = String(failure.maximum);
	if (failure.requestId !== undefined) args['requestId'] = failure.requestId;
	return args;
}

/** A compaction that the person asked for failed: the reason, and the same again as the way on. */
export function compactionError(failure: ModelFailure): ErrorView {
	const view = errorView(failure);
	const others = view.actions.filter((action) => action !== 'retry' && action !== 'compact');
	return { ...view, actions: ['compact', ...others] };
}

/** Ends of an exchange that are failures: by the reason of the end, when no more is known. */
const ends: Readonly<Partial<Record<EndReason, Pick<ErrorView, 'code' | 'actions'>>>> = {
	prompt_too_long: { code: 'prompt_too_long', actions: actions.prompt_too_long },
	image_error: { code: 'media_too_large', actions: actions.media_too_large },
	refusal: { code: 'refused', actions: actions.refused },
	blocking_limit: { code: 'blocking_limit', actions: ['compact', 'open_settings'] },
	model_error: { code: 'unknown', actions: actions.unknown },
	malformed_tool_use_exhausted: { code: 'malformed_tool_use_exhausted', actions: ['retry'] },
	rapid_refill_breaker: { code: 'rapid_refill_breaker', actions: ['retry', 'open_settings'] },
};

/** Undefined when the end is none that a person must be warned of. */
export function endView(reason: string): ErrorView | undefined {
	const known: Readonly<Record<string, Pick<ErrorView, 'code' | 'actions'>>> = ends;
	const end = Object.hasOwn(known, reason) ? known[reason] : undefined;
	return end && { ...end, args: {}, detail: '' };
}

/** A bug of ours that ended an exchange: nothing about it but that it happened goes to the panel; the rest is in the log. */
export function internalError(): ErrorView {
	return { code: 'internal', args: {}, detail: '', actions: ['show_log'] };
}
