// Phase 3: the model asked for no tool. Stopped, failed, or done. (Recovery and stop hooks decide here too: they return
// `continue` with a whole next state.)
import type { ModelFailure } from '../model/failure.ts';
import { end, endFailed, endStopped } from './endings.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { Outcome, State } from './state.ts';
import type { Answer } from './turn.ts';

export async function* decideEnd(
	answer: Answer,
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, Outcome<never>> {
	const { message } = answer;
	const messages = message.content.length > 0 ? [...state.messages, message] : state.messages;
	if (params.signal.aborted) return yield* endStopped({ reason: 'aborted_streaming', messages }, state, params);
	const failure = answer.failure ?? endingFailure(answer);
	if (failure) return yield* endFailed({ reason: 'model_error', messages, failure }, state, params);
	return yield* end({ reason: 'completed', messages }, state, params);
}

/** Endings that are no answer although nothing broke: the person must know that something is missing. */
export function endingFailure({ message, cutToolUse }: Answer): ModelFailure | undefined {
	switch (message.stopReason) {
		case 'max_tokens':
		case 'model_context_window_exceeded': {
			const what = cutToolUse ? 'a tool call was cut and did not run' : 'its end is missing';
			return { kind: 'output_limit', message: `The answer reached the output limit: ${what}.` };
		}
		case 'refusal':
			return { kind: 'refused', message: 'The model declined to answer.' };
		default:
			return undefined;
	}
}
