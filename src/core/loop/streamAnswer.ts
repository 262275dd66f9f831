// Phase 2: one request to the model. Blocks are journalled as they finish; finished tool calls go to the executor at
// once, and what the executor has to say comes out in between.
import type { AnswerOutcome, AnswerSignal } from '../model/answer.ts';
import type { ModelRequest } from '../model/client.ts';
import type { AssistantBlock } from '../messages/types.ts';
import { toolUses } from '../messages/types.ts';
import { Pull } from '../util/pull.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { State } from './state.ts';
import { ToolIds } from './toolIds.ts';
import { tellLabel } from './toolLabels.ts';
import type { Answer, Turn } from './turn.ts';
import { createExecutor } from './turn.ts';

/** Endings after which no further call may start (loop.md 6). */
const startNothingMore: ReadonlySet<string | null> = new Set([
	'max_tokens',
	'refusal',
	'model_context_window_exceeded',
]);

export async function* streamAnswer(
	request: ModelRequest,
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, Turn> {
	const { deps, signal } = params;
	const { executor, wakeup } = createExecutor(state, params);
	const startedAt = deps.clock.now();
	const messageId = deps.uuid();
	const afterDrop = state.guards.dropContinuations > 0;
	const ids = new ToolIds(state.messages, deps.uuid, { afterDrop, apart: params.subagent === true });
	const streaming = FEATURES.STREAMING_TOOLS && params.settings().streamingTools;

	const { model, messages } = request;
	await deps.journal.append({ type: 'request', turn: state.turnCount, model, messageCount: messages.length });
	yield { type: 'turn_start', turn: state.turnCount, model };

	const hasFallback = params.settings().models.length > state.modelIndex + 1;
	const call = deps.callModel(request, { messageId, signal, hasFallback });
	const answering = new Pull<AnswerSignal, AnswerOutcome>(call, wakeup);
	let answer: Answer | undefined;
	try {
		answering.ask();
		while (true) {
			yield* executor.takeEvents();
			const step = answering.take();
			if (!step) {
				await wakeup.wait();
			} else if (step.done) {
				const outcome = ids.applyTo(step.value);
				yield await journalledEnd(outcome, { request, startedAt, params });
				answer = { ...outcome, toolUses: toolUses(outcome.message) };
				if (startNothingMore.has(outcome.message.stopReason)) {
					executor.refuseQueued('Not run: the answer ended before this call could start.');
				}
				if (FEATURES.TOOL_SUMMARIES) yield* tellLabel(state, params);
				if (!streaming) for (const call of answer.toolUses) executor.add(call);
				return { answer, executor, wakeup, known: new Map() };
			} else {
				const item = ids.rename(step.value);
				const finished = item.type === 'block_end' ? item.block : undefined;
				if (finished && item.type === 'block_end') {
					await deps.journal.append({ type: 'block', messageId, index: item.index, model, block: finished });
				}
				yield item.type === 'attempt_retracted' ? { type: 'answer_retracted', messageId } : { ...item, messageId };
				if (FEATURES.STREAMING_TOOLS) startWhileStreaming(streaming, finished, executor);
				answering.ask();
			}
		}
	} finally {
		if (!answer) {
			// The consumer went away, or the transcript failed: nothing may run on.
			executor.cancel({ kind: 'stopped' });
			await Promise.all([executor.idle(), answering.close()]);
			executor.dispose();
		}
	}
}

/** The calls of an answer start as their blocks close. */
function startWhileStreaming(on: boolean, block: AssistantBlock | undefined, executor: Turn['executor']): void {
	if (on && block?.type === 'tool_use') executor.add(block);
}

/** Writes the end of the answer down, then tells it. */
async function journalledEnd(
	{ message }: AnswerOutcome,
	about: { readonly request: ModelRequest; readonly startedAt: number; readonly params: QueryParams },
): Promise<LoopEvent> {
	const { deps } = about.params;
	const costUsd = deps.cost(about.request.model, message.usage);
	await deps.journal.append({
		type: 'answer',
		messageId: message.id,
		...(message.apiId === undefined ? {} : { apiId: message.apiId }),
		stopReason: message.stopReason,
		usage: message.usage,
		complete: message.complete,
		costUsd,
	});
	return { type: 'answer_end', message, costUsd, durationMs: deps.clock.now() - about.startedAt };
}
