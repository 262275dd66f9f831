// Where the whole text of large tool results lies. Adapter: `FileResultStore` (beside the transcript).

export interface ResultStore {
	/** Returns the absolute path; rejects when it cannot be written (the result then stays whole). */
	store(toolUseId: string, text: string): Promise<string>;
}
