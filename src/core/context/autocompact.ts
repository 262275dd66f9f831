// Last stage, and `/compact`: the conversation up to its newest exchanges is replaced by a summary, at the price of one model
// call. Contract: whatever fails, the conversation stays as it was; never twice without growth in between.
import { limits } from '../limits.ts';
import type { CompactionTrigger, ProjectionChange } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import type { ModelFailure } from '../model/failure.ts';
import { atBoundary } from './boundary.ts';
import type { CompactionResult, CompactTracking, ContextDeps, ContextInput, StageName } from './contextTypes.ts';
import { summaryMessages, recentFiles } from './summaryMessage.ts';
import { summaryRequest } from './summaryRequest.ts';
import { shrinkTail, tailStart } from './tail.ts';
import type { ContextLimits, ContextSize } from './tokens.ts';
import { contextLimits, contextSize, sum } from './tokens.ts';
import { lastAnswer } from './turns.ts';

export interface CompactionOrder {
	readonly trigger: CompactionTrigger;
	/** What the person wants kept above all. */
	readonly focus?: string;
	/** Why the service refused the request; its counts are better than any estimate. */
	readonly failure?: ModelFailure;
}

const stageNames: Readonly<Record<CompactionTrigger, StageName>> = {
	auto: 'autocompact',
	reactive: 'reactive_compact',
	manual: 'manual_compact',
};

type Compacted = Extract<ProjectionChange, { kind: 'compacted' }>;

/** What is known when a compaction begins. */
interface Work {
	readonly input: ContextInput;
	readonly size: ContextSize;
	readonly bounds: ContextLimits;
	readonly order: CompactionOrder;
	/** Index of the first message that stays. */
	readonly end: number;
}

/** The one way to compact. `tracking` of the result is for the next state, whatever the outcome. */
export async function compact(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
	order: CompactionOrder,
): Promise<CompactionResult> {
	const { messages, changes, tracking } = input;
	const size = informedSize(input, deps, order.failure);
	const bounds = informedLimits(input, order.failure);
	const budget = Math.min(limits.keptTailTokens, bounds.compactAt * limits.keptTailShare) / size.ratio;
	const plan = deps.cache.plan(messages, changes);
	let end = tailStart(input, budget, deps.cache);
	// All of it fits in the tail: what presses is something else, or the person wants it. Then only the open turn stays.
	if (!hasAnswer(messages, plan.start, end)) end = tailStart(input, 0, deps.cache);
	const work: Work = { input, size, bounds, order, end };
	const mayBeSummarised = hasGrown(input, bounds, deps) && hasAnswer(messages, plan.start, end);
	if (!mayBeSummarised) {
		const shrunk = await shrinkTail(input, plan.start, tailTarget(work), deps);
		if (shrunk.length > 0) return outcome(work, shrunk, tracking, deps);
		const grown = hasGrown(input, bounds, deps);
		return { kind: 'not_compacted', problem: grown ? 'nothing_to_compact' : 'no_growth', tracking };
	}
	const answer = await summary(work, deps, signal);
	if (answer.kind !== 'summary') return answer;
	const shrunk = await shrinkTail(input, end, tailTarget(work), deps);
	const compacted = await compactedChange(
		{ ...work, input: { ...input, changes: [...changes, ...shrunk] } },
		answer.text,
		deps,
		signal,
	);
	if (signal.aborted) return { kind: 'not_compacted', problem: 'stopped', tracking };
	deps.staged.clear();
	return outcome(work, [...shrunk, compacted], { ...tracking, failures: 0 }, deps);
}

/** True when enough was added since the last compaction; after one that did not help, much more is asked for. */
export function hasGrown(
	{ messages, changes }: ContextInput,
	bounds: ContextLimits,
	{ cache }: Pick<ContextDeps, 'cache'>,
): boolean {
	const last = lastCompaction(changes);
	const at = last ? messages.findLastIndex(({ id }) => id === last.at) : -1;
	if (!last || at < 0) return true;
	const helped = last.after < bounds.compactAt;
	const least = helped ? limits.compactGrowthTokens : bounds.window * limits.growthAfterVainShare;
	return sum(messages.slice(at + 1), cache) >= Math.min(least, bounds.window * limits.growthAfterVainShare);
}

/** Answers since the last compaction; undefined when there was none. */
export function turnsSinceCompaction({ messages, changes }: ContextInput): number | undefined {
	const last = lastCompaction(changes);
	const at = last ? messages.findLastIndex(({ id }) => id === last.at) : -1;
	return at < 0 ? undefined : messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
}

function lastCompaction(changes: readonly ProjectionChange[]): Compacted | undefined {
	return changes.findLast((change): change is Compacted => change.kind === 'compacted');
}

function hasAnswer(messages: readonly Message[], start: number, end: number): boolean {
	return lastAnswer(messages.slice(start, end)) >= 0;
}

/** The size, corrected by what the service said when it refused the request. */
function informedSize(input: ContextInput, deps: ContextDeps, failure: ModelFailure | undefined): ContextSize {
	const size = contextSize(input, deps.cache);
	if (failure?.actual === undefined) return size;
	const rough = input.overheadTokens + sum(deps.cache.projected(input.messages, input.changes), deps.cache);
	return { tokens: failure.actual, ratio: Math.max(size.ratio, failure.actual / Math.max(1, rough)), measured: true };
}

function informedLimits(input: ContextInput, failure: ModelFailure | undefined): ContextLimits {
	const contextWindow = Math.min(input.facts.contextWindow, failure?.maximum ?? Infinity);
	return contextLimits({ ...input, facts: { ...input.facts, contextWindow } });
}

/** Rough tokens that the kept messages may take: half of what may be used before the next compaction. */
function tailTarget({ bounds, size }: Work): number {
	return (bounds.compactAt * limits.oversizedTailShare) / size.ratio;
}

type Summary =
	{ readonly kind: 'summary'; readonly text: string } | Extract<CompactionResult, { kind: 'not_compacted' }>;

/** Asks for the summary, with less and less of the conversation while it is too long; at most three failures in a row. */
async function summary(work: Work, deps: ContextDeps, signal: AbortSignal): Promise<Summary> {
	const { input, size, bounds, order, end } = work;
	const reserve = bounds.window - bounds.compactAt;
	let target = bounds.window - Math.min(reserve, limits.outputReserveTokens);
	let failures = input.tracking.failures;
	let failure: ModelFailure | undefined;
	const given = (problem: 'stopped' | 'summary_failed' | 'paused_after_failures'): Summary => {
		const tracking: CompactTracking = { ...input.tracking, failures };
		return { kind: 'not_compacted', problem, ...(failure ? { failure } : {}), tracking };
	};
	while (failures < limits.summaryAttempts) {
		const request = summaryRequest({ input, end, focus: order.focus, ratio: size.ratio }, target, deps);
		const answer = await deps.summarise({ messages: request.messages, purpose: 'conversation' }, signal);
		if (signal.aborted) return given('stopped');
		if (answer.kind === 'answered' && answer.text.trim()) return { kind: 'summary', text: answer.text.trim() };
		failures++;
		failure = answer.kind === 'failed' ? answer.failure : { kind: 'unknown', message: 'The summary was empty.' };
		if (failure.kind !== 'prompt_too_long' && failure.kind !== 'media_too_large') return given('summary_failed');
		target = smallerTarget(Math.min(target, request.tokens), failure);
	}
	return given(failure ? 'summary_failed' : 'paused_after_failures');
}

/** By as much as the service says it was too long, and a margin; by a third when it does not say. */
function smallerTarget(tokens: number, { actual, maximum }: ModelFailure): number {
	const share = actual && maximum ? (maximum / actual) * limits.trimMargin : limits.trimShare;
	return Math.floor(tokens * Math.min(share, limits.trimMargin));
}

async function compactedChange(
	{ input, size, bounds, order, end }: Work,
	text: string,
	deps: ContextDeps,
	signal: AbortSignal,
): Promise<Compacted> {
	const { messages, changes, overheadTokens } = input;
	const last = messages.at(-1)?.id ?? '';
	const upTo = messages[end - 1]?.id ?? last;
	const reattached = await deps.reattach(recentFiles(messages, end), signal).catch(() => undefined);
	const kept = deps.cache.projectedOnce(messages, [
		...changes,
		{ kind: 'compacted', at: last, upTo, summary: [], trigger: order.trigger, before: 0, after: 0 },
	]);
	const keptTokens = overheadTokens + sum(kept, deps.cache);
	// What is put back must never eat up what the summary saved.
	const saved = Math.max(0, size.tokens / size.ratio - keptTokens);
	const room = Math.min(limits.reattachedTokens, bounds.compactAt * limits.reattachedShare, saved / 2);
	const summary = await summaryMessages({ messages, end, summary: text, reattached, room }, deps);
	const after = Math.round((keptTokens + sum(summary, deps.cache)) * size.ratio);
	return { kind: 'compacted', at: last, upTo, summary, trigger: order.trigger, before: size.tokens, after };
}

/** The changes with the rule on thinking, and what they came to. */
function outcome(
	{ input, size, order }: Work,
	made: readonly ProjectionChange[],
	tracking: CompactTracking,
	{ cache }: ContextDeps,
): CompactionResult {
	const changes = atBoundary(input, made, cache);
	const { messages, overheadTokens } = input;
	const projected = cache.projectedOnce(messages, [...input.changes, ...changes]);
	const after = Math.round((overheadTokens + sum(projected, cache)) * size.ratio);
	const report = { stage: stageNames[order.trigger], before: size.tokens, after, items: made.length };
	return { kind: 'compacted', changes, report, tracking };
}
