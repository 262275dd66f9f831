// The loop: one exchange, from a prompt until the agent waits again. All its control flow is here; each phase is a
// function in a file of its own that returns the end, the whole next state, or what the next phase needs.
import { attachContext, startPrefetch } from './attachments.ts';
import { collectResults } from './collectResults.ts';
import { decideEnd } from './decideEnd.ts';
import type { LoopEvent } from './events.ts';
import { nextTurn } from './nextTurn.ts';
import type { QueryParams } from './params.ts';
import { prepareRequest } from './prepareRequest.ts';
import { recover } from './recovery.ts';
import { resumeAnswer } from './resumeAnswer.ts';
import type { Terminal } from './state.ts';
import { initialState } from './state.ts';
import { streamAnswer } from './streamAnswer.ts';

/**
 * Runs an exchange. Contract: never throws for failures of the model, of tools or of the person's timing (only when the
 * transcript cannot be written), and returns exactly one `Terminal`. A consumer that does not pull holds the loop; one that returns stops it.
 */
export async function* queryLoop(params: QueryParams): AsyncGenerator<LoopEvent, Terminal> {
	let state = initialState(params);
	let resumed = params.resumed;
	while (true) {
		if (state.transition) yield { type: 'transition', transition: state.transition };

		// 1  Prepare: the pipeline, the projection, the request. (A resumed turn has its answer already.)
		const prepared = resumed ? undefined : yield* prepareRequest(state, params);
		if (prepared?.kind === 'end') return prepared.terminal;
		if (prepared) state = prepared.state;

		// 2  Call the model; tools start as their blocks close, while the answer still streams.
		const prefetch = startPrefetch(state, params);
		const turn = prepared ? yield* streamAnswer(prepared.request, state, params) : resumeAnswer(resumed, state, params);
		resumed = undefined;

		// 3  Recover if the answer did not end well. No tool was asked for: decide how it goes on. Else
		// 4  collect the results that are still outstanding, in order.
		const outcome =
			(yield* recover(turn, state, params)) ??
			(turn.answer.toolUses.length === 0
				? yield* decideEnd(turn, state, params)
				: yield* collectResults(turn, state, params));
		if (outcome.kind === 'end') return outcome.terminal;
		if (outcome.kind === 'continue') {
			state = outcome.state;
			continue;
		}

		// 5  Attach what the next turn should know. 6  Go on, unless the caller's limit is reached.
		const attachments = yield* attachContext(prefetch, state, params);
		const next = yield* nextTurn(outcome, attachments, state, params);
		if (next.kind === 'end') return next.terminal;
		state = next.state;
	}
}
