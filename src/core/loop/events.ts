// What the loop tells while it works. Views and logs read these; nothing durable depends on them (that is the journal).
import type { AssistantBlock, AssistantMessage, UserMessage } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolEvent } from '../tools/toolEvents.ts';
import type { Terminal } from './state.ts';

export type LoopEvent =
	/** The person's prompt was taken: at the start of an exchange, or at a turn boundary (a queued one). */
	| { readonly type: 'prompt_taken'; readonly message: UserMessage; readonly queueId?: string }
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
	/** A failure that nothing could recover. */
	| { readonly type: 'model_error'; readonly failure: ModelFailure }
	/** Always the last event, exactly once. */
	| { readonly type: 'exchange_end'; readonly terminal: Terminal };
