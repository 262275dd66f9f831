// Labels of finished batches of tools (loop.md 8): asked for when a batch is answered, told in the turn after it. A label that
// is late is left out; nothing waits for it longer than a moment.
import { limits } from '../limits.ts';
import { textOf, toolUses } from '../messages/types.ts';
import type { Collected } from './collectResults.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { State } from './state.ts';
import type { ToolBatch } from './toolBatch.ts';

/** Asks for the label of the batch that has just been answered. */
export function startLabel({ messages }: Collected, params: QueryParams): State['pendingToolUseSummary'] {
	const [answer, results] = messages.slice(-2);
	if (!params.labelTools || answer?.role !== 'assistant' || results?.role !== 'user') return undefined;
	const failed = new Set(
		results.content.flatMap((block) => (block.type === 'tool_result' && block.is_error ? [block.tool_use_id] : [])),
	);
	const calls = toolUses(answer).map(({ id, name, input }) => ({ id, name, input, failed: failed.has(id) }));
	const batch: ToolBatch = { text: textOf(answer), calls };
	return params
		.labelTools(batch, params.signal)
		.then((label) => (label === undefined ? undefined : { toolUseIds: calls.map(({ id }) => id), label }));
}

/** Tells the label of the batch before this turn, once, if it is there by now or comes within a moment. */
export async function* tellLabel(state: State, params: QueryParams): AsyncGenerator<LoopEvent, void> {
	const pending = state.pendingToolUseSummary;
	// A turn that is asked for again carries the label that was told the first time.
	if (!pending || state.transition?.reason !== 'next_turn') return;
	const moment = new AbortController();
	const late = params.deps.clock.sleep(limits.labelWaitMs, AbortSignal.any([moment.signal, params.signal]));
	const label = await Promise.race([pending, late.then(() => undefined)]);
	moment.abort();
	if (!label || params.signal.aborted) return;
	const event = { type: 'tools_labelled', ...label } as const;
	await params.deps.journal.append(event);
	yield event;
}
