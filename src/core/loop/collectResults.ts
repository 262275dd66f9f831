// Phase 4: the results that are still outstanding, in order, and the message that answers the calls.
import { limits } from '../limits.ts';
import type { Message, ToolResultBlock, UserMessage } from '../messages/types.ts';
import type { ToolContext } from '../tools/tool.ts';
import { drain } from '../tools/runTools.ts';
import { end, endFailed, endStopped } from './endings.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { isDrop } from './recovery.ts';
import type { Guards, Outcome, State } from './state.ts';
import { freshGuards } from './state.ts';
import type { Turn } from './turn.ts';

export interface Collected {
	/** The conversation with the answer and the message that answers its calls. */
	readonly messages: readonly Message[];
	readonly toolContext: ToolContext;
	readonly guards: Guards;
}

export async function* collectResults(
	turn: Turn,
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, Outcome<Collected>> {
	const { answer, executor } = turn;
	const forget = params.queue.onAdd(() => executor.interruptByMessage());
	try {
		yield* drain(executor, turn.wakeup);
	} finally {
		forget();
	}
	const messages = [...state.messages, answer.message, resultsMessage(turn, params)];
	const toolContext = executor.toolContext;
	if (params.signal.aborted) {
		const reason = answer.message.complete ? 'aborted_tools' : 'aborted_streaming';
		return yield* endStopped({ reason, messages, toolContext }, state, params);
	}
	if (executor.stopReason !== undefined)
		return yield* end({ reason: 'hook_stopped', messages, toolContext }, state, params);
	if (answer.message.stopReason === 'refusal') {
		return yield* endFailed({ reason: 'refusal', messages, toolContext, failure: refused }, state, params);
	}
	// A cut answer goes on with its results; a connection that broke too often, or for good, does not.
	if (answer.failure && !isDrop(turn, state)) {
		return yield* endFailed({ reason: 'model_error', messages, toolContext, failure: answer.failure }, state, params);
	}
	const guards = nextGuards(turn, state);
	if (guards.malformedTurns >= limits.malformedTurns) {
		return yield* end({ reason: 'malformed_tool_use_exhausted', messages, toolContext }, state, params);
	}
	return { kind: 'collected', messages, toolContext, guards };
}

const refused = { kind: 'refused', message: 'The model declined to answer.' } as const;

function nextGuards({ answer, executor }: Turn, { guards }: State): Guards {
	return {
		...freshGuards,
		thinkingStripped: guards.thinkingStripped,
		stopHookBlocks: guards.stopHookBlocks,
		dropContinuations: answer.failure ? guards.dropContinuations + 1 : 0,
		malformedTurns: executor.nothingRan ? guards.malformedTurns + 1 : 0,
	};
}

function resultsMessage(turn: Turn, params: QueryParams): UserMessage {
	const results = new Map<string, ToolResultBlock>(turn.known);
	for (const result of turn.executor.results) results.set(result.tool_use_id, result);
	return {
		role: 'user',
		// As in a resumed session, so that changes of the projection that name it hold there, too.
		id: `${turn.answer.message.id}-results`,
		origin: 'tool_results',
		content: turn.answer.toolUses.flatMap(({ id }) => results.get(id) ?? []),
		time: params.deps.clock.now(),
	};
}
