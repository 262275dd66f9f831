// What is known of each model: limits, prices, kind of thinking (anthropic-api 4.2 and 7). Values that the Models API
// gives win over this table; a model that nobody knows gets careful defaults and no prices.
import type { Usage } from '../messages/types.ts';
import type { ModelFacts, ModelPrices, RemoteModel } from './client.ts';

/** The model of a new session, and the one for small jobs (titles, labels). */
export const defaultModel = 'claude-sonnet-5-5';
export const defaultSmallModel = 'claude-haiku-5-5';
/** The built-in model that is no AI. */
export const demoModel = 'loopwright-demo';

/** Prices that hold when the whole prompt has more than `aboveTokens`. */
interface LongPromptPrices {
	readonly aboveTokens: number;
	readonly prices: ModelPrices;
}
interface TableRow {
	readonly name: string;
	readonly window: number;
	readonly maxOutput: number;
	readonly prices: ModelPrices | null;
	readonly thinking: ModelFacts['thinking'];
	/** `thinking: {type: 'disabled'}` is accepted; elsewhere thinking is off by default or cannot be switched off. */
	readonly canDisableThinking?: true;
	readonly longPrompt?: LongPromptPrices;
}

const million = 1_000_000;
const K = 1000;
/** Input, output, cache write (5 minutes), cache read; USD per million tokens. */
const usd = (input: number, output: number, cacheWrite: number, cacheRead: number): ModelPrices => ({
	input,
	output,
	cacheWrite,
	cacheRead,
});
const big = (name: string, prices: ModelPrices): TableRow => ({
	name,
	window: million,
	maxOutput: 128 * K,
	prices,
	thinking: 'adaptive',
});
const small = (name: string, prices: ModelPrices): TableRow => ({
	name,
	window: 200 * K,
	maxOutput: 64 * K,
	prices,
	thinking: 'budget',
});

const table: Readonly<Record<string, TableRow>> = {
	'claude-fable-5-2': big('Claude Fable 5.2', usd(8, 40, 10, 0.2)),
	'claude-fable-5-1': big('Claude Fable 5.1', usd(10, 50, 12.5, 0.25)),
	'claude-fable-5': big('Claude Fable 5', usd(10, 50, 12.5, 1)),
	'claude-opus-5-5': big('Claude Opus 5.5', usd(4, 20, 5, 0.2)),
	'claude-opus-5': { ...big('Claude Opus 5', usd(5, 25, 6.25, 0.5)), canDisableThinking: true },
	'claude-opus-4-8': big('Claude Opus 4.8', usd(5, 25, 6.25, 0.5)),
	'claude-opus-4-7': big('Claude Opus 4.7', usd(5, 25, 6.25, 0.5)),
	'claude-opus-4-6': big('Claude Opus 4.6', usd(5, 25, 6.25, 0.5)),
	'claude-opus-4-5': small('Claude Opus 4.5', usd(5, 25, 6.25, 0.5)),
	'claude-sonnet-5-5': big('Claude Sonnet 5.5', usd(2, 10, 2.5, 0.1)),
	'claude-sonnet-5': { ...big('Claude Sonnet 5', usd(2, 10, 2.5, 0.2)), canDisableThinking: true },
	'claude-sonnet-4-6': big('Claude Sonnet 4.6', usd(3, 15, 3.75, 0.3)),
	'claude-sonnet-4-5': small('Claude Sonnet 4.5', usd(3, 15, 3.75, 0.3)),
	'claude-haiku-5-5': {
		...big('Claude Haiku 5.5', usd(0.1, 0.5, 0.125, 0.01)),
		longPrompt: { aboveTokens: 100 * K, prices: usd(0.5, 2.5, 0.625, 0.05) },
	},
	'claude-haiku-4-5': small('Claude Haiku 4.5', usd(1, 5, 1.25, 0.1)),
	[demoModel]: {
		name: 'Demo model (no AI)',
		window: 200 * K,
		maxOutput: 64 * K,
		prices: usd(0, 0, 0, 0),
		thinking: 'none',
	},
};

/** For models that are in no list: what even small servers can hold. */
const unknownModel = { window: 200 * K, maxOutput: 8192 } as const;

/** The table's row, also for a dated id (`claude-haiku-4-5-20251001`) and for a provider's prefix (`anthropic/…`). */
function rowOf(id: string): TableRow | undefined {
	const plain = id.replace(/^(?:.*\/)?(?:anthropic\.)?/, '').replace(/[-@]\d{8}$/, '');
	return Object.hasOwn(table, plain) ? table[plain] : undefined;
}

/** Facts of a model. Tokens; prices null when nobody knows them. `remote`: its entry in the Models API, if any. */
export function modelFacts(id: string, remote?: RemoteModel): ModelFacts {
	const row = rowOf(id);
	return {
		id,
		name: remote?.displayName || row?.name || id,
		contextWindow: remote?.maxInputTokens ?? row?.window ?? unknownModel.window,
		maxOutputTokens: remote?.maxTokens ?? row?.maxOutput ?? unknownModel.maxOutput,
		prices: row?.prices ?? null,
		thinking: row?.thinking ?? 'none',
	};
}

/** True when thinking is on by default and the model accepts `{type: 'disabled'}`. */
export function canDisableThinking(id: string): boolean {
	return rowOf(id)?.canDisableThinking === true;
}

/** True when the table has the model: nobody needs to be asked for its limits. */
export function isKnownModel(id: string): boolean {
	return rowOf(id) !== undefined;
}

/** The models to offer when the service has no list. */
export function knownModels(): readonly ModelFacts[] {
	return Object.keys(table)
		.filter((id) => id !== demoModel)
		.map((id) => modelFacts(id));
}

/** USD of one answer; null when the model's prices are unknown. The size of the whole prompt decides a tiered price. */
export function costOf(facts: ModelFacts, usage: Usage): number | null {
	if (!facts.prices) return null;
	const prompt = usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
	const long = rowOf(facts.id)?.longPrompt;
	const prices = long && prompt > long.aboveTokens ? long.prices : facts.prices;
	return (
		(usage.inputTokens * prices.input +
			usage.outputTokens * prices.output +
			usage.cacheCreationTokens * prices.cacheWrite +
			usage.cacheReadTokens * prices.cacheRead) /
		million
	);
}
