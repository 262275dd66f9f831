// The request for a summary: the conversation's own prefix (its cache is warm) and the instruction. When it would be too long
// it is trimmed in steps: old large outputs first, then media, then whole old turns; never the person's words.
import { limits } from '../limits.ts';
import { reasonOfDecline } from '../messages/declined.ts';
import type { Plan, ProjectionChange } from '../messages/projection.ts';
import { planOf, projectFrom, thinkingDropped } from '../messages/projection.ts';
import type { Message, UserMessage } from '../messages/types.ts';
import { clearResults } from './microcompact.ts';
import { hasMedia } from './tail.ts';
import { sum } from './tokens.ts';
import type { ContextDeps, ContextInput } from './contextTypes.ts';
import { summaryInstruction } from './instructions.ts';
import type { PlacedResult } from './turns.ts';
import { resultChars, resultsOf, turnsOf } from './turns.ts';

export interface SummaryScope {
	readonly input: ContextInput;
	/** Index of the first message that is not summarised. */
	readonly end: number;
	readonly focus: string | undefined;
	/** What an estimated token really is. */
	readonly ratio: number;
}

/** The messages of the request, at most `target` tokens where that is possible. `tokens`: what they are estimated at. */
export function summaryRequest(
	scope: SummaryScope,
	target: number,
	deps: Pick<ContextDeps, 'cache' | 'uuid' | 'clock'>,
): { readonly messages: readonly Message[]; readonly tokens: number } {
	const { input, ratio, focus } = scope;
	const instruction: UserMessage = {
		role: 'user',
		id: deps.uuid(),
		origin: 'hidden',
		content: [{ type: 'text', text: summaryInstruction(focus) }],
		time: deps.clock.now(),
	};
	const size = (messages: readonly Message[]) => Math.round((input.overheadTokens + sum(messages, deps.cache)) * ratio);
	let messages = [...summarised(scope, []), instruction];
	// Each does what the ones before it did, and more.
	for (const trim of [clearOldResults, clearAllResults, dropMedia, dropOldTurns]) {
		const over = size(messages) - target;
		if (over <= 0) break;
		const changes = trim(scope, over / ratio, deps);
		if (changes.length === 0) continue;
		messages = [...summarised(scope, [...changes, ...thinkingDropped(input.messages)]), instruction];
	}
	return { messages, tokens: size(messages) };
}

/** What is sent of the part that the summary will replace, with changes for this request only. */
function summarised({ input, end }: SummaryScope, trims: readonly ProjectionChange[]): readonly Message[] {
	const plan = planOf(input.messages, [...input.changes, ...trims]);
	return [...plan.summary, ...projectFrom(plan.start, input.messages.slice(0, end), plan, undefined)];
}

/** The oldest large results, as many as it takes. */
function clearOldResults(scope: SummaryScope, over: number): readonly ProjectionChange[] {
	return clearOldest(scope, over, limits.clearableChars * 10);
}

function clearAllResults(scope: SummaryScope): readonly ProjectionChange[] {
	return clearOldest(scope, Infinity, limits.clearableChars);
}

function clearOldest({ input, end }: SummaryScope, over: number, minChars: number): readonly ProjectionChange[] {
	const plan = planOf(input.messages, input.changes);
	const chosen: PlacedResult[] = [];
	let freed = 0;
	for (const result of resultsOf(input.messages, turnsOf(input.messages, plan))) {
		if (freed >= over) break;
		if (result.index >= end || isShort(result, plan, minChars)) continue;
		chosen.push(result);
		freed += clearResults([result], input.messages, 1)?.freed ?? 0;
	}
	const change = clearResults(chosen, input.messages, 1);
	return change ? [change] : [];
}

function isShort({ block }: PlacedResult, plan: Plan, minChars: number): boolean {
	if (plan.replacements.has(block.tool_use_id) || reasonOfDecline(block) !== undefined) return true;
	return resultChars(block) < minChars && !block.content.some(({ type }) => type === 'image');
}

function dropMedia(scope: SummaryScope): readonly ProjectionChange[] {
	const last = scope.input.messages.at(-1);
	const cleared = clearAllResults(scope);
	if (!last || !scope.input.messages.slice(0, scope.end).some(hasMedia)) return cleared;
	return [...cleared, { kind: 'media_dropped', at: last.id, upTo: last.id }];
}

/** The oldest turns, as many as it takes; the prompts between them stay. */
function dropOldTurns(scope: SummaryScope, over: number, { cache }: Pick<ContextDeps, 'cache'>) {
	const { messages, changes } = scope.input;
	const before = dropMedia(scope);
	const plan = planOf(messages, [...changes, ...before]);
	const dropped: string[] = [];
	let freed = 0;
	for (const turn of turnsOf(messages, plan)) {
		if (freed >= over || turn.to >= scope.end) break;
		const span = messages.slice(turn.from, turn.to + 1);
		freed += sum(projectFrom(turn.from, messages.slice(0, turn.to + 1), plan, undefined), cache);
		dropped.push(...span.map(({ id }) => id));
	}
	const at = messages.at(-1)?.id ?? '';
	return dropped.length > 0
		? [...before, { kind: 'snipped' as const, at, messageIds: dropped, freed: Math.round(freed) }]
		: before;
}
