// A finished batch of tools and its label: what the loop and the work beside it hand each other.
import type { JsonObject } from '../messages/types.ts';

/** What a label is made of. */
export interface ToolBatch {
	/** What the model said before the calls. */
	readonly text: string;
	readonly calls: readonly {
		readonly id: string;
		readonly name: string;
		readonly input: JsonObject;
		readonly failed: boolean;
	}[];
}

/** Asks the small model for a label. Contract: never rejects; ends soon after the signal aborts. */
export type LabelTools = (batch: ToolBatch, signal: AbortSignal) => Promise<string | undefined>;

export interface ToolLabel {
	readonly toolUseIds: readonly string[];
	readonly label: string;
}
