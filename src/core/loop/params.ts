// What one exchange is started with.
import type { AssistantMessage, Message } from '../messages/types.ts';
import type { ModelFacts, ThinkingSetting } from '../model/client.ts';
import type { FinishedCall, ToolDeps } from '../tools/runToolUse.ts';
import type { Registry } from '../tools/registry.ts';
import type { ToolContext } from '../tools/tool.ts';
import type { QueryDeps } from './deps.ts';
import type { PromptQueue } from './promptQueue.ts';

/** Read once per turn, so that a changed setting holds from the next turn on. */
export interface TurnSettings {
	readonly model: string;
	readonly facts: ModelFacts;
	/** Tokens; unset: the default cap, or the model's maximum if that is lower. */
	readonly maxOutputTokens?: number;
	readonly thinking: ThinkingSetting;
	readonly maxConcurrency: number;
	readonly bashErrorCancelsSiblings: boolean;
	/** False: tools run after the answer is complete. */
	readonly streamingTools: boolean;
}

export interface QueryParams {
	/** The conversation so far, the new prompt last. */
	readonly messages: readonly Message[];
	readonly system: readonly string[];
	readonly tools: Registry;
	readonly toolContext: ToolContext;
	readonly settings: () => TurnSettings;
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
