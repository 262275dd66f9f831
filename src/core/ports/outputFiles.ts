// Where the output of commands lies while they run and after. Adapter: `FileResultStore` (in the session's results folder,
// which the model may read without asking).

export interface OutputFiles {
	/** Makes room for the output of a command; `id` names the file. Absolute. Rejects when there is no place for it. */
	outputFile(id: string): Promise<string>;
	/** Removes such a file: its output fitted into the result. Never rejects. */
	removeOutput(path: string): Promise<void>;
}
