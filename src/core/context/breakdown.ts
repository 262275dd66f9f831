// What the context is made of, by category, for people: the estimates of what would be sent now, brought to the size that the
// service counted. Pure. Rule: the categories add up to the whole.
import type { ContextUse, ContextCategory } from '../../shared/contextUse.ts';
import { contextCategories } from '../../shared/contextUse.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { Message, Usage } from '../messages/types.ts';
import { roughTokens } from '../util/text.ts';
import type { ContextCache } from './contextCache.ts';
import { resultTokens } from './estimate.ts';
import { contextSize, promptTokens } from './tokens.ts';

export interface BreakdownInput {
	readonly messages: readonly Message[];
	readonly changes: readonly ProjectionChange[];
	/** Tokens, estimated, of what stands before the messages. */
	readonly system: number;
	readonly tools: number;
	/** Tokens that the model can hold. */
	readonly window: number;
}

type Parts = Record<ContextCategory, number>;

/** Where the notes of earlier sessions stand in a message of ours. */
const memoryPart = /<project-memory>[\s\S]*?<\/project-memory>/g;

export function contextBreakdown(input: BreakdownInput, cache: ContextCache): ContextUse {
	const { messages, changes, system, tools, window } = input;
	const parts: Parts = { system, tools, memory: 0, summary: 0, prompts: 0, answers: 0, results: 0, notes: 0 };
	const summaries = new Set(cache.plan(messages, changes).summary.map(({ id }) => id));
	for (const message of cache.projected(messages, changes)) addMessage(parts, message, summaries, cache);
	const estimated = contextCategories.reduce((sum, category) => sum + parts[category], 0);
	const { tokens, measured } = contextSize({ messages, changes, overheadTokens: system + tools }, cache);
	return {
		tokens,
		window,
		measured,
		parts: shared(parts, estimated, tokens),
		cacheShare: cacheShare(messages),
	};
}

function addMessage(parts: Parts, message: Message, summaries: ReadonlySet<string>, cache: ContextCache): void {
	const whole = cache.tokens(message);
	if (summaries.has(message.id)) parts.summary += whole;
	else if (message.role === 'assistant') parts.answers += whole;
	else if (message.origin === 'prompt') parts.prompts += whole;
	else if (message.origin === 'tool_results') {
		const results = message.content.reduce(
			(sum, block) => sum + (block.type === 'tool_result' ? resultTokens(block) : 0),
			0,
		);
		parts.results += Math.min(whole, results);
		parts.notes += Math.max(0, whole - results);
	} else {
		const memory = Math.min(whole, memoryTokens(message));
		parts.memory += memory;
		parts.notes += whole - memory;
	}
}

function memoryTokens({ content }: Message): number {
	let tokens = 0;
	for (const block of content) {
		if (block.type !== 'text') continue;
		for (const [part] of block.text.matchAll(memoryPart)) tokens += roughTokens(part);
	}
	return tokens;
}

/** Whole numbers that add up to `tokens`; what rounding leaves goes to the largest. */
function shared(parts: Parts, estimated: number, tokens: number): ContextUse['parts'] {
	const ratio = estimated === 0 ? 0 : tokens / estimated;
	const scaled = contextCategories.map((category) => ({ category, tokens: Math.floor(parts[category] * ratio) }));
	const rest = tokens - scaled.reduce((sum, part) => sum + part.tokens, 0);
	const largest = scaled.reduce((one, other) => (other.tokens > one.tokens ? other : one));
	return scaled.map((part) => (part === largest ? { ...part, tokens: part.tokens + rest } : part));
}

/** Of the newest prompt that the service counted: what it read from its cache, from 0 to 1; null before the first. */
function cacheShare(messages: readonly Message[]): number | null {
	const usages = messages.flatMap((message): readonly Usage[] => (message.role === 'assistant' ? [message.usage] : []));
	const last = usages.findLast((usage) => promptTokens(usage) > 0);
	return last ? last.cacheReadTokens / promptTokens(last) : null;
}
