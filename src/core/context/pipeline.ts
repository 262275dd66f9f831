// The context pipeline: from the conversation to what one request holds, cheap steps before dear ones; one that suffices makes
// the dearer ones no-ops (loop.md 5).
import { limits } from '../limits.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { ModelFailure } from '../model/failure.ts';
import { compact, hasGrown, turnsSinceCompaction } from './autocompact.ts';
import { atBoundary } from './boundary.ts';
import { collapse, commitStaged, stageNext } from './collapse.ts';
import type {
	CompactionResult,
	ContextDeps,
	ContextEvent,
	ContextInput,
	PreparedContext,
	StageName,
	StageReport,
	StageResult,
} from './contextTypes.ts';
import { limitMedia } from './mediaLimit.ts';
import { microcompact } from './microcompact.ts';
import { snip } from './snip.ts';
import { leaveOutRefused } from './refusedMedia.ts';
import { hasMedia } from './tail.ts';
import type { ContextLimits, ContextSize } from './tokens.ts';
import { contextLimits, contextSize } from './tokens.ts';
import { budgetResults } from './toolResultBudget.ts';

/**
 * Phase 1 of a turn. Call it once for each request. Contract: never throws for failures of the service or of files; a stage
 * that fails leaves the conversation as it is.
 */
export async function* prepareContext(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
): AsyncGenerator<ContextEvent, PreparedContext> {
	const bounds = contextLimits(input);
	const run = new Run(input, deps);
	run.take('tool_results', await budgetResults(input, deps));
	run.take('media', limitMedia(run.input, bounds, deps));
	runCheapStages(run, bounds, deps);
	if (!input.settings.enabled || run.size.tokens < bounds.compactAt) return run.end(bounds);

	const { tracking } = input;
	if (tracking.failures >= limits.summaryAttempts) return run.end(bounds, { kind: 'paused_after_failures' });
	if (!hasGrown(run.input, bounds, deps)) return run.end(bounds, { kind: 'no_growth' });
	const since = turnsSinceCompaction(run.input);
	const refills = since !== undefined && since <= limits.refillTurns ? tracking.refills + 1 : 0;
	if (refills >= limits.refills) return { ...run.end(bounds), blocked: 'rapid_refill_breaker' };

	yield { type: 'compaction_start', trigger: 'auto', tokens: run.size.tokens };
	const result = await compact(run.input, deps, signal, { trigger: 'auto' });
	run.finish(result, refills);
	if (result.kind === 'compacted')
		return run.end(bounds, run.size.tokens < bounds.compactAt ? undefined : { kind: 'no_growth' });
	const { problem, failure } = result;
	return run.end(bounds, { kind: problem, ...(failure ? { failure } : {}) });
}

/** Commits every staged segment at once; `undefined` when there is none that still fits. */
export function drainCollapses(
	input: ContextInput,
	deps: ContextDeps,
): { readonly changes: readonly ProjectionChange[]; readonly report: StageReport } | undefined {
	if (FEATURES.CONTEXT_COLLAPSE) {
		const run = new Run(input, deps);
		run.take('collapse', commitStaged(input, run.size, deps));
		const report = run.reports[0];
		return report ? { changes: run.changes, report } : undefined;
	}
	return undefined;
}

/**
 * After the service refused a request for its size: once per turn (loop.md 6). Media that it does not take are left out: those that
 * its error tells, `all` of them when that is not enough or it tells none.
 */
export async function reactiveCompact(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
	{ failure, all = false }: { readonly failure: ModelFailure; readonly all?: boolean },
): Promise<CompactionResult> {
	const { tracking } = input;
	if (FEATURES.REACTIVE_COMPACT) {
		if (failure.kind !== 'media_too_large') return compact(input, deps, signal, { trigger: 'reactive', failure });
		const run = new Run(input, deps);
		const refused = all ? [] : leaveOutRefused(input, deps, failure.media);
		if (refused.length > 0) run.take('reactive_compact', { changes: refused, freed: 0, items: 1 });
		const media = refused.length > 0 ? [] : deps.cache.projected(input.messages, input.changes).filter(hasMedia);
		const last = input.messages.at(-1);
		if (media.length > 0 && last) {
			const change: ProjectionChange = { kind: 'media_dropped', at: last.id, upTo: last.id };
			run.take('reactive_compact', { changes: [change], freed: 0, items: media.length });
		}
		const report = run.reports[0];
		if (report) return { kind: 'compacted', changes: run.changes, report, tracking };
	}
	return { kind: 'not_compacted', problem: 'nothing_to_compact', tracking };
}

/** `/compact [focus]`. Failures before it do not count: the person asked. */
export async function compactNow(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
	focus?: string,
): Promise<CompactionResult> {
	const tracking = { ...input.tracking, failures: 0 };
	return compact({ ...input, tracking }, deps, signal, {
		trigger: 'manual',
		...(focus === undefined ? {} : { focus }),
	});
}

function runCheapStages(run: Run, bounds: ContextLimits, deps: ContextDeps): void {
	if (FEATURES.HISTORY_SNIP) {
		if (run.input.mainConversation) run.take('snip', snip(run.input, run.size, bounds, deps));
	}
	run.take('microcompact', microcompact(run.input, run.size, bounds, deps));
	if (FEATURES.CONTEXT_COLLAPSE) {
		if (!run.input.mainConversation || !run.input.settings.enabled) return;
		run.take('collapse', collapse(run.input, run.size, bounds, deps));
		stageNext(run.input, run.size, bounds, deps);
	}
}

/** One run of stages: each sees the changes of those before it. */
class Run {
	input: ContextInput;
	size: ContextSize;
	changes: readonly ProjectionChange[] = [];
	readonly reports: StageReport[] = [];
	private readonly deps: ContextDeps;

	constructor(input: ContextInput, deps: ContextDeps) {
		this.input = input;
		this.deps = deps;
		this.size = contextSize(input, deps.cache);
	}

	take(stage: StageName, { changes, items }: StageResult): void {
		if (changes.length === 0) return;
		const before = this.size.tokens;
		this.add(atBoundary(this.input, changes, this.deps.cache));
		if (items > 0) this.reports.push({ stage, before, after: this.size.tokens, items });
	}

	finish(result: CompactionResult, refills: number): void {
		if (result.kind === 'compacted') {
			this.add(result.changes);
			this.reports.push(result.report);
		}
		const { failures } = result.tracking;
		this.input = {
			...this.input,
			tracking: { failures, refills: result.kind === 'compacted' ? refills : result.tracking.refills },
		};
	}

	end({ blockAt }: ContextLimits, problem?: PreparedContext['problem']): PreparedContext {
		const { input, size, changes, reports } = this;
		const { messages, tracking } = input;
		const isOver = size.tokens >= blockAt * (size.measured ? 1 : limits.blockingDoubt);
		return {
			changes,
			messages: this.deps.cache.projected(messages, input.changes),
			tokens: size.tokens,
			tracking,
			reports,
			...(problem ? { problem } : {}),
			...(isOver ? { blocked: 'blocking_limit' } : {}),
		};
	}

	private add(changes: readonly ProjectionChange[]): void {
		this.changes = [...this.changes, ...changes];
		this.input = { ...this.input, changes: [...this.input.changes, ...changes] };
		this.size = contextSize(this.input, this.deps.cache);
	}
}
