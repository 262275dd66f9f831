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
	/** Bytes of a file that an adapter loads at all: half of what fits into one string, and about a second of work. */
	fileBytes: 256 * 1024 * 1024,
	/** Bytes of a closed file that is edited through the editor; larger ones are changed on disk, without being opened. */
	documentBytes: 5 * 1024 * 1024,
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

	// Subagents
	/** Requests of one subagent: a loop that goes in circles ends, and says so. */
	agentTurns: 200,
	/** Characters of its answer that the conversation gets. */
	agentAnswerChars: 40_000,
	/** Rows of its log that the card keeps, and characters of each text in them. */
	agentLogRows: 40,
	agentLogChars: 2_000,
	/** Milliseconds between two changes of its card. */
	agentCardMs: 200,

	// Edit and Write
	/** Attempts to apply an edit while the person types into the same file. */
	editAttempts: 5,
	/** Characters of a text that Write accepts. */
	writeChars: 5 * 1024 * 1024,
	/** Lines of all hunks shown in a card or told to the model. */
	hunkLines: 400,
	/** Characters of one hunk line. */
	hunkLineChars: 500,
	/** Lines echoed to the model after an edit. */
	editEchoLines: 40,
	/** Line numbers named when a text occurs several times. */
	matchLines: 20,
	/** Characters of one output of a notebook's cell that Read shows. */
	notebookOutputChars: 4_000,
	/** Lines and characters looked at for the place that an `old_string` may have meant. */
	nearestLines: 20_000,
	nearestChars: 4 * 1024 * 1024,
	/** Characters of a `new_string` that stands in the file already, from which on the edit counts as made. */
	appliedChars: 8,

	// Bash
	/** Milliseconds. */
	bashTimeoutMs: 120_000,
	bashTimeoutMaxMs: 600_000,
	/** Characters of output for the model, head and tail. */
	bashOutputChars: 30_000,
	/** Characters of output for the card, while it runs and after. */
	bashViewChars: 60_000,
	/** Of a flood the card shows the newest characters while it runs, anew at most every so many milliseconds. */
	bashFloodChars: 8_000,
	bashFloodEveryMs: 250,
	/** Newest characters of a running command that are kept in memory; its file has all of them. */
	taskOutputChars: 60_000,
	/** Characters of its last line in the list, and how far back that is looked for. */
	taskLineChars: 200,
	taskLineLookedAt: 4_000,
	/** Characters of a command in a note or a list. */
	taskCommandChars: 200,
	/** Milliseconds that TaskOutput waits for the end, by default; at most as long as a command may take. */
	taskWaitMs: 30_000,
	/** Ended commands of the background that can still be asked for. */
	taskEnded: 50,
	/** Processes left behind by a command that are named. */
	taskLeftNamed: 5,
	/** Characters of a command that is analysed; longer ones always ask. */
	commandChars: 10_000,
	/** Paths that the words of one command may mean, at most; the rest is not looked up. */
	commandPaths: 2_000,
	/** Rules that "always" offers for one compound command, and characters of one. */
	suggestedRules: 5,
	suggestedRuleChars: 500,
	/** Files with secrets that are looked for in a folder that a command reads whole, and milliseconds for the search. */
	secretsLookedFor: 200,
	secretsSearchMs: 2_000,
	/** Programs within programs (`bash -c`, substitutions, groups) that the analysis follows. */
	commandDepth: 50,
	/** Places not understood that are kept, and characters shown of one. */
	unclearPlaces: 50,
	unclearChars: 200,

	// TodoWrite
	todos: 100,
	todoChars: 1_000,

	// Plans and questions: characters of what is shown to the person.
	planChars: 100_000,
	planTitleChars: 80,
	questionChars: 1_000,
	questionHeaderChars: 60,
	optionLabelChars: 200,
	optionTextChars: 1_000,
	optionPreviewChars: 4_000,

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
	/** Tokens: the raised cap for an answer that the default cap cut, if the model allows as much. */
	raisedMaxOutputTokens: 64_000,
	/** Milliseconds of the first wait after a failure, and of the longest; each wait is twice the one before. */
	retryBaseMs: 500,
	retryCapMs: 32_000,
	/** Share of a wait that is left to chance, so that many clients do not come back in the same moment. */
	retryJitter: 0.25,
	/** Attempts after the first. */
	maxRetries: 10,
	/** Attempts after the first when no connection can be made at all: the person should know soon. */
	unreachableRetries: 3,
	/** Milliseconds: a longer wait that the server demands is the person's to decide. */
	retryAfterAskMs: 60_000,
	/** Overloads in a row after which the next model is asked. */
	overloadsBeforeFallback: 3,
	/** Milliseconds without a byte after which a stream counts as broken: pings come every few seconds. */
	byteTimeoutMs: 180_000,

	// Attachments
	/** Files looked at per turn for changes by others, the ones used last; and files named in one note. */
	watchedFiles: 50,
	/** Milliseconds between two looks at them: a turn that takes less need not pay for one. */
	changedFilesEveryMs: 2_000,
	/** Milliseconds that the next request waits for such a look at most. */
	changedFilesMs: 250,
	changedFilesTold: 10,

	// Loop: bounds, so that no fault makes it run for ever.
	/** Refusals in a row that cost only the images they name; the next one costs all. */
	mediaRefusals: 3,
	/** Answers cut by the output limit that are gone on with, in one run of them. */
	outputLimitRecoveries: 3,
	/** Answers in a row that hold nothing but calls which cannot run. */
	malformedTurns: 3,
	/** Times that a paused server-side turn is resumed, in a row. */
	pauseTurnResumes: 10,
	/** Dropped answers in a row of which something had finished. */
	dropContinuations: 5,
	/** Blocking stop hooks in a row. */
	stopHookBlocks: 8,
	/** Token budget: it goes on below this share of the target; it gives up after so many continuations whose last two gained less. */
	budgetShare: 0.9,
	budgetContinuations: 3,
	budgetMinimumGain: 500,

	// Context (loop.md 5). Shares are of the window unless said otherwise.
	/** Characters of a tool result whose tool names no limit of its own; about 14,000 tokens. */
	resultChars: 50_000,
	/** Characters of all results of one message: a quarter of a common window. */
	messageResultChars: 200_000,
	/** Characters of a stored result that the model still sees. */
	resultPreviewChars: 2_000,
	/** Tokens kept free for the summary, and before the limit; each at most this share of a small window. */
	outputReserveTokens: 20_000,
	outputReserveShare: 0.2,
	compactBufferTokens: 13_000,
	compactBufferShare: 0.13,
	/** Tokens below the window from which on nothing is sent: no useful answer would fit. */
	blockingReserveTokens: 3_000,
	blockingReserveShare: 0.03,
	/** Without a count by the API an estimate must be over the limit by this factor before a request is refused. */
	blockingDoubt: 1.25,
	/** Staged collapses are put in here, or where the conversation would be summarised, whichever comes first. */
	collapseShare: 0.9,
	/** Of the tokens at which the conversation is summarised: where snip, microcompact and staging begin. */
	snipShare: 0.6,
	clearShare: 0.75,
	stageShare: 0.6,
	/** A stage that would free less than this share is not worth a cold cache. */
	minimumGainShare: 0.04,
	/** Tokens: with a cache that is cold anyway much less is worth it. */
	coldGainTokens: 1_000,
	/** Milliseconds after which the cache of the service is gone for certain (its longest life is an hour). */
	coldCacheMs: 60 * 60_000,
	/** Newest results of clearable tools that stay whole. */
	keptResults: 5,
	/** Characters: shorter results stay, a mark would save nothing. */
	clearableChars: 400,
	/** Newest turns that snip leaves alone. */
	snipKeptTurns: 10,
	/** Characters that an answer may say beside its calls and still count as of no value later. */
	snipTextChars: 300,
	/** Characters: a shorter result of a search says that nothing was found, or next to nothing. */
	emptySearchChars: 200,
	/** Tokens of a segment that collapse summarises at once: less is not worth a call, more loses detail. */
	segmentMinTokens: 4_000,
	segmentMaxTokens: 30_000,
	/** Characters of one text, or of one call's input, that the request for a segment's summary repeats. */
	segmentTextChars: 12_000,
	segmentInputChars: 2_000,
	/** Newest turns that collapse leaves alone. */
	collapseKeptTurns: 8,
	/** Tokens of newest exchanges that a compaction keeps as they are, and the most that they may take of what is free. */
	keptTailTokens: 20_000,
	keptTailShare: 0.25,
	/** Recently used files put back after a compaction: how many, tokens each, tokens together. */
	reattachedFiles: 5,
	reattachedFileTokens: 5_000,
	reattachedTokens: 50_000,
	/** Share of the tokens at which the conversation is summarised that files, skills, plan and memory may take together. */
	reattachedShare: 0.3,
	/** Characters of the person's own words that a summary repeats; beyond, the longest messages go to files. */
	repeatedWordsChars: 100_000,
	/** Summary requests in a row that may fail. */
	summaryAttempts: 3,
	/** A compaction is refilled "at once" when it is needed again within so many turns; the loop ends after so many in a row. */
	refillTurns: 2,
	refills: 3,
	/** Tokens that must have been added before the next compaction. */
	compactGrowthTokens: 500,
	/** Share of the window that must have been added when the last compaction did not bring the context below its limit. */
	growthAfterVainShare: 0.1,
	/** Of the tokens at which the conversation is summarised: kept messages that take more have large results written to files. */
	oversizedTailShare: 0.5,
	/** A summary request that was too long: how far below the limit the next one aims, and its share when the limit is not known. */
	trimMargin: 0.9,
	trimShare: 0.66,
	/** Tokens that a message takes besides its text. */
	messageOverheadTokens: 4,
	/** Tokens of an image of unknown size, and at most (services scale larger ones down). */
	imageTokens: 1_600,
	imageTokensMax: 4_800,
	/** Tokens of a page of a PDF: its text and its picture. */
	pdfPageTokens: 2_500,
	/** Pixels of an image's side in a request with more than `fewImages`. Source: the Messages API, as the next three. */
	imageSideOfMany: 2000,
	fewImages: 20,
	/** Images and documents of one request, by the model's window; characters of all of them, of the 32 MB that a request may have. */
	media: 100,
	mediaOfLargeWindow: 600,
	manyMediaWindow: 200_000,
	mediaChars: 24_000_000,
	/** Of those bounds, what stays when they are reached. */
	mediaKeptShare: 0.8,
	/** Bounds for what one estimated token may turn out to be. */
	tokenRatioMin: 0.4,
	tokenRatioMax: 2.5,

	// Checkpoints
	/** Bytes of a file that is kept; larger ones are named as not kept. A thousand of them still fit on a disk. */
	checkpointFileBytes: 20 * 1024 * 1024,
	/** Files and bytes kept before one command, of those that its text names; and of open editors. */
	checkpointCommandFiles: 500,
	checkpointCommandBytes: 64 * 1024 * 1024,
	checkpointOpenFiles: 100,
	/** Files looked at after a command for changes that its text did not show, milliseconds for that, and finds kept. */
	checkpointScanFiles: 50_000,
	checkpointScanMs: 2_000,
	checkpointFinds: 500,
	/** Files of a project whose contents are known from what the agent has read. */
	checkpointReads: 500,
	/** Bytes of a file that is kept because the agent has read it. */
	checkpointReadBytes: 1024 * 1024,

	// Background work: questions to the small model after an exchange.
	/** Characters of an exchange that such a question shows, of one message in it, and of one call's input. */
	digestChars: 16_000,
	digestPartChars: 4_000,
	digestCallChars: 300,
	/** Characters of a suggestion for the next prompt: one line under the composer. */
	suggestionChars: 80,
	/** Characters of a title that are asked for. */
	titleChars: 60,
	/** Characters of a tool label that are asked for, and that are shown at most. */
	labelChars: 30,
	labelCharsMost: 60,
	/** Milliseconds that the end of a turn waits for the label of the batch before it. */
	labelWaitMs: 500,
	/** Files of the project's memory, characters of one, and of all that the model is shown. */
	memoryFiles: 50,
	memoryFileChars: 10_000,
	memoryChars: 25_000,
	/** Notes of the memory that are told in one turn, and words that a note must share with the turn unless they stand in its name. */
	memoryNotes: 3,
	memorySharedWords: 2,
	/** Milliseconds between two looks into the memory: a turn that takes less need not pay for one. */
	memoryLookEveryMs: 2_000,
	/** The memory is put in order at most so often, and after so many sessions. */
	dreamEveryMs: 24 * 60 * 60_000,
	dreamSessions: 5,
} as const;
