// How full the context is: the last usage that the API reported plus an estimate for what came later. After a change of what
// was counted the whole projection is estimated anew, at the ratio of tokens to characters that the usage taught.
import { limits } from '../limits.ts';
import type { Message, Usage } from '../messages/types.ts';
import type { ContextInput } from './contextTypes.ts';
import type { ContextCache } from './contextCache.ts';
import { changesUpTo } from './boundary.ts';
import type { ProjectionChange } from '../messages/projection.ts';

export interface ContextSize {
	readonly tokens: number;
	/** What an estimated token really is, as far as usage has shown; 1 when nothing is known. */
	readonly ratio: number;
	/** True when the API's own count of this conversation is part of it. */
	readonly measured: boolean;
}

/** Tokens that a request with this conversation and these changes takes, without the answer. */
export function contextSize(
	input: Pick<ContextInput, 'messages' | 'changes' | 'overheadTokens'>,
	cache: ContextCache,
): ContextSize {
	const { messages, changes, overheadTokens } = input;
	const projected = cache.projected(messages, changes);
	const last = messages.findLastIndex((message) => message.role === 'assistant' && promptTokens(message.usage) > 0);
	const answer = messages[last];
	if (answer?.role !== 'assistant') {
		return { tokens: overheadTokens + sum(projected, cache), ratio: 1, measured: false };
	}
	const counted = promptTokens(answer.usage) + answer.usage.outputTokens;
	const later = changesAfter(messages, changes, last);
	if (later === 0) {
		const since = projected.slice(projected.findLastIndex(({ id }) => id === answer.id) + 1);
		return { tokens: counted + sum(since, cache), ratio: 1, measured: true };
	}
	const then = cache.estimateAt(answer.id, () =>
		sum(cache.projectedOnce(messages.slice(0, last + 1), changes.slice(0, changes.length - later)), cache),
	);
	const ratio = clamp(counted / Math.max(1, overheadTokens + then), limits.tokenRatioMin, limits.tokenRatioMax);
	return { tokens: Math.round((overheadTokens + sum(projected, cache)) * ratio), ratio, measured: true };
}

/** Tokens of the prompt that an answer was given to: the three disjoint buckets. */
export function promptTokens(usage: Usage): number {
	return usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
}

/** Tokens of messages, roughly. */
export function sum(messages: readonly Message[], cache: ContextCache): number {
	return messages.reduce((total, message) => total + cache.tokens(message), 0);
}

/** How many of the changes (always the newest) the usage of an answer knows nothing of, those that change no size aside. */
function changesAfter(messages: readonly Message[], changes: readonly ProjectionChange[], answer: number): number {
	const since = new Set(messages.slice(answer).map(({ id }) => id));
	let later = 0;
	for (let at = changes.length - 1; at >= 0; at--) {
		const change = changes[at];
		if (!change || !since.has(change.at)) break;
		if (changesUpTo(change, messages, answer)) later = changes.length - at;
	}
	return later;
}

function clamp(value: number, min: number, max: number): number {
	return Math.min(max, Math.max(min, value));
}

/** Where the context ends, in tokens (loop.md 5). */
export interface ContextLimits {
	readonly window: number;
	/** The conversation is summarised from here on. */
	readonly compactAt: number;
	/** Staged collapses are put in from here on; summaries are staged from `stageAt` on. */
	readonly collapseAt: number;
	readonly stageAt: number;
	/** Old turns, and old results, are left out from here on. */
	readonly snipAt: number;
	readonly clearAt: number;
	/** Nothing is sent from here on. */
	readonly blockAt: number;
}

export function contextLimits({
	facts,
	settings,
	maxOutputTokens,
}: Pick<ContextInput, 'facts' | 'settings' | 'maxOutputTokens'>): ContextLimits {
	const window = Math.max(1, Math.min(settings.window ?? Infinity, facts.contextWindow));
	const reserve = Math.min(limits.outputReserveTokens, maxOutputTokens, window * limits.outputReserveShare);
	const buffer = Math.min(limits.compactBufferTokens, window * limits.compactBufferShare);
	const usual = window - reserve - buffer;
	const compactAt = Math.floor(settings.threshold === undefined ? usual : Math.min(usual, window * settings.threshold));
	return {
		window,
		compactAt,
		collapseAt: Math.min(compactAt, Math.floor(window * limits.collapseShare)),
		stageAt: Math.floor(compactAt * limits.stageShare),
		snipAt: Math.floor(compactAt * limits.snipShare),
		clearAt: Math.floor(compactAt * limits.clearShare),
		blockAt: Math.floor(window - Math.min(limits.blockingReserveTokens, window * limits.blockingReserveShare)),
	};
}
