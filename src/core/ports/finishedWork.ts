// Work in the background of a conversation (a command that runs on) that has ended, for the model to know of.

export interface FinishedTask {
	/** Contract: unique in the session, also after it was resumed: by it a task is told once. */
	readonly id: string;
	/** What the model reads: which task, how it ended, where its output is. Not blank. */
	readonly note: string;
}

export interface FinishedWork {
	/** What has ended, the first one first. What was told already may still be among it. */
	readonly finished: readonly FinishedTask[];
	/** It stands in the transcript: it need not be given any more. */
	told(id: string): void;
}
