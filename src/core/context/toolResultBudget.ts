// First stage: results that are too large go to files, and the message keeps the path and a beginning. Judged once, before a
// result is first sent; the decision holds from then on (a prefix that changes would cost the cache).
import { limits } from '../limits.ts';
import type { ProjectionChange, StoredResult } from '../messages/projection.ts';
import type { Message, ToolResultBlock } from '../messages/types.ts';
import { toolUses } from '../messages/types.ts';
import { clip, roughTokens } from '../util/text.ts';
import type { ContextDeps, ContextInput, StageResult } from './contextTypes.ts';
import { nothing } from './contextTypes.ts';
import { lastAnswer, resultChars, resultText } from './turns.ts';

type Judged = { readonly block: ToolResultBlock; readonly chars: number; readonly limit: number };

/** Looks at results that no answer has followed yet. */
export async function budgetResults(
	{ messages, changes, resultLimit }: ContextInput,
	deps: Pick<ContextDeps, 'storeResult'>,
): Promise<StageResult> {
	const answer = lastAnswer(messages);
	const tools = toolNames(messages[answer]);
	const store: Judged[] = [];
	const keep: Judged[] = [];
	for (const message of messages.slice(answer + 1)) {
		const results = message.content.flatMap((block): Judged[] => {
			if (block.type !== 'tool_result') return [];
			const name = tools.get(block.tool_use_id);
			const limit = (name === undefined ? undefined : resultLimit(name)) ?? limits.resultChars;
			return [{ block, chars: resultChars(block), limit }];
		});
		const chosen = tooLarge(results);
		store.push(...chosen.store);
		keep.push(...chosen.keep);
	}
	if (store.length === 0 && keep.length === 0) return nothing;
	const decided = decidedIds(changes);
	const open = ({ block }: Judged) => !decided.has(block.tool_use_id);
	const { stored, failed } = await storeAll(store.filter(open), deps);
	const kept = [...keep.filter(open).map(({ block }) => block.tool_use_id), ...failed];
	const at = messages.at(-1)?.id ?? '';
	const made: ProjectionChange[] = [];
	if (stored.length > 0) made.push({ kind: 'results_stored', at, results: stored.map(({ result }) => result) });
	if (kept.length > 0) made.push({ kind: 'results_kept', at, toolUseIds: kept });
	return { changes: made, items: stored.length, freed: stored.reduce((sum, { freed }) => sum + freed, 0) };
}

/** Those over their own limit, and then the largest ones until the message's own is kept. A tool may opt out of both. */
function tooLarge(results: readonly Judged[]): { readonly store: readonly Judged[]; readonly keep: readonly Judged[] } {
	const store = results.filter(({ chars, limit }) => chars > limit);
	const others = results.filter(({ chars, limit }) => chars <= limit).sort((one, other) => other.chars - one.chars);
	let total = others.reduce((sum, { chars }) => sum + chars, 0) + store.length * limits.resultPreviewChars;
	const keep: Judged[] = [];
	for (const result of others) {
		if (total <= limits.messageResultChars || result.chars <= 2 * limits.resultPreviewChars) break;
		if (result.limit === Infinity) {
			keep.push(result);
		} else {
			store.push(result);
			total -= result.chars - limits.resultPreviewChars;
		}
	}
	return { store, keep };
}

/** Writes results to files. Those that could not be written are named in `failed`. */
export async function storeAll(
	results: readonly { readonly block: ToolResultBlock; readonly limit: number }[],
	deps: Pick<ContextDeps, 'storeResult'>,
): Promise<{
	readonly stored: readonly { readonly result: StoredResult; readonly freed: number }[];
	readonly failed: readonly string[];
}> {
	const stored: { readonly result: StoredResult; readonly freed: number }[] = [];
	const failed: string[] = [];
	for (const { block, limit } of results) {
		const text = resultText(block);
		const id = block.tool_use_id;
		try {
			const path = await deps.storeResult(id, text);
			const replacement = preview(text, path, limit);
			const freed = Math.max(0, roughTokens(text) - roughTokens(replacement));
			stored.push({ result: { toolUseId: id, path, replacement }, freed });
		} catch {
			failed.push(id);
		}
	}
	return { stored, failed };
}

function preview(text: string, path: string, limit: number): string {
	const beginning = clip(text, Math.min(limits.resultPreviewChars, limit));
	return `[This output has ${text.length} characters. All of it is in the file ${path}; read the part you need, or search in it. It begins:]\n${beginning}`;
}

function toolNames(answer: Message | undefined): ReadonlyMap<string, string> {
	return new Map(answer?.role === 'assistant' ? toolUses(answer).map(({ id, name }) => [id, name]) : []);
}

function decidedIds(changes: readonly ProjectionChange[]): ReadonlySet<string> {
	return new Set(
		changes.flatMap((change) => {
			if (change.kind === 'results_stored') return change.results.map(({ toolUseId }) => toolUseId);
			return change.kind === 'results_kept' ? change.toolUseIds : [];
		}),
	);
}
