// What the executor tells of the calls it runs; part of the loop's events.
import type { ToolResultBlock } from '../messages/types.ts';
import type { FinishedToolState } from '../messages/journal.ts';
import type { ToolView } from '../../shared/view.ts';
import type { ToolProgress } from './tool.ts';

/** From the executor: one call's way through. `tool_end` comes strictly in the order in which the calls arrived. */
export type ToolEvent =
	| {
			readonly type: 'tool_queued';
			readonly toolUseId: string;
			readonly tool: string;
			/** One line for the card. */
			readonly summary: string;
	  }
	/** `summary`: of what runs, when the person changed the call. */
	| { readonly type: 'tool_start'; readonly toolUseId: string; readonly summary?: string }
	| { readonly type: 'tool_progress'; readonly toolUseId: string; readonly update: ToolProgress }
	| {
			readonly type: 'tool_end';
			readonly toolUseId: string;
			readonly tool: string;
			readonly state: FinishedToolState;
			readonly result: ToolResultBlock;
			readonly view: ToolView;
			/** Milliseconds from start to end; 0 when it never started. */
			readonly durationMs: number;
	  };
