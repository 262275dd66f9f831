// What comes of a tool call: exactly one result, whatever happens to the call. Pure.
import type { FinishedToolState } from '../messages/journal.ts';
import type { ToolResultBlock, ToolResultContent, ToolUseBlock } from '../messages/types.ts';
import type { ToolView } from '../../shared/view.ts';
import type { ToolOutput } from './tool.ts';

/** Why running calls are cancelled; the `reason` of their abort signals. */
export type CancelReason =
	| { readonly kind: 'stopped' }
	/** A Bash call beside it failed. */
	| { readonly kind: 'sibling_failed'; readonly command: string }
	/** A new message of the person, for tools that declare `interrupt: 'cancel'`. */
	| { readonly kind: 'interrupted_by_message' }
	/** The attempt that asked for it was retracted. */
	| { readonly kind: 'discarded' };

export interface FinishedCall {
	readonly result: ToolResultBlock;
	readonly state: FinishedToolState;
	readonly view: ToolView;
	readonly durationMs: number;
	readonly context?: ToolOutput['context'];
	/** Of a call that the person changed: what ran, in one line. */
	readonly ran?: string;
	/** A hook said that the agent must stop after this call. */
	readonly stopReason?: string;
}

/** The answer to a call that did not run to its end because something cancelled it. */
export function cancelled(toolUse: ToolUseBlock, reason: CancelReason): FinishedCall {
	return { ...failed(toolUse, cancelText(reason)), state: 'stopped' };
}

/** The answer to a call that cannot work. */
export function failed(toolUse: ToolUseBlock, message: string, view: ToolView = { kind: 'none' }): FinishedCall {
	const result = { ...resultBlock(toolUse, [{ type: 'text', text: message }]), is_error: true };
	return { result, state: 'error', view, durationMs: 0 };
}

export function cancelText(reason: CancelReason): string {
	switch (reason.kind) {
		case 'sibling_failed':
			return `Cancelled, because a command beside it failed: ${reason.command}`;
		case 'interrupted_by_message':
			return 'Cancelled, because the user sent a new message.';
		default:
			return 'Interrupted by user.';
	}
}

export function resultBlock(toolUse: ToolUseBlock, content: readonly ToolResultContent[]): ToolResultBlock {
	return { type: 'tool_result', tool_use_id: toolUse.id, content };
}
