// The loop: one exchange, from a prompt until the agent waits again. All its control flow is here; each phase is a
// function in a file of its own that returns the end, the whole next state, or what the next phase needs.
import { attachContext } from './attachments.ts';
import { collectResults } from './collectResults.ts';
import { decideEnd } from './decideEnd.ts';
import type { LoopEvent } from './events.ts';
import { nextTurn } from './nextTurn.ts';
import type { QueryParams } from './params.ts';
import { prepareContext } from './prepareContext.ts';
import { resumeAnswer } from './resumeAnswer.ts';
import type { Terminal } from './state.ts';
import { initialState } from './state.ts';
import { streamAnswer } from './streamAnswer.ts';

/**
 * Runs an exchange. Contract: never throws for failures of the model, of tools or of the person's timing (only when the
 * transcript cannot be written), and returns exactly one `Terminal`. A consumer that does not pull holds the loop; one that returns stops it.
 */
export async function* queryLoop(params: QueryParams): AsyncGenerator<LoopEvent, Terminal> {
	let state = initialState(params.messages, params.toolContext);
	let resumed = params.resumed;
	while (true) {
		// 1  Prepare: what is sent for this turn. A resumed turn has its answer already.
		const request = prepareContext(state, params);

		// 2  Call the model; tools start as their blocks close, while the answer still streams.
		const turn = resumed ? resumeAnswer(resumed, state, params) : yield* streamAnswer(request, state, params);
		resumed = undefined;

		// 3  No tool was asked for: decide how it goes on. Else
		// 4  collect the results that are still outstanding, in order.
		const outcome =
			turn.answer.toolUses.length === 0
				? yield* decideEnd(turn.answer, state, params)
				: yield* collectResults(turn, state, params);
		if (outcome.kind === 'end') return outcome.terminal;
		if (outcome.kind === 'continue') {
			state = outcome.state;
			continue;
		}

		// 5  Attach what the next turn should know. 6  Go on, unless the caller's limit is reached.
		const attachments = yield* attachContext(params);
		const next = yield* nextTurn(outcome, attachments, state, params);
		if (next.kind === 'end') return next.terminal;
		state = next.state;
	}
}
