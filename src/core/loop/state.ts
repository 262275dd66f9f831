// The loop's state: one object per iteration, replaced whole, never patched. And how an exchange can go on and end.
import type { CompactTracking } from '../context/contextTypes.ts';
import { noTracking } from '../context/contextTypes.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { ToolLabel } from './toolBatch.ts';

/** Why the loop goes round again (loop.md 4 and 6). */
export type Transition =
	| { readonly reason: 'next_turn' }
	| { readonly reason: 'collapse_drain_retry' }
	| { readonly reason: 'reactive_compact_retry' }
	| { readonly reason: 'max_output_tokens_escalate' }
	| { readonly reason: 'max_output_tokens_recovery'; readonly attempt: number }
	| { readonly reason: 'stop_hook_blocking' }
	| { readonly reason: 'token_budget_continuation' }
	/** The connection ended after something of the answer had finished. */
	| { readonly reason: 'drop_continuation'; readonly attempt: number }
	| { readonly reason: 'model_fallback'; readonly model: string }
	| { readonly reason: 'thinking_stripped_retry' }
	| { readonly reason: 'pause_turn_resume'; readonly attempt: number }
	| { readonly reason: 'empty_answer_retry' };

export type EndReason =
	| 'completed'
	| 'max_turns'
	| 'budget_exhausted'
	| 'aborted_streaming'
	| 'aborted_tools'
	| 'prompt_too_long'
	| 'image_error'
	| 'refusal'
	| 'blocking_limit'
	| 'model_error'
	| 'stop_hook_prevented'
	| 'hook_stopped'
	| 'malformed_tool_use_exhausted'
	| 'rapid_refill_breaker';

/** How an exchange ended. */
export interface Terminal {
	readonly reason: EndReason;
	/** Turns that made a model request. */
	readonly turnCount: number;
	/** The conversation at the end: valid to send again after a new user message. */
	readonly messages: readonly Message[];
	readonly changes: readonly ProjectionChange[];
	/** The tool context at the end (folder, todo list). */
	readonly toolContext: ToolContext;
	readonly failure?: ModelFailure;
}

/** What bounds each recovery: no fault may make the loop run for ever. All start anew with a turn that went well. */
export interface Guards {
	readonly pauseTurnResumes: number;
	readonly emptyAnswerRetried: boolean;
	readonly thinkingStripped: boolean;
	/** How often media that an error named were left out. */
	readonly mediaRefusals: number;
	readonly dropContinuations: number;
	/** Turns in a row that held nothing but calls which could not run. */
	readonly malformedTurns: number;
	readonly stopHookBlocks: number;
}

export const freshGuards: Guards = {
	pauseTurnResumes: 0,
	emptyAnswerRetried: false,
	thinkingStripped: false,
	mediaRefusals: 0,
	dropContinuations: 0,
	malformedTurns: 0,
	stopHookBlocks: 0,
};

/** Progress towards a token target; tokens are output tokens of this exchange. */
export interface BudgetProgress {
	readonly used: number;
	readonly continuations: number;
	/** What the last continuations gained, newest last. */
	readonly gains: readonly number[];
	readonly usedAtLast: number;
}

export interface State {
	readonly messages: readonly Message[];
	/** How the messages are projected when they are sent. */
	readonly changes: readonly ProjectionChange[];
	readonly toolUseContext: ToolContext;
	readonly autoCompactTracking: CompactTracking;
	readonly maxOutputTokensRecoveryCount: number;
	readonly hasAttemptedReactiveCompact: boolean;
	/** Tokens; set when a cut answer is asked for again with a raised cap. */
	readonly maxOutputTokensOverride: number | undefined;
	/** The label of the last batch of tools, still being written by the small model. */
	readonly pendingToolUseSummary: Promise<ToolLabel | undefined> | undefined;
	readonly stopHookActive: boolean;
	/** The number of the turn that runs, from 1. */
	readonly turnCount: number;
	/** 0 is the primary model, then the fallback models in order. */
	readonly modelIndex: number;
	readonly guards: Guards;
	readonly budget: BudgetProgress;
	readonly transition: Transition | undefined;
}

export function initialState(from: {
	readonly messages: readonly Message[];
	readonly changes: readonly ProjectionChange[];
	readonly toolContext: ToolContext;
}): State {
	return {
		messages: from.messages,
		changes: from.changes,
		toolUseContext: from.toolContext,
		autoCompactTracking: noTracking,
		maxOutputTokensRecoveryCount: 0,
		hasAttemptedReactiveCompact: false,
		maxOutputTokensOverride: undefined,
		pendingToolUseSummary: undefined,
		stopHookActive: false,
		turnCount: 1,
		modelIndex: 0,
		guards: freshGuards,
		budget: { used: 0, continuations: 0, gains: [], usedAtLast: 0 },
		transition: undefined,
	};
}

/** What a phase decided: the end, or the whole next state, or (results in hand) on to the attachments. */
export type Outcome<T> =
	{ readonly kind: 'end'; readonly terminal: Terminal } | Continue | ({ readonly kind: 'collected' } & T);

/** What a transition must say for itself; everything else is carried. */
type Decided = 'messages' | 'changes' | 'guards' | 'transition';

/** The fields that every transition carries unless it says otherwise, spelled out once. */
export function carried(state: State): Omit<State, Decided> {
	return {
		toolUseContext: state.toolUseContext,
		autoCompactTracking: state.autoCompactTracking,
		maxOutputTokensRecoveryCount: state.maxOutputTokensRecoveryCount,
		hasAttemptedReactiveCompact: state.hasAttemptedReactiveCompact,
		maxOutputTokensOverride: state.maxOutputTokensOverride,
		pendingToolUseSummary: state.pendingToolUseSummary,
		stopHookActive: state.stopHookActive,
		turnCount: state.turnCount,
		modelIndex: state.modelIndex,
		budget: state.budget,
	};
}

export type Continue = { readonly kind: 'continue'; readonly state: State };
