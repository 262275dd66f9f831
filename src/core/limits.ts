// Every bound of the product, with its unit and its reason. Code takes its numbers from here; tests name them.

export const limits = {
	// Read
	/** Bytes of a file that a Read without a range delivers from; larger ones are shown in part. Keeps one call cheap. */
	readBytes: 256 * 1024,
	/** Tokens (estimated) that one Read returns: an eighth of a common window. */
	readTokens: 25_000,
	/** Characters of one line shown by Read; minified files have lines of megabytes. */
	readLineChars: 2_000,
	/** Characters of a file's text that the card keeps; the model gets all of it. */
	readViewChars: 20_000,
	/** Bytes of a file that an adapter loads at all; beyond, text tools would stall the extension host. */
	fileBytes: 20 * 1024 * 1024,
	/** Names offered by "did you mean", and names listed for a folder. */
	suggestions: 3,
	folderNames: 30,

	// Search
	/** Files that Glob returns. */
	globResults: 100,
	/** Entries that Grep returns when the model asks for no number, and at most. */
	grepEntries: 250,
	grepEntriesMax: 5_000,
	/** Characters of a matching line. */
	grepLineChars: 500,
	/** Characters of a whole search result. */
	searchResultChars: 30_000,
	/** Rows that a search card keeps. */
	searchViewRows: 200,
	/** Paths held at once while listing; about 40 MB. Beyond, the search stops and says so. */
	searchPaths: 200_000,
	/** Matching lines counted past the page asked for, before ripgrep is stopped. */
	searchCounted: 20_000,
	/** Bytes of one line of ripgrep's output; longer ones are passed over. */
	searchLineBytes: 1024 * 1024,
	/** Milliseconds a search may take. */
	searchTimeoutMs: 20_000,
	/** Milliseconds for the extra look into ignored files after an empty result. */
	searchIgnoredTimeoutMs: 3_000,
	/** Ignored files named after an empty result. */
	searchIgnoredFiles: 10,
	/** `stat` calls in flight when sorting by time; more only queue in libuv's four threads. */
	statConcurrency: 64,

	// Edit and Write
	/** Attempts to apply an edit while the person types into the same file. */
	editAttempts: 5,
	/** Characters of a text that Write accepts. */
	writeChars: 5 * 1024 * 1024,
	/** Lines of all hunks shown in a card or told to the model. */
	hunkLines: 400,
	/** Characters of one hunk line. */
	hunkLineChars: 500,
	/** Changed lines that the difference algorithm follows before it falls back to one block (its cost is quadratic). */
	diffEdits: 3_000,
	/** Lines echoed to the model after an edit. */
	editEchoLines: 40,
	/** Line numbers named when a text occurs several times. */
	matchLines: 20,
	/** Lines compared when looking for the place that an `old_string` may have meant. */
	nearestLines: 20_000,

	// Bash
	/** Milliseconds. */
	bashTimeoutMs: 120_000,
	bashTimeoutMaxMs: 600_000,
	/** Characters of output for the model, head and tail. */
	bashOutputChars: 30_000,
	/** Characters of output for the card, while it runs and after. */
	bashViewChars: 60_000,
	/** Characters of a command that is analysed; longer ones always ask. */
	commandChars: 10_000,

	// TodoWrite
	todos: 100,
	todoChars: 1_000,

	// Executor
	/** Calls that run side by side. */
	toolConcurrency: 10,
	/** Milliseconds that a stopped call gets to end by itself before it is answered without it. */
	stopGraceMs: 5_000,
	/** Characters of a malformed input that are shown to the model. */
	malformedInputShown: 1_000,

	// Model.
	/** Tokens: the cap on an answer when the caller sets none; leaves room for thinking in coding turns. */
	defaultMaxOutputTokens: 32_000,
} as const;
