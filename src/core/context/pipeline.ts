// The context pipeline: from the conversation to what one request holds, cheap steps before dear ones (loop.md 5).
import type { ModelFailure } from '../model/failure.ts';
import type {
	CompactionResult,
	ContextDeps,
	ContextEvent,
	ContextInput,
	PreparedContext,
	StageReport,
} from './contextTypes.ts';
import type { ProjectionChange } from '../messages/projection.ts';

/** Phase 1 of a turn. Contract: never throws; a stage that fails leaves the conversation as it is. */
export async function* prepareContext(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
): AsyncGenerator<ContextEvent, PreparedContext> {
	throw new Error(`not yet ${String(input && deps && signal)}`);
}

/** Commits every staged segment at once; `undefined` when there is none that still fits. */
export function drainCollapses(
	input: ContextInput,
	deps: ContextDeps,
): { readonly changes: readonly ProjectionChange[]; readonly report: StageReport } | undefined {
	return input && deps ? undefined : undefined;
}

/** After the service refused a request for its size: once per turn (loop.md 6). */
export async function reactiveCompact(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
	failure: ModelFailure,
): Promise<CompactionResult> {
	throw new Error(`not yet ${String(input && deps && signal && failure)}`);
}

/** `/compact [focus]`. */
export async function compactNow(
	input: ContextInput,
	deps: ContextDeps,
	signal: AbortSignal,
	focus?: string,
): Promise<CompactionResult> {
	throw new Error(`not yet ${String(input && deps && signal && focus)}`);
}
