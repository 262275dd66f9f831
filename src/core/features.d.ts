// Feature flags (loop.md 10). The build replaces each `FEATURES.NAME` by true or false; tests set a global of this name.
declare const FEATURES: {
	/** Finished segments are summarised in the background and put in near the limit. */
	readonly CONTEXT_COLLAPSE: boolean;
	/** Compaction after the service refused a request for its size. */
	readonly REACTIVE_COMPACT: boolean;
	/** Old turns of no value are left out. */
	readonly HISTORY_SNIP: boolean;
	/** Tools start while the answer still streams. */
	readonly STREAMING_TOOLS: boolean;
	/** A token target per prompt keeps the agent at work. */
	readonly TOKEN_BUDGET: boolean;
	/** Memory is consolidated in the background. */
	readonly AUTO_DREAM: boolean;
	/** A small model labels finished batches of tools. */
	readonly TOOL_SUMMARIES: boolean;
};
