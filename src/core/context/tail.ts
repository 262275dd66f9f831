// What a compaction keeps as it is: the newest exchanges, cut between turns. A tail that is too large by itself is shortened
// by writing its largest results to files; without that the next request would be too long again.
import { limits } from '../limits.ts';
import { reasonOfDecline } from '../messages/declined.ts';
import type { Plan, ProjectionChange } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import type { ContextDeps, ContextInput } from './contextTypes.ts';
import type { ContextCache } from './contextCache.ts';
import { sum } from './tokens.ts';
import { storeAll } from './toolResultBudget.ts';
import { isCut, isPrompt, lastAnswer, resultChars } from './turns.ts';

/**
 * Index of the first message to keep; `messages.length` for none. What the model has not answered yet is always kept, with
 * the calls that it answers. `budget`: tokens, rough.
 */
export function tailStart({ messages, changes }: ContextInput, budget: number, cache: ContextCache): number {
	const plan = cache.plan(messages, changes);
	const sent = cache.sentTokens(messages, changes);
	const least = leastTail(messages);
	let tokens = messages.slice(least).reduce((total, message) => total + sent(message), 0);
	let [turn, exchange] = [least, least];
	const inside = insideSegments(messages, plan);
	for (let at = least - 1; at > plan.start; at--) {
		const message = messages[at];
		if (!message) break;
		tokens += sent(message);
		if (tokens > budget) break;
		if (inside.has(at) || !isCut(messages, at)) continue;
		turn = at;
		if (isPrompt(message) && !isPromptRun(messages, at)) exchange = at;
	}
	return exchange < least ? exchange : turn;
}

/** Where the open turn begins: the answer whose results the model has not seen, or the prompt that waits for an answer. */
function leastTail(messages: readonly Message[]): number {
	const answer = lastAnswer(messages);
	const last = messages.at(-1);
	if (last?.role === 'assistant' && last.stopReason === 'pause_turn') return answer;
	return isCut(messages, answer + 1) && !messages.slice(answer + 1).some(hasResults) ? answer + 1 : Math.max(0, answer);
}

function hasResults(message: Message): boolean {
	return message.content.some(({ type }) => type === 'tool_result');
}

/** Prompts that follow each other stay together. */
function isPromptRun(messages: readonly Message[], at: number): boolean {
	const before = messages[at - 1];
	return before !== undefined && isPrompt(before);
}

/** Indices inside collapsed segments: a cut there would bring back what the segment's summary replaced. */
function insideSegments(messages: readonly Message[], plan: Plan): ReadonlySet<number> {
	const inside = new Set<number>();
	if (plan.segments.size === 0) return inside;
	for (let at = plan.start; at < messages.length; at++) {
		const segment = plan.segments.get(messages[at]?.id ?? '');
		if (!segment) continue;
		for (let next = at + 1; next <= segment.end; next++) inside.add(next);
		at = segment.end;
	}
	return inside;
}

/** Shortens the messages from an index on until they take at most `target` tokens (rough). */
export async function shrinkTail(
	input: ContextInput,
	from: number,
	target: number,
	deps: Pick<ContextDeps, 'storeResult' | 'cache'>,
): Promise<readonly ProjectionChange[]> {
	const { messages, changes } = input;
	const kept = new Set(messages.slice(from).map(({ id }) => id));
	const tail = deps.cache.projected(messages, changes).filter(({ id }) => kept.has(id));
	let over = sum(tail, deps.cache) - target;
	if (over <= 0) return [];
	const at = messages.at(-1)?.id ?? '';
	const results = tail
		.flatMap((message) => message.content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])))
		.filter((block) => resultChars(block) > 2 * limits.resultPreviewChars && reasonOfDecline(block) === undefined)
		.sort((one, other) => resultChars(other) - resultChars(one));
	const made: ProjectionChange[] = [];
	for (const block of results) {
		if (over <= 0) break;
		const { stored } = await storeAll([{ block, limit: limits.resultPreviewChars }], deps);
		if (stored.length === 0) continue;
		over -= stored.reduce((total, { freed }) => total + freed, 0);
		made.push({ kind: 'results_stored', at, results: stored.map(({ result }) => result) });
	}
	if (over > 0 && tail.some(hasMedia)) made.push({ kind: 'media_dropped', at, upTo: at });
	return made;
}

/** True when an image is in the message, or in one of its results. */
export function hasMedia(message: Message): boolean {
	if (message.role === 'assistant') return false;
	return message.content.some(
		(block) =>
			block.type === 'image' ||
			block.type === 'document' ||
			(block.type === 'tool_result' && block.content.some(({ type }) => type !== 'text')),
	);
}
