// The conversation as the Messages API knows it, plus what the transcript adds (ids, time, origin).
// Rule: assistant blocks are kept exactly as received, unknown types included (they are replayed verbatim).
import type { PromptAttachment } from '../../shared/composer.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface TextBlock {
	readonly type: 'text';
	readonly text: string;
}
export interface ThinkingBlock {
	readonly type: 'thinking';
	readonly thinking: string;
	/** Opaque; absent or empty when the block was cut, or came from a server that does not sign. Never sent without. */
	readonly signature: string;
}
export interface RedactedThinkingBlock {
	readonly type: 'redacted_thinking';
	readonly data: string;
}
export interface ToolUseBlock {
	readonly type: 'tool_use';
	readonly id: string;
	readonly name: string;
	readonly input: JsonObject;
	/** Set when the arguments were no JSON object: the raw text, never run, answered with an error. Not sent. */
	readonly malformed?: string;
	/** Further fields of the block (`caller`, `toolset_name`), replayed as they came. */
	readonly extra?: JsonObject;
}
/** A block type that this version does not know: kept for replay, shown as nothing. */
export interface OpaqueBlock {
	readonly type: 'opaque';
	readonly value: JsonObject;
}
export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | OpaqueBlock;

export interface ImageBlock {
	readonly type: 'image';
	readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}
/** A PDF of the person's. */
export interface DocumentBlock {
	readonly type: 'document';
	readonly source: { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string };
	readonly title?: string;
	/** For estimates; not sent. */
	readonly pages: number;
}
export type ToolResultContent = TextBlock | ImageBlock | DocumentBlock;
export interface ToolResultBlock {
	readonly type: 'tool_result';
	readonly tool_use_id: string;
	readonly content: readonly ToolResultContent[];
	readonly is_error?: boolean;
}
export type UserBlock = TextBlock | ImageBlock | DocumentBlock | ToolResultBlock;

/** Token counts of one answer, in disjoint buckets (source: `usage` of the API; cumulative fields overwritten, never added). */
export interface Usage {
	/** Uncached input only. */
	readonly inputTokens: number;
	readonly cacheCreationTokens: number;
	readonly cacheReadTokens: number;
	/** Thinking included. */
	readonly outputTokens: number;
}
export const noUsage: Usage = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

/** Why an answer ended; `null` when the server did not say. Never decides whether another turn is needed. */
export type StopReason =
	| 'end_turn'
	| 'tool_use'
	| 'max_tokens'
	| 'stop_sequence'
	| 'pause_turn'
	| 'refusal'
	| 'model_context_window_exceeded'
	| 'unknown'
	| null;

export interface AssistantMessage {
	readonly role: 'assistant';
	/** Ours, a UUID; the API's own id is `apiId`. */
	readonly id: string;
	readonly apiId?: string;
	readonly content: readonly AssistantBlock[];
	readonly model: string;
	readonly stopReason: StopReason;
	readonly usage: Usage;
	/** False when the stream ended before `message_stop`, or the user stopped it. */
	readonly complete: boolean;
	/** Milliseconds since the epoch. */
	readonly time: number;
}

/**
 * Where a user message comes from: typed by the person, the results of a turn, or written by the agent itself
 * (hidden from the person, or shown as a note, such as "interrupted").
 */
export type UserOrigin = 'prompt' | 'tool_results' | 'interrupted' | 'hidden';

export interface UserMessage {
	readonly role: 'user';
	readonly id: string;
	readonly origin: UserOrigin;
	readonly content: readonly UserBlock[];
	/** What the person put beside a prompt's words; for views, what is sent of it is in `content` and in notes. */
	readonly attachments?: readonly PromptAttachment[];
	readonly time: number;
}
export type Message = UserMessage | AssistantMessage;

/** The tool calls of a message, in order. */
export function toolUses(message: AssistantMessage): readonly ToolUseBlock[] {
	return message.content.filter((block): block is ToolUseBlock => block.type === 'tool_use');
}

/** The text of a message, without thinking, tool calls and results. */
export function textOf(message: Message): string {
	const blocks: readonly (AssistantBlock | UserBlock)[] = message.content;
	return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
