// A failure of the model service as the panel shows it: a code that the view localises, and what the person can do about it.
import type { ModelFailure, ModelFailureKind } from '../core/model/failure.ts';
import type { ErrorView } from '../shared/view.ts';

type Action = ErrorView['actions'][number];

const actions: Readonly<Record<ModelFailureKind, readonly Action[]>> = {
	authentication: ['set_key', 'retry'],
	permission: ['set_key', 'open_settings'],
	billing: ['retry'],
	not_found: ['open_settings', 'retry'],
	prompt_too_long: [],
	media_too_large: [],
	invalid_request: ['retry', 'show_log'],
	invalid_signature: ['retry', 'show_log'],
	rate_limited: ['retry'],
	overloaded: ['retry'],
	server_error: ['retry', 'show_log'],
	unreachable: ['retry', 'open_settings'],
	not_a_stream: ['open_settings', 'retry'],
	dropped: ['retry'],
	stalled: ['retry'],
	output_limit: ['open_settings'],
	refused: [],
	not_configured: ['set_key', 'open_settings'],
	unknown: ['retry', 'show_log'],
};

/** `args` has only what is known: `model` (what was asked for), `status`, `host`, `code`, `seconds` (to wait), `actual` and `maximum` (tokens), `requestId`. */
export function errorView(failure: ModelFailure, model?: string): ErrorView {
	const args: Record<string, string> = {};
	if (model !== undefined) args['model'] = model;
	if (failure.status !== undefined) args['status'] = String(failure.status);
	if (failure.host !== undefined) args['host'] = failure.host;
	if (failure.code !== undefined) args['code'] = failure.code;
	if (failure.retryAfterMs !== undefined) args['seconds'] = String(Math.ceil(failure.retryAfterMs / 1000));
	if (failure.actual !== undefined) args['actual'] = String(failure.actual);
	if (failure.maximum !== undefined) args['maximum'] = String(failure.maximum);
	if (failure.requestId !== undefined) args['requestId'] = failure.requestId;
	return { code: failure.kind, args, detail: failure.message, actions: actions[failure.kind] };
}

/** A bug of ours that ended an exchange: nothing about it but that it happened goes to the panel; the rest is in the log. */
export function internalError(): ErrorView {
	return { code: 'internal', args: {}, detail: '', actions: ['show_log'] };
}
