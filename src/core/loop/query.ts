// The thin outer layer of an exchange: the loop's events and result as they are, then the report of the queued prompts
// that it used up. Contract: the report is made only when the loop returned, not when it threw.
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { queryLoop } from './queryLoop.ts';
import type { Terminal } from './state.ts';

export async function* query(params: QueryParams): AsyncGenerator<LoopEvent, Terminal> {
	const consumed: string[] = [];
	const terminal = yield* noting(queryLoop(params), consumed);
	params.onPromptsCompleted?.(consumed);
	return terminal;
}

/** Passes everything on, and notes which queued prompts were taken. */
async function* noting(
	loop: AsyncGenerator<LoopEvent, Terminal>,
	consumed: string[],
): AsyncGenerator<LoopEvent, Terminal> {
	try {
		for (let step = await loop.next(); ; step = await loop.next()) {
			if (step.done) return step.value;
			if (step.value.type === 'prompt_taken' && step.value.queueId) consumed.push(step.value.queueId);
			yield step.value;
		}
	} finally {
		// Reached by `return()` too: the loop must stop its tools before its consumer goes on.
		await loop.return(undefined as never);
	}
}
