// What the stages of the context pipeline work with: the conversation as it happened, the changes made so far, and what is
// known of model and settings. A stage returns further changes; it never touches messages.
import type { Todo } from '../../shared/view.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { Message, Usage } from '../messages/types.ts';
import type { ModelFacts } from '../model/client.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { Clock, NewId } from '../ports/clock.ts';
import type { CollapseArea } from './collapseArea.ts';
import type { ContextCache } from './contextCache.ts';
import type { CompactionTrigger, ProjectionChange } from '../messages/projection.ts';

/** The settings `compaction.*`. */
export interface ContextSettings {
	/** False: nothing is summarised unasked; `/compact` still works. */
	readonly enabled: boolean;
	/** Share of the window (0 to 1) at which the conversation is summarised; unset: window less reserve and buffer. */
	readonly threshold?: number;
	/** Tokens; unset: the model's window. A larger value than the model's has no effect. */
	readonly window?: number;
}

/** Of one exchange, in `State.autoCompactTracking`; `noTracking` at its start. */
export interface CompactTracking {
	/** Summary requests that failed, in a row. */
	readonly failures: number;
	/** Compactions in a row after which the context was full again at once. */
	readonly refills: number;
}
export const noTracking: CompactTracking = { failures: 0, refills: 0 };

export interface ContextInput {
	/** The whole conversation, as it happened. Usage and times of its answers say how full the context is. */
	readonly messages: readonly Message[];
	/** In effect so far, oldest first. */
	readonly changes: readonly ProjectionChange[];
	readonly facts: ModelFacts;
	readonly settings: ContextSettings;
	/** Tokens of system prompt and tools, estimated; counts only until the API has reported a usage. */
	readonly overheadTokens: number;
	/** Tokens that the next answer may have. */
	readonly maxOutputTokens: number;
	/** Milliseconds since the epoch. */
	readonly now: number;
	readonly tracking: CompactTracking;
	/** `maxResultChars` of a tool by its name; `undefined` for a tool that does not exist. */
	readonly resultLimit: (toolName: string) => number | undefined;
	/** False in subagents: no snip, no collapse (they end soon). */
	readonly mainConversation: boolean;
}

/** What a compaction puts back, read anew. All optional but the mode. */
export interface Reattachment {
	/** In the order asked for; files that are gone are left out. */
	readonly files: readonly { readonly path: string; readonly text: string }[];
	readonly mode: PermissionMode;
	readonly todos?: readonly Todo[];
	/** The plan that was approved or is being made. */
	readonly plan?: string;
	/** Skills that were invoked, with their text. */
	readonly skills?: readonly { readonly name: string; readonly text: string }[];
	/** Project memory, read anew. */
	readonly memory?: string;
	/** Background work that still runs, one line each. */
	readonly running?: readonly string[];
}

export interface SummaryRequest {
	/** Projected, and ending with the instruction; pass it through `toRequestMessages`. */
	readonly messages: readonly Message[];
	/**
	 * `conversation`: the prefix is the conversation's own (send the same system prompt and tools, tool choice none).
	 * `segment`: one message of plain text that needs neither; a small model will do.
	 */
	readonly purpose: 'conversation' | 'segment';
}
export type SummaryAnswer =
	| { readonly kind: 'answered'; readonly text: string; readonly usage: Usage }
	| { readonly kind: 'failed'; readonly failure: ModelFailure };

/** Ports of the pipeline. */
export interface ContextDeps {
	/** Writes a result's text to a file and returns its absolute path. A rejection keeps the result whole. */
	storeResult(toolUseId: string, text: string): Promise<string>;
	/** One model call without tools. Contract: never rejects; an abort is a failure. */
	summarise(request: SummaryRequest, signal: AbortSignal): Promise<SummaryAnswer>;
	/** `paths`: as the model named them, the most recently used first. A rejection counts as nothing to put back. */
	reattach(paths: readonly string[], signal: AbortSignal): Promise<Reattachment>;
	readonly uuid: NewId;
	readonly clock: Clock;
	/** One for each conversation. */
	readonly cache: ContextCache;
	/** One for each conversation: summaries of segments, made in the background. */
	readonly staged: CollapseArea;
}

/** What a stage of the pipeline wants changed. */
export interface StageResult {
	readonly changes: readonly ProjectionChange[];
	/** Tokens, estimated. */
	readonly freed: number;
	/** Results, turns or segments. */
	readonly items: number;
}
export const nothing: StageResult = { changes: [], freed: 0, items: 0 };

export type StageName =
	| 'tool_results'
	| 'media'
	| 'snip'
	| 'microcompact'
	| 'collapse'
	| 'autocompact'
	| 'reactive_compact'
	| 'manual_compact';

/** What a stage did. Tokens are estimates. */
export interface StageReport {
	readonly stage: StageName;
	readonly before: number;
	readonly after: number;
	/** Results, turns or segments that it changed; 1 for a summary. */
	readonly items: number;
}

/** Why a compaction did not happen although it was wanted. */
export type CompactionProblem =
	/** The summary could not be had; `failure` says why. */
	| 'summary_failed'
	/** Three requests in a row failed in this exchange: not tried any more. */
	| 'paused_after_failures'
	/** Nothing was added since the last one. */
	| 'no_growth'
	/** Nothing is there that could be summarised. */
	| 'nothing_to_compact'
	/** The person stopped it. */
	| 'stopped';

export type CompactionResult =
	| {
			readonly kind: 'compacted';
			/** To be written down and appended to the state's changes, in this order. */
			readonly changes: readonly ProjectionChange[];
			readonly report: StageReport;
			readonly tracking: CompactTracking;
	  }
	| {
			readonly kind: 'not_compacted';
			readonly problem: CompactionProblem;
			readonly failure?: ModelFailure;
			readonly tracking: CompactTracking;
	  };

/** Yielded before the one slow step, so that views can say "Compacting". */
export type ContextEvent = {
	readonly type: 'compaction_start';
	readonly trigger: CompactionTrigger;
	/** Tokens of the context before. */
	readonly tokens: number;
};

export interface PreparedContext {
	/** New ones, to be written down before the request and appended to the state's. */
	readonly changes: readonly ProjectionChange[];
	/** What is sent: the projection with the new changes. */
	readonly messages: readonly Message[];
	/** Tokens of it, estimated. */
	readonly tokens: number;
	readonly tracking: CompactTracking;
	readonly reports: readonly StageReport[];
	/** A compaction was wanted and did not happen. */
	readonly problem?: { readonly kind: CompactionProblem; readonly failure?: ModelFailure };
	/** The request must not be made: over the hard limit, or refilled right after compaction too often. */
	readonly blocked?: 'blocking_limit' | 'rapid_refill_breaker';
}
