// Third stage: old outputs of tools that can be asked for again are replaced by a short mark, without a model call. Never in
// the current turn, never the newest ones; when the cache is cold anyway, or when the context fills up.
import { limits } from '../limits.ts';
import { reasonOfDecline } from '../messages/declined.ts';
import { clearedResultText } from '../messages/projection.ts';
import type { Plan, ProjectionChange } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import { currentToolName } from '../util/toolNames.ts';
import { roughTokens } from '../util/text.ts';
import type { ContextDeps, ContextInput, StageResult } from './contextTypes.ts';
import { nothing } from './contextTypes.ts';
import type { ContextLimits, ContextSize } from './tokens.ts';
import { resultTokens } from './estimate.ts';
import type { PlacedResult } from './turns.ts';
import { lastAnswer, resultChars, resultsOf, turnsOf } from './turns.ts';

const clearable: ReadonlySet<string> = new Set([
	'Read',
	'Bash',
	'PowerShell',
	'TaskOutput',
	'Grep',
	'Glob',
	'WebFetch',
	'WebSearch',
	'Edit',
	'Write',
	'NotebookEdit',
]);

export function microcompact(
	{ messages, changes, now }: ContextInput,
	size: ContextSize,
	bounds: ContextLimits,
	{ cache }: Pick<ContextDeps, 'cache'>,
): StageResult {
	const answer = lastAnswer(messages);
	const cold = now - (messages[answer]?.time ?? now) >= limits.coldCacheMs;
	if (!cold && size.tokens < bounds.clearAt) return nothing;
	const plan = cache.plan(messages, changes);
	const all = resultsOf(messages, turnsOf(messages, plan)).filter(({ call }) =>
		clearable.has(currentToolName(call.name)),
	);
	const old = all.slice(0, Math.max(0, all.length - limits.keptResults)).filter(({ index }) => index < answer);
	const chosen = old.filter(({ block }) => isWhole(block.tool_use_id, plan) && isLarge(block));
	const change = clearResults(chosen, messages, size.ratio);
	if (!change || change.freed < (cold ? limits.coldGainTokens : bounds.compactAt * limits.minimumGainShare)) {
		return nothing;
	}
	return { changes: [change], freed: change.freed, items: chosen.length };
}

/** The change that replaces results by a mark; undefined for none. */
export function clearResults(
	results: readonly PlacedResult[],
	messages: readonly Message[],
	ratio: number,
): Extract<ProjectionChange, { kind: 'results_cleared' }> | undefined {
	const last = messages.at(-1);
	if (!last || results.length === 0) return undefined;
	const mark = roughTokens(clearedResultText);
	const rough = results.reduce((total, { block }) => total + Math.max(0, resultTokens(block) - mark), 0);
	const toolUseIds = results.map(({ block }) => block.tool_use_id);
	return { kind: 'results_cleared', at: last.id, toolUseIds, freed: Math.round(rough * ratio) };
}

function isWhole(toolUseId: string, plan: Plan): boolean {
	return !plan.replacements.has(toolUseId);
}

/** Worth a mark, and not the person's own words. */
function isLarge(block: PlacedResult['block']): boolean {
	if (reasonOfDecline(block) !== undefined) return false;
	return resultChars(block) >= limits.clearableChars || block.content.some(({ type }) => type !== 'text');
}
