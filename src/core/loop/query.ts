// The thin outer layer of an exchange: the loop's events and result as they are, then the report of the queued prompts
// that it used up. Contract: the report is made only when the loop returned, not when it threw.
import { tap } from '../util/tap.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { queryLoop } from './queryLoop.ts';
import type { Terminal } from './state.ts';

export async function* query(params: QueryParams): AsyncGenerator<LoopEvent, Terminal> {
	const consumed: string[] = [];
	const terminal = yield* tap(queryLoop(params), (event) => {
		if (event.type === 'prompt_taken' && event.queueId) consumed.push(event.queueId);
	});
	params.onPromptsCompleted?.(consumed);
	return terminal;
}
