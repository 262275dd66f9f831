// How an exchange ends, wherever it does: the last messages and the terminal, made in one place.
import type { Message } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { ownMessage } from './record.ts';
import type { EndReason, State, Terminal } from './state.ts';

export interface Ending {
	readonly reason: EndReason;
	readonly messages: readonly Message[];
	readonly toolContext?: ToolContext;
	readonly failure?: ModelFailure;
}

export type End = { readonly kind: 'end'; readonly terminal: Terminal };

export async function* end(ending: Ending, state: State, params: QueryParams): AsyncGenerator<LoopEvent, End> {
	await params.deps.journal.append({ type: 'exchange_end', reason: ending.reason });
	const terminal: Terminal = {
		reason: ending.reason,
		turnCount: state.turnCount,
		messages: ending.messages,
		changes: state.changes,
		toolContext: ending.toolContext ?? state.toolUseContext,
		...(ending.failure ? { failure: ending.failure } : {}),
	};
	yield { type: 'exchange_end', terminal };
	return { kind: 'end', terminal };
}

/** The person stopped it: a visible note for the conversation, unless a new message takes the place of the turn. */
export async function* endStopped(ending: Ending, state: State, params: QueryParams): AsyncGenerator<LoopEvent, End> {
	if (params.signal.reason === 'interrupt') return yield* end(ending, state, params);
	const message = ownMessage('[The user stopped this turn.]', 'interrupted', params.deps);
	await params.deps.journal.append({ type: 'user', message });
	yield { type: 'interrupted', message };
	return yield* end({ ...ending, messages: [...ending.messages, message] }, state, params);
}

/** Nothing could recover it: the failure is shown, the conversation stays valid. */
export async function* endFailed(
	ending: Ending & { readonly failure: ModelFailure },
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, End> {
	yield { type: 'model_error', failure: ending.failure };
	return yield* end(ending, state, params);
}
