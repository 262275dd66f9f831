// When a failed attempt is made again, and after how long: the one retry layer (the SDK's own is off). Pure.
import { limits } from '../limits.ts';
import type { ModelFailure, ModelFailureKind } from './failure.ts';

export interface RetryPolicy {
	/** Attempts after the first; 0 makes none (`network.maxRetries`). */
	readonly maxRetries: number;
	/** From 0 up to but not including 1. */
	random(): number;
	/** A wait over a minute that the server demands: true waits, false gives up. Contract: resolves also on abort. */
	confirmWait(failure: ModelFailure, delayMs: number, signal: AbortSignal): Promise<boolean>;
}

/** Failures that may pass by themselves. What a person has to mend is never tried again. */
const passing: ReadonlySet<ModelFailureKind> = new Set([
	'rate_limited',
	'overloaded',
	'server_error',
	'unreachable',
	'dropped',
	'stalled',
]);

/**
 * Milliseconds until the next attempt; `undefined` when there must be none. `attempt` counts from 1. The server's
 * `retry-after` wins over the exponential back-off with jitter.
 */
export function retryDelay(failure: ModelFailure, attempt: number, policy: RetryPolicy): number | undefined {
	if (!passing.has(failure.kind) || attempt > policy.maxRetries) return undefined;
	if (failure.kind === 'unreachable' && !mayComeBack(failure, attempt)) return undefined;
	if (failure.retryAfterMs !== undefined) return failure.retryAfterMs;
	const { retryBaseMs, retryCapMs, retryJitter } = limits;
	const backoff = Math.min(retryBaseMs * 2 ** (attempt - 1), retryCapMs);
	return Math.round(backoff * (1 - retryJitter * policy.random()));
}

/** No network is soon back or long gone, and a certificate that is not trusted stays so. */
function mayComeBack({ code = '' }: ModelFailure, attempt: number): boolean {
	return attempt <= limits.unreachableRetries && !/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code);
}
