// One answer of the model, with as many attempts as it takes: a failed attempt is made again while nothing of it was
// finished. What has finished is never repeated here; how it goes on then is the loop's to decide (loop.md 6).
import { limits } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { AnswerOutcome, AnswerSignal } from './answer.ts';
import { AnswerAccumulator } from './answer.ts';
import type { ModelClient, ModelRequest } from './client.ts';
import type { ModelFailure } from './failure.ts';
import type { RetryPolicy } from './retry.ts';
import { retryDelay } from './retry.ts';

export interface CallOptions {
	/** Ours, for the message that comes out. */
	readonly messageId: string;
	readonly signal: AbortSignal;
	/** Another model stands ready: after so many overloads in a row it is time for it. */
	readonly hasFallback?: boolean;
	/** Work beside the conversation: failures are final, and the person is asked nothing. */
	readonly background?: boolean;
}

export interface CallPorts {
	readonly client: ModelClient;
	readonly clock: Clock;
	readonly retry: RetryPolicy;
}

/** Contract: never throws for failures of the service, and ends soon after the signal aborts, also in mid-wait. */
export async function* callModel(
	request: ModelRequest,
	options: CallOptions,
	{ client, clock, retry }: CallPorts,
): AsyncGenerator<AnswerSignal, AnswerOutcome> {
	const { signal, messageId } = options;
	let overloads = 0;
	for (let attempt = 1; ; attempt++) {
		const answer = new AnswerAccumulator(request.model);
		const failure = yield* readAttempt(client, request, answer, signal);
		overloads = failure?.kind === 'overloaded' ? overloads + 1 : 0;
		const fallBack = options.hasFallback === true && overloads >= limits.overloadsBeforeFallback;
		const delayMs =
			failure && !fallBack && !options.background && answer.finishedBlocks === 0 && !signal.aborted
				? retryDelay(failure, attempt, retry)
				: undefined;
		if (!failure || delayMs === undefined || !(await mayWait(failure, delayMs, retry, signal))) {
			yield* answer.close();
			return { ...answer.outcome(messageId, clock.now(), failure), ...(fallBack ? { fallBack } : {}) };
		}
		if (answer.startedBlocks > 0) yield { type: 'attempt_retracted' };
		yield { type: 'retry_wait', attempt, maxRetries: retry.maxRetries, delayMs, until: clock.now() + delayMs, failure };
		await clock.sleep(delayMs, signal);
		if (signal.aborted) return new AnswerAccumulator(request.model).outcome(messageId, clock.now(), undefined);
		yield { type: 'retry_start', attempt: attempt + 1 };
	}
}

/** Reads one attempt; returns how it failed, if it did. A stop is no failure. */
async function* readAttempt(
	client: ModelClient,
	request: ModelRequest,
	answer: AnswerAccumulator,
	signal: AbortSignal,
): AsyncGenerator<AnswerSignal, ModelFailure | undefined> {
	for await (const item of client.stream(request, signal)) {
		if (item.kind === 'failed') return item.failure;
		yield* answer.accept(item.event);
		if (answer.complete || signal.aborted) return undefined;
	}
	if (signal.aborted) return undefined;
	return answer.sawMessage
		? { kind: 'dropped', message: 'The connection ended before the answer did.' }
		: { kind: 'not_a_stream', message: 'The server answered, but not with a stream of the Messages API.' };
}

async function mayWait(
	failure: ModelFailure,
	delayMs: number,
	retry: RetryPolicy,
	signal: AbortSignal,
): Promise<boolean> {
	if (delayMs <= limits.retryAfterAskMs) return true;
	return await retry.confirmWait(failure, delayMs, signal);
}
