// The loop's state: one object per iteration, replaced whole, never patched. And how an exchange can go on and end.
import type { Message } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolContext } from '../tools/tool.ts';

/** Why the loop goes round again (loop.md 4). */
export type Transition =
	| { readonly reason: 'next_turn' }
	| { readonly reason: 'collapse_drain_retry' }
	| { readonly reason: 'reactive_compact_retry' }
	| { readonly reason: 'max_output_tokens_escalate' }
	| { readonly reason: 'max_output_tokens_recovery'; readonly attempt: number }
	| { readonly reason: 'stop_hook_blocking' }
	| { readonly reason: 'token_budget_continuation' };

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
	/** The tool context at the end (folder, todo list). */
	readonly toolContext: ToolContext;
	readonly failure?: ModelFailure;
}

export interface State {
	readonly messages: readonly Message[];
	readonly toolUseContext: ToolContext;
	/** Turns since the last compaction, and its failures in a row. */
	readonly autoCompactTracking: { readonly turnsSince: number; readonly failures: number } | undefined;
	readonly maxOutputTokensRecoveryCount: number;
	readonly hasAttemptedReactiveCompact: boolean;
	/** Tokens; set when a cut answer is asked for again with a raised cap. */
	readonly maxOutputTokensOverride: number | undefined;
	/** The label of the last batch of tools, still being written by the small model. */
	readonly pendingToolUseSummary: Promise<string | undefined> | undefined;
	readonly stopHookActive: boolean;
	/** The number of the turn that runs, from 1. */
	readonly turnCount: number;
	readonly transition: Transition | undefined;
}

export function initialState(messages: readonly Message[], toolUseContext: ToolContext): State {
	return {
		messages,
		toolUseContext,
		autoCompactTracking: undefined,
		maxOutputTokensRecoveryCount: 0,
		hasAttemptedReactiveCompact: false,
		maxOutputTokensOverride: undefined,
		pendingToolUseSummary: undefined,
		stopHookActive: false,
		turnCount: 1,
		transition: undefined,
	};
}

/** What a phase decided: the end, or the whole next state, or (results in hand) on to the attachments. */
export type Outcome<T> =
	| { readonly kind: 'end'; readonly terminal: Terminal }
	| { readonly kind: 'continue'; readonly state: State }
	| ({ readonly kind: 'collected' } & T);
