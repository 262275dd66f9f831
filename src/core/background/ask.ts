// Work beside the conversation asks the small model through a function that is handed in: it knows neither client nor costs.
import type { SummaryAnswer } from '../context/contextTypes.ts';

/**
 * One answer to a question of its own, by the small model, without tools; counted by whoever hands this in. Contract: never
 * rejects, never asks the person anything, and ends soon after the signal aborts.
 */
export type Ask = (question: string, signal: AbortSignal) => Promise<SummaryAnswer>;

/** Which work beside the conversation the person has turned on. */
export interface BackgroundSettings {
	/** After each exchange, what is worth keeping goes into the project's memory. */
	readonly memory: boolean;
	/** After each exchange, a suggestion for the next prompt. */
	readonly suggestions: boolean;
	/** A label for each finished batch of tools. */
	readonly labels: boolean;
	/** After the first exchange, a title for the list of sessions. */
	readonly title: boolean;
	/** The memory is put in order, at most daily. */
	readonly consolidation: boolean;
}
