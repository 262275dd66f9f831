// Second stage: old turns that have become worthless are left out, without a model call: a file that was read again later, a
// search that found nothing, an older todo list. Never the person's words, never half a turn.
import { limits } from '../limits.ts';
import type { Message, ToolUseBlock } from '../messages/types.ts';
import { textOf, toolUses } from '../messages/types.ts';
import type { ContextDeps, ContextInput, StageResult } from './contextTypes.ts';
import { nothing } from './contextTypes.ts';
import type { ContextLimits, ContextSize } from './tokens.ts';
import { sum } from './tokens.ts';
import type { TurnSpan } from './turns.ts';
import { lastAnswer, resultChars, resultsOf, turnsOf } from './turns.ts';

export function snip(
	{ messages, changes }: ContextInput,
	size: ContextSize,
	bounds: ContextLimits,
	{ cache }: Pick<ContextDeps, 'cache'>,
): StageResult {
	if (size.tokens < bounds.snipAt) return nothing;
	const turns = turnsOf(messages, cache.plan(messages, changes));
	const newest = newestCalls(messages, turns);
	const current = lastAnswer(messages);
	const worthless = turns
		.slice(0, Math.max(0, turns.length - limits.snipKeptTurns))
		.filter((turn) => turn.to < current && isWorthless(turn, messages, newest));
	const left = worthless.flatMap(({ from, to }) => messages.slice(from, to + 1));
	const freed = Math.round(sum(left, cache) * size.ratio);
	if (left.length === 0 || freed < bounds.compactAt * limits.minimumGainShare) return nothing;
	const at = messages.at(-1)?.id ?? '';
	return {
		changes: [{ kind: 'snipped', at, messageIds: left.map(({ id }) => id), freed }],
		freed,
		items: worthless.length,
	};
}

/** The last call of each kind that worked, by what it asked for. */
function newestCalls(messages: readonly Message[], turns: readonly TurnSpan[]): ReadonlyMap<string, string> {
	const worked = resultsOf(messages, turns).filter(({ block }) => !block.is_error);
	return new Map(worked.map(({ call }) => [asked(call), call.id]));
}

/** What a call asks for; a todo list asks for the same whatever stands in it. */
function asked({ name, input }: ToolUseBlock): string {
	return name === 'TodoWrite' ? name : `${name} ${JSON.stringify(input)}`;
}

function isWorthless(turn: TurnSpan, messages: readonly Message[], newest: ReadonlyMap<string, string>): boolean {
	const { answer, to } = turn;
	const calls = toolUses(answer);
	const results = messages[to];
	if (calls.length === 0 || !answer.complete || results?.role !== 'user') return false;
	if (textOf(answer).length > limits.snipTextChars || answer.content.some(({ type }) => type === 'opaque'))
		return false;
	// Whatever else stands in the message of the results was put there for a reason.
	if (results.content.some(({ type }) => type !== 'tool_result')) return false;
	return calls.every((call) => {
		const result = results.content.find((block) => block.type === 'tool_result' && block.tool_use_id === call.id);
		// A failure may hold the reason that the person gave for declining.
		if (result?.type !== 'tool_result' || result.is_error) return false;
		switch (call.name) {
			case 'Read':
			case 'TodoWrite':
				return isOutdated(call, newest);
			case 'Grep':
			case 'Glob':
				return isOutdated(call, newest) || resultChars(result) < limits.emptySearchChars;
			default:
				return false;
		}
	});
}

function isOutdated(call: ToolUseBlock, newest: ReadonlyMap<string, string>): boolean {
	return newest.get(asked(call)) !== call.id;
}
