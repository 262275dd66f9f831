// The shape of a conversation: where it may be cut (never between a call and its result), which turns it has, what the
// person said in it. Pure.
import { reasonOfDecline } from '../messages/declined.ts';
import type { AssistantMessage, Message, ToolResultBlock, ToolUseBlock } from '../messages/types.ts';
import { textOf, toolUses } from '../messages/types.ts';
import type { Plan } from '../messages/projection.ts';

/** A tool result with its place and its call. */
export interface PlacedResult {
	readonly index: number;
	readonly block: ToolResultBlock;
	readonly call: ToolUseBlock;
}

/** An answer and the message that holds the results of its calls. Indices; `to` is inclusive. */
export interface TurnSpan {
	readonly from: number;
	readonly to: number;
	readonly answer: AssistantMessage;
}

/** The index of the last answer; everything before it, and nothing after it, has been answered. -1 for none. */
export function lastAnswer(messages: readonly Message[]): number {
	return messages.findLastIndex(({ role }) => role === 'assistant');
}

/** True when a conversation may be cut before this message: every call before it has its result before it, too. */
export function isCut(messages: readonly Message[], at: number): boolean {
	const message = messages[at];
	if (!message) return at === messages.length && !hasOpenCalls(messages, at);
	return message.role === 'assistant' || !hasOpenCalls(messages, at);
}

/** Calls of the last answer before `at` that have no result before `at`. */
function hasOpenCalls(messages: readonly Message[], at: number): boolean {
	const answered = new Set<string>();
	for (let index = at - 1; index >= 0; index--) {
		const message = messages[index];
		if (message?.role === 'assistant') return toolUses(message).some(({ id }) => !answered.has(id));
		for (const block of message?.content ?? []) if (block.type === 'tool_result') answered.add(block.tool_use_id);
	}
	return false;
}

/** The turns that are sent as they happened, from an index on: neither left out nor part of a collapsed segment. */
export function turnsOf(messages: readonly Message[], plan: Plan): readonly TurnSpan[] {
	const turns: TurnSpan[] = [];
	for (let at = plan.start; at < messages.length; at++) {
		const message = messages[at];
		if (!message) continue;
		const segment = plan.segments.get(message.id);
		if (segment) at = segment.end;
		if (segment || message.role !== 'assistant' || plan.snipped.has(message.id)) continue;
		const next = messages[at + 1];
		const to = next?.role === 'user' && next.origin === 'tool_results' ? at + 1 : at;
		turns.push({ from: at, to, answer: message });
	}
	return turns;
}

/** The results in turns, in order. */
export function resultsOf(messages: readonly Message[], turns: readonly TurnSpan[]): readonly PlacedResult[] {
	return turns.flatMap(({ to, answer }) => {
		const results = messages[to];
		if (results?.role !== 'user') return [];
		const calls = new Map(toolUses(answer).map((call) => [call.id, call]));
		return results.content.flatMap((block): PlacedResult[] => {
			const call = block.type === 'tool_result' ? calls.get(block.tool_use_id) : undefined;
			return block.type === 'tool_result' && call ? [{ index: to, block, call }] : [];
		});
	});
}

/** Text of a result. */
export function resultText({ content }: ToolResultBlock): string {
	return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Characters of a result's text. */
export function resultChars({ content }: ToolResultBlock): number {
	return content.reduce((total, part) => total + (part.type === 'text' ? part.text.length : 0), 0);
}

/** What the person said: prompts, also queued ones. */
export function isPrompt(message: Message): boolean {
	return message.role === 'user' && message.origin === 'prompt';
}

/** The person's words before an index, in order, blank ones left out: prompts, and why calls were declined. */
export function wordsBefore(messages: readonly Message[], end: number): readonly { id: string; text: string }[] {
	return messages.slice(0, end).flatMap((message) => {
		const text = isPrompt(message) ? textOf(message) : '';
		const said = text.trim() ? [{ id: message.id, text }] : [];
		return [...said, ...reasonsIn(message).map(({ id, reason }) => ({ id, text: `(declining a call) ${reason}` }))];
	});
}

/** Why the person declined calls, word for word, with the ids of the calls. */
export function reasonsIn({ content }: Message): readonly { readonly id: string; readonly reason: string }[] {
	return content.flatMap((block) => {
		const reason = block.type === 'tool_result' ? reasonOfDecline(block) : undefined;
		return block.type === 'tool_result' && reason !== undefined ? [{ id: block.tool_use_id, reason }] : [];
	});
}
