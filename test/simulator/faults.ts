// The ways in which the service fails: every error kind of the API (anthropic-api 2), made from the answer that the real
// client would get and read by the real client's code, and broken connections.
import type { ModelFailure } from '../../src/core/model/failure.ts';
import { failureOfAnswer, failureOfError } from '../../src/node/anthropic/failures.ts';
import { errorBody, statusOf } from '../../src/node/wire/errors.ts';
import type { Scheduler } from './scheduler.ts';

const host = 'sim.invalid';

export interface ApiError {
	readonly type: string;
	readonly message: string;
	readonly status?: number;
	readonly code?: string;
	readonly retryAfter?: string;
}

/** Errors that may come for any request. The first are worth another try. */
export const apiErrors: readonly [ApiError, ...ApiError[]] = [
	{ type: 'overloaded_error', message: 'Overloaded' },
	{ type: 'rate_limit_error', message: 'slow down', retryAfter: '7' },
	{ type: 'rate_limit_error', message: 'slow down', retryAfter: '3600' },
	{ type: 'rate_limit_error', message: 'slow down' },
	{ type: 'api_error', message: 'Internal server error' },
	{ type: 'timeout_error', message: 'timed out' },
	{ type: 'conflict_error', message: 'conflict' },
	{ type: '', message: '<html><title>Bad gateway</title></html>', status: 502 },
	{ type: '', message: '', status: 408 },
	{ type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
	{ type: 'invalid_request_error', message: 'messages: something is wrong' },
	{ type: 'authentication_error', message: 'invalid x-api-key' },
	{ type: 'billing_error', message: 'pay' },
	{ type: 'permission_error', message: 'not for you' },
	{ type: 'not_found_error', message: 'model: nobody' },
	{ type: '', message: 'no such page', status: 404 },
	{ type: 'rate_limit_error', message: 'spend limit', code: 'enforced_spend_limit_reached' },
	{ type: 'api_error', message: 'gone', code: 'compaction_unavailable' },
	{ type: 'request_too_large', message: 'Request exceeds the maximum allowed number of bytes' },
	{ type: 'invalid_request_error', message: 'image exceeds 5 MB maximum', code: 'image_dimensions_too_large' },
	{ type: 'made_up_error', message: 'a new kind', status: 418 },
];

export const overload = apiErrors[0];
export const badSignature: ApiError = {
	type: 'invalid_request_error',
	message: 'messages.1.content.0: Invalid `signature` in `thinking` block.',
};
export function tooLong(actual: number, maximum: number): ApiError {
	return { type: 'invalid_request_error', message: `prompt is too long: ${actual} tokens > ${maximum} maximum` };
}

/** An error answer, or (without a status) an error event in mid-stream. */
export function failureOf(error: ApiError, scheduler: Scheduler, within = false): ModelFailure {
	const { type, message, code, retryAfter } = error;
	const details = code === undefined ? {} : { details: { error_code: code } };
	const body = type === '' ? message : errorBody({ type, message, ...details }, 'req_1');
	const status = within ? undefined : (error.status ?? statusOf(type));
	const headers = retryAfter === undefined ? undefined : new Headers({ 'retry-after': retryAfter });
	return failureOfAnswer({ status, headers, body }, { host, secrets: [], now: () => scheduler.now() });
}

/** The connection could not be made, or broke. */
export function brokenConnection(scheduler: Scheduler, when: 'before' | 'within'): ModelFailure {
	const code = when === 'before' ? 'ECONNREFUSED' : 'ECONNRESET';
	const error = Object.assign(new Error('fetch failed'), { code });
	return failureOfError(error, { host, secrets: [], now: () => scheduler.now() }, when);
}

export function stalled(): ModelFailure {
	return { kind: 'stalled', message: 'No bytes from the service for 180 s.', host };
}
