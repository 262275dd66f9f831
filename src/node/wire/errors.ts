// Error answers of the Messages API: the envelope, the status that belongs to each type, and the same as an event inside a
// stream.
import type { WireEvent } from './events.ts';

const statusOfType = {
	invalid_request_error: 400,
	authentication_error: 401,
	billing_error: 402,
	permission_error: 403,
	not_found_error: 404,
	conflict_error: 409,
	request_too_large: 413,
	rate_limit_error: 429,
	api_error: 500,
	timeout_error: 504,
	overloaded_error: 529,
} as const;

/** The error types that the API documents. */
export type WireErrorType = keyof typeof statusOfType;

/** What an error answer says. `retryAfterSeconds` becomes the `retry-after` header. */
export interface WireError {
	readonly type: string;
	readonly message: string;
	readonly details?: Readonly<Record<string, unknown>>;
	readonly retryAfterSeconds?: number;
}

/** The HTTP status of an error type; 500 for one that is not documented. */
export function statusOf(type: string): number {
	return Object.hasOwn(statusOfType, type) ? statusOfType[type as WireErrorType] : 500;
}

/** The envelope `{type: 'error', error: {…}, request_id}`. */
export function errorBody(error: WireError, requestId: string): Record<string, unknown> {
	const { type, message, details } = error;
	return { type: 'error', error: { type, message, ...(details ? { details } : {}) }, request_id: requestId };
}

/** Headers that come with an error answer. */
export function errorHeaders(error: WireError, requestId: string): Record<string, string> {
	return {
		'content-type': 'application/json',
		'request-id': requestId,
		...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
	};
}

/** An error in mid-stream; it ends the stream although the HTTP status was 200. */
export function errorEvent(error: WireError, requestId: string): WireEvent {
	return { ...errorBody(error, requestId), type: 'error' };
}
