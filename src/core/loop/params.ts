// What one exchange is started with.
import type { ContextDeps, ContextSettings } from '../context/contextTypes.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { AssistantMessage, Message } from '../messages/types.ts';
import type { ModelFacts, ThinkingSetting } from '../model/client.ts';
import type { FinishedWork } from '../ports/finishedWork.ts';
import type { FinishedCall } from '../tools/finishedCall.ts';
import type { ToolDeps } from '../tools/permitCall.ts';
import type { Registry } from '../tools/registry.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { QueryDeps } from './deps.ts';
import type { PromptQueue } from './promptQueue.ts';
import type { LabelTools } from './toolBatch.ts';

/** Read once per turn, so that a changed setting holds from the next turn on. */
export interface TurnSettings {
	/** The primary model, then the fallback models in order. At least one. */
	readonly models: readonly string[];
	/** Tokens; unset: the default cap, or the model's maximum if that is lower. */
	readonly maxOutputTokens?: number;
	readonly thinking: ThinkingSetting;
	readonly maxConcurrency: number;
	readonly bashErrorCancelsSiblings: boolean;
	/** False: tools run after the answer is complete. */
	readonly streamingTools: boolean;
	readonly compaction: ContextSettings;
}

/** What stop hooks say when the model wants to end. */
export type StopVerdict =
	| { readonly kind: 'pass' }
	/** The reason goes back to the model. */
	| { readonly kind: 'block'; readonly reason: string }
	/** The exchange ends here, whatever the model would do. */
	| { readonly kind: 'prevent'; readonly reason: string };

/** The port to configured stop hooks. Contract: never rejects; ends soon after the signal aborts. `active`: a hook has sent the agent on before. */
export type StopHooks = (
	input: { readonly messages: readonly Message[]; readonly active: boolean },
	signal: AbortSignal,
) => Promise<StopVerdict>;

/** A source of things that the next turn should know. Started with the model call, dropped when late. Contract: never rejects. */
export type AttachmentSource = (input: AttachmentInput, signal: AbortSignal) => Promise<readonly string[]>;

export interface AttachmentInput {
	/** The conversation as it happened. */
	readonly messages: readonly Message[];
	readonly turn: number;
	/** What of it the model still has before it. */
	readonly sent: () => readonly Message[];
}

export interface QueryParams {
	/** The conversation so far, the new prompt last. */
	readonly messages: readonly Message[];
	/** The exchange is all there is to it: the conversation ends soon. */
	readonly subagent?: true;
	readonly system: readonly string[];
	readonly tools: Registry;
	readonly toolContext: ToolContext;
	readonly settings: () => TurnSettings;
	readonly facts: (model: string) => ModelFacts;
	/** Changes of the projection in effect so far. */
	readonly changes: readonly ProjectionChange[];
	readonly context: ContextDeps;
	/** Tokens of system prompt and tools, estimated. */
	readonly overheadTokens: number;
	/** USD spent in this session so far, and the most it may be; both unset: no limit. */
	readonly spentUsd?: () => number | null;
	readonly maxCostUsd?: number;
	/** Output tokens that the person wished for in this exchange. */
	readonly tokenTarget?: number;
	readonly stopHooks?: StopHooks;
	readonly attachmentSources?: readonly AttachmentSource[];
	readonly finishedWork?: FinishedWork;
	/** What holds at this moment and was not told yet; asked once at the end of each turn, and waited for. Contract: never rejects. */
	readonly dueNotes?: (messages: readonly Message[], signal: AbortSignal) => Promise<readonly string[]>;
	/** Absent: no labels. */
	readonly labelTools?: LabelTools;
	/** Requests in this exchange; unset: no limit. */
	readonly maxTurns?: number;
	readonly queue: PromptQueue;
	/** Aborting it stops the exchange; its `reason` says why. */
	readonly signal: AbortSignal;
	readonly deps: QueryDeps;
	readonly toolDeps: ToolDeps;
	/** Enter phase 4 with an answer that a crash cut off from its results (loop.md 9). */
	readonly resumed?: ResumedTurn;
	/** Told which queued prompts were used up, once the loop has returned. */
	readonly onPromptsCompleted?: (ids: readonly string[]) => void;
}

/** `reason` of the exchange's signal. */
export type StopReasonOfUser = 'stop' | 'interrupt';

/** An answer that was written down before a crash, with the results that were. */
export interface ResumedTurn {
	readonly answer: AssistantMessage;
	/** By tool use id: finished before the crash, or started and of unknown outcome. */
	readonly finished: ReadonlyMap<string, FinishedCall>;
}
