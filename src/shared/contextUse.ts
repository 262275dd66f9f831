// What fills the model's context, as the panel shows it. Plain data.

/** In the order in which it is sent. */
export const contextCategories = [
	'system',
	'tools',
	'memory',
	'summary',
	'prompts',
	'answers',
	'results',
	'notes',
] as const;
export type ContextCategory = (typeof contextCategories)[number];

export interface ContextUse {
	/** What the next request would take, without its answer; the parts add up to it. */
	readonly tokens: number;
	/** Tokens that the model can hold. */
	readonly window: number;
	/** The service's own count is in it; else all of it is estimated. */
	readonly measured: boolean;
	readonly parts: readonly { readonly category: ContextCategory; readonly tokens: number }[];
	/** What the service read from its cache at the newest request, from 0 to 1; null before the first. */
	readonly cacheShare: number | null;
}

/** Names for people, in English: the keys of the l10n bundle, for the panel and for the host. */
export const categoryNames: Readonly<Record<ContextCategory, string>> = {
	system: 'System prompt',
	tools: 'Tool definitions',
	memory: 'Memory',
	summary: 'Summary of earlier messages',
	prompts: 'Your messages',
	answers: 'Answers and tool calls',
	results: 'Tool results',
	notes: 'Notes of the editor',
};
