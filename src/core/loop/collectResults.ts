// Phase 4: the results that are still outstanding, in order, and the message that answers the calls.
import type { Message, ToolResultBlock, UserMessage } from '../messages/types.ts';
import type { ToolContext } from '../tools/tool.ts';
import { drain } from '../tools/runTools.ts';
import { endFailed, endStopped } from './endings.ts';
import { endingFailure } from './decideEnd.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { Outcome, State } from './state.ts';
import type { Turn } from './turn.ts';

export interface Collected {
	/** The conversation with the answer and the message that answers its calls. */
	readonly messages: readonly Message[];
	readonly toolContext: ToolContext;
}

export async function* collectResults(
	turn: Turn,
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, Outcome<Collected>> {
	const forget = params.queue.onAdd(() => turn.executor.interruptByMessage());
	try {
		yield* drain(turn.executor, turn.wakeup);
	} finally {
		forget();
	}
	const collected: Collected = {
		messages: [...state.messages, turn.answer.message, resultsMessage(turn, params)],
		toolContext: turn.executor.toolContext,
	};
	if (params.signal.aborted) {
		const reason = turn.answer.message.complete ? 'aborted_tools' : 'aborted_streaming';
		return yield* endStopped({ reason, ...collected }, state, params);
	}
	const failure = turn.answer.failure ?? endingFailure(turn.answer);
	if (failure) return yield* endFailed({ reason: 'model_error', ...collected, failure }, state, params);
	return { kind: 'collected', ...collected };
}

function resultsMessage(turn: Turn, params: QueryParams): UserMessage {
	const results = new Map<string, ToolResultBlock>(turn.known);
	for (const result of turn.executor.results) results.set(result.tool_use_id, result);
	return {
		role: 'user',
		id: params.deps.uuid(),
		origin: 'tool_results',
		content: turn.answer.toolUses.flatMap(({ id }) => results.get(id) ?? []),
		time: params.deps.clock.now(),
	};
}
