// What the loop tells while it works. Views and logs read these; nothing durable depends on them (that is the journal).
import type { AssistantBlock, AssistantMessage, UserMessage } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolEvent } from '../tools/toolEvents.ts';
import type { CompactionProblem, ContextEvent, StageReport } from '../context/contextTypes.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { Terminal, Transition } from './state.ts';

export type LoopEvent =
	/** The person's prompt was taken: at the start of an exchange, or at a turn boundary (a queued one). */
	| { readonly type: 'prompt_taken'; readonly message: UserMessage; readonly queueId?: string }
	/** Notes for the model that came with the results: hidden from the person, shown in the log. */
	| { readonly type: 'context_attached'; readonly message: UserMessage; readonly notes: readonly string[] }
	| { readonly type: 'turn_start'; readonly turn: number; readonly model: string }
	| {
			readonly type: 'block_start';
			readonly messageId: string;
			readonly index: number;
			readonly block: AssistantBlock['type'];
			/** Of a tool call: its id and name; the input follows with `block_end`. */
			readonly toolUse?: { readonly id: string; readonly name: string };
	  }
	/** Text of a text or thinking block. */
	| { readonly type: 'block_delta'; readonly messageId: string; readonly index: number; readonly text: string }
	/** `block` is `undefined` when the block was cut and is dropped (an unfinished tool call, unsigned thinking). */
	| {
			readonly type: 'block_end';
			readonly messageId: string;
			readonly index: number;
			readonly block: AssistantBlock | undefined;
	  }
	| {
			readonly type: 'answer_end';
			readonly message: AssistantMessage;
			readonly costUsd: number | null;
			readonly durationMs: number;
	  }
	| ToolEvent
	/** The note that the person stopped the turn; its message is part of the conversation. */
	| { readonly type: 'interrupted'; readonly message: UserMessage }
	| { readonly type: 'max_turns_reached'; readonly maxTurns: number }
	/** The answer is taken back, from the view too: it will be asked for again. */
	| { readonly type: 'answer_retracted'; readonly messageId: string }
	/** Waiting before the request is made again. `until`: milliseconds since the epoch. */
	| {
			readonly type: 'retry_wait';
			readonly messageId: string;
			readonly attempt: number;
			readonly maxRetries: number;
			readonly delayMs: number;
			readonly until: number;
			readonly failure: ModelFailure;
	  }
	| { readonly type: 'retry_start'; readonly messageId: string; readonly attempt: number }
	/** The next model of the list has taken over, for the rest of this exchange. */
	| { readonly type: 'model_fallback'; readonly from: string; readonly to: string }
	/** Why the loop goes round again; comes before the next `turn_start`. */
	| { readonly type: 'transition'; readonly transition: Transition }
	| ContextEvent
	/** What is sent from now on has changed (a projection boundary). */
	| { readonly type: 'projection_changed'; readonly change: ProjectionChange }
	/** What the stages of the pipeline freed, and why a compaction that was wanted did not happen. */
	| {
			readonly type: 'context_prepared';
			readonly reports: readonly StageReport[];
			readonly problem?: { readonly kind: CompactionProblem; readonly failure?: ModelFailure };
	  }
	/** A short label for the calls of an earlier turn, by the small model. Comes within a later turn, or never. */
	| { readonly type: 'tools_labelled'; readonly toolUseIds: readonly string[]; readonly label: string }
	/** A failure that nothing could recover. */
	| { readonly type: 'model_error'; readonly failure: ModelFailure }
	/** Always the last event, exactly once. */
	| { readonly type: 'exchange_end'; readonly terminal: Terminal };
