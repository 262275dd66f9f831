// Failures of the model service at a terminal and on the wire: a sentence for people, a name of `ecosystem.md` 8.3 for programs.
import type { ModelFailure, ModelFailureKind } from '../core/model/failure.ts';

/** A failure in words. `now`: milliseconds since the epoch, to say until when a limit holds. */
export function failureText(failure: ModelFailure, now: number): string {
	const host = failure.host ? ` (${failure.host})` : '';
	return `${failure.kind}${host}: ${failure.message}${waitText(failure, now)}`;
}

function waitText({ kind, retryAfterMs }: ModelFailure, now: number): string {
	if (retryAfterMs) {
		const until = new Date(now + retryAfterMs).toISOString().slice(0, 19).replace('T', ' ');
		return ` The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s, until ${until} UTC.`;
	}
	return kind === 'billing' ? ' The service does not say when this ends; waiting does not help.' : '';
}

const wireErrors: Partial<Record<ModelFailureKind, string>> = {
	authentication: 'authentication_failed',
	permission: 'authentication_failed',
	billing: 'billing_error',
	not_found: 'model_not_found',
	prompt_too_long: 'invalid_request',
	media_too_large: 'invalid_request',
	invalid_request: 'invalid_request',
	invalid_signature: 'invalid_request',
	rate_limited: 'rate_limit',
	overloaded: 'overloaded',
	server_error: 'server_error',
	output_limit: 'max_output_tokens',
};

/** The name of a failure in `api_retry` messages. */
export function wireError({ kind }: ModelFailure): string {
	return wireErrors[kind] ?? 'unknown';
}
