// Fourth stage: finished segments of the agent's work are summarised one by one in the background, and the summaries put in
// near the limit, so that everything outside them keeps its detail. The person's words are never part of a segment.
import { limits } from '../limits.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import { roughTokens } from '../util/text.ts';
import type { StagedSegment } from './collapseArea.ts';
import type { ContextDeps, ContextInput, StageResult } from './contextTypes.ts';
import { nothing } from './contextTypes.ts';
import { segmentRequest } from './segmentRequest.ts';
import type { ContextLimits, ContextSize } from './tokens.ts';
import { isCut, isPrompt, reasonsIn, turnsOf } from './turns.ts';

/** Indices, inclusive. */
interface Segment {
	readonly from: number;
	readonly to: number;
}

/** Puts in all that is staged, from the point on where room is needed. */
export function collapse(
	input: ContextInput,
	size: ContextSize,
	bounds: ContextLimits,
	deps: Pick<ContextDeps, 'cache' | 'staged'>,
): StageResult {
	return size.tokens < bounds.collapseAt ? nothing : commitStaged(input, size, deps);
}

/** Puts in all that is staged and still stands in the conversation as it was summarised. */
export function commitStaged(
	input: ContextInput,
	size: ContextSize,
	{ cache, staged }: Pick<ContextDeps, 'cache' | 'staged'>,
): StageResult {
	if (staged.staged.length === 0) return nothing;
	const { messages, changes } = input;
	const tokens = cache.sentTokens(messages, changes);
	const plan = cache.plan(messages, changes);
	const index = new Map(messages.map(({ id }, at) => [id, at]));
	const at = messages.at(-1)?.id ?? '';
	const made = staged.takeAll().flatMap((segment): Extract<ProjectionChange, { kind: 'collapsed' }>[] => {
		const [from, to] = [index.get(segment.from) ?? -1, index.get(segment.to) ?? -1];
		if (from < plan.start || to < from || plan.segments.has(segment.from) || plan.snipped.has(segment.from)) return [];
		const sent = messages.slice(from, to + 1).reduce((total, message) => total + tokens(message), 0);
		const freed = (sent - roughTokens(segment.summary)) * size.ratio;
		if (freed <= 0) return [];
		return [{ kind: 'collapsed', at, ...segment, freed: Math.round(freed) }];
	});
	return { changes: made, items: made.length, freed: made.reduce((total, { freed }) => total + freed, 0) };
}

/** Starts the summary of the oldest segment that has none yet. Returns at once; the service is asked in the background. */
export function stageNext(input: ContextInput, size: ContextSize, bounds: ContextLimits, deps: ContextDeps): void {
	const { staged } = deps;
	if (size.tokens < bounds.stageAt || staged.busy || staged.gaveUp) return;
	const { messages } = input;
	const segment = nextSegment(input, deps);
	const [first, last] = segment ? [messages[segment.from], messages[segment.to]] : [];
	if (!segment || !first || !last) return;
	const ids = new Set(messages.slice(segment.from, segment.to + 1).map(({ id }) => id));
	const steps = deps.cache.projected(messages, input.changes).filter(({ id }) => ids.has(id));
	const request = segmentRequest(steps, messages.slice(0, segment.from).findLast(isPrompt), deps);
	staged.start({ from: first.id, to: last.id }, async (signal) => {
		const answer = await deps.summarise({ messages: [request], purpose: 'segment' }, signal);
		return answer.kind === 'answered' && answer.text.trim() ? segmentText(answer.text.trim(), steps) : undefined;
	});
}

function segmentText(summary: string, steps: readonly Message[]): string {
	const reasons = steps.flatMap(reasonsIn).map(({ reason }) => `The user declined a call then and said: ${reason}`);
	return ['[A part of the work was left out to save room. What was done in it:]', summary, ...reasons].join('\n');
}

/** The oldest run of whole turns between two prompts that is long enough and neither summarised nor tried. */
function nextSegment(
	input: ContextInput,
	{ cache, staged }: Pick<ContextDeps, 'cache' | 'staged'>,
): Segment | undefined {
	const { messages, changes } = input;
	const plan = cache.plan(messages, changes);
	const tokens = cache.sentTokens(messages, changes);
	const turns = turnsOf(messages, plan);
	const end = turns[turns.length - limits.collapseKeptTurns]?.from ?? 0;
	const taken = new Map(staged.staged.map((segment: StagedSegment) => [segment.from, segment.to]));
	let open: { readonly from: number; tokens: number } | undefined;
	for (let at = plan.start; at < end; at++) {
		const message = messages[at];
		if (!message) continue;
		const cut = isCut(messages, at);
		const long = open && open.tokens >= limits.segmentMinTokens;
		const skipTo = plan.segments.get(message.id)?.end ?? placeOf(taken.get(message.id), messages, at);
		const breaks = skipTo !== undefined || stays(message);
		const full = open !== undefined && open.tokens + tokens(message) > limits.segmentMaxTokens;
		if (open && long && cut && (breaks || full)) return { from: open.from, to: at - 1 };
		if (breaks) open = undefined;
		else if (open) open.tokens += tokens(message);
		else if (message.role === 'assistant' && !plan.snipped.has(message.id)) {
			open = { from: at, tokens: tokens(message) };
		}
		if (skipTo !== undefined) at = skipTo;
	}
	const long = open && open.tokens >= limits.segmentMinTokens;
	return open && long && isCut(messages, end) ? { from: open.from, to: end - 1 } : undefined;
}

/** Messages that no summary may swallow: the person's words, and the note that they stopped it. */
function stays(message: Message): boolean {
	return isPrompt(message) || (message.role === 'user' && message.origin === 'interrupted');
}

function placeOf(id: string | undefined, messages: readonly Message[], from: number): number | undefined {
	if (id === undefined) return undefined;
	const at = messages.findIndex((message, index) => index >= from && message.id === id);
	return at < 0 ? undefined : at;
}
