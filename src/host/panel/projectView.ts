// From what the agent tells to what the panel shows. The only code that knows both; pure: same view, event and time, same
// result. Rows have stable ids: `messageId:index` for text and thinking, the id of the tool use for tool calls.
import { textOf } from '../../core/messages/types.ts';
import type { AssistantMessage } from '../../core/messages/types.ts';
import type { LoopEvent } from '../../core/loop/events.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { Row } from '../../shared/view.ts';
import type { AgentEvent, ExchangeSums, Projection, ProjectionState, ViewSource } from './projection.ts';
import { added, changed, opened, removed, same, serial, withSums } from './projection.ts';
import {
	answerRetracted,
	contextPrepared,
	errorsPast,
	exchangeEnd,
	limitOver,
	modelError,
	modelFallback,
	projectionChanged,
	retryOver,
	retryWait,
} from './projectRecovery.ts';
import { emptyTool, toolChange, toolEvent, toolsLabelled } from './projectTools.ts';

export function projectView(view: ViewSource, event: AgentEvent, now: number): Projection {
	switch (event.type) {
		case 'prompt_taken':
			return promptTaken(view, event, now);
		case 'turn_start':
			return {
				events: [],
				state: { ...withSums(view, { model: event.model, ...begun(view, now) }), phase: 'working' },
			};
		case 'block_start':
			return blockStart(view, event, now);
		case 'block_delta':
			return same(view, [{ type: 'text_appended', rowId: `${event.messageId}:${event.index}`, text: event.text }]);
		case 'block_end':
			return blockEnd(view, event, now);
		case 'answer_end':
			return answerEnd(view, event.message, event.costUsd);
		case 'tool_queued':
		case 'tool_start':
		case 'tool_progress':
		case 'tool_end':
			return toolEvent(view, event, now);
		case 'interrupted':
			return same(view, [added({ kind: 'notice', id: event.message.id, code: 'interrupted', args: {} })]);
		case 'max_turns_reached':
			return serial(view, (id) => ({
				kind: 'notice',
				id: `notice:${id}`,
				code: 'max_turns',
				args: { turns: String(event.maxTurns) },
			}));
		case 'model_error':
			return modelError(view, event, now);
		case 'exchange_end':
			return exchangeEnd(view, event.terminal.reason, { stored: false, now });
		case 'permission_requested':
			return same(view, toolChange(view, event.request.toolUseId, { state: 'waiting' }));
		case 'permission_resolved':
			return same(view, event.allowed ? toolChange(view, event.toolUseId, { state: 'queued' }) : []);
		case 'mode_changed':
			return same(view, [changed({ mode: event.mode })]);
		case 'model_changed': {
			const known = view.state.models.find((model) => model.id === event.model);
			return same(view, [changed({ model: known ?? { id: event.model, name: event.model } })]);
		}
		case 'todos_changed':
			return same(view, [changed({ todos: event.todos })]);
		case 'side_call': {
			const known = view.state.costUsd;
			const total = known === null || event.costUsd === null ? null : known + event.costUsd;
			return same(view, [changed({ costUsd: total })]);
		}
		case 'answer_retracted':
			return answerRetracted(view, event.messageId);
		case 'retry_wait':
			return retryWait(view, event);
		case 'retry_start':
			return { events: [], state: { ...view.projected, phase: 'working' } };
		case 'model_fallback':
			return modelFallback(view, event);
		case 'compaction_start':
			return { events: [], state: { ...view.projected, phase: 'compacting' } };
		case 'projection_changed':
			return projectionChanged(view, event.change);
		case 'context_prepared':
			return contextPrepared(view, event);
		case 'prompt_suggested':
			return same(view, [changed({ suggestion: event.text })]);
		case 'tools_labelled':
			return same(view, toolsLabelled(view, event));
		case 'session_titled':
		case 'memory_changed':
		case 'background_failed':
		case 'transition':
		case 'context_attached':
			return same(view, []);
	}
}

function promptTaken(view: ViewSource, event: Extract<LoopEvent, { type: 'prompt_taken' }>, now: number): Projection {
	const { message, queueId } = event;
	const { id, attachments } = message;
	const said = { kind: 'prompt', id, text: textOf(message), time: message.time || now } as const;
	const row: Row = { ...said, ...(attachments ? { attachments } : {}) };
	const past = errorsPast(view);
	const events: ViewEvent[] = [...past.events, added(row)];
	if (view.state.suggestion !== null) events.push(changed({ suggestion: null }));
	if (queueId !== undefined) {
		events.push(changed({ queued: view.state.queued.filter((prompt) => prompt.id !== queueId) }));
	}
	const exchange = { ...past.state.exchange, ...begun(view, now) };
	return { events, state: { ...past.state, exchange } };
}

/** An exchange lasts from its first prompt, or its first turn where it goes on. */
function begun({ projected: { exchange } }: ViewSource, now: number): Pick<ExchangeSums, 'since'> {
	return { since: exchange.since || now };
}

function blockStart(view: ViewSource, event: Extract<LoopEvent, { type: 'block_start' }>, now: number): Projection {
	const { projected } = view;
	const id = event.block === 'tool_use' ? event.toolUse?.id : `${event.messageId}:${event.index}`;
	const row = id === undefined ? undefined : emptyRow(event, id);
	if (!row) return same(view, retryOver(view));
	const state: ProjectionState = {
		...projected,
		...(row.kind === 'thinking' ? { thinkingSince: now } : {}),
		...(row.kind === 'tool' ? { toolBlock: { block: `${event.messageId}:${event.index}`, row: row.id } } : {}),
	};
	const next = opened(view, row, inAnswer(state, event.messageId, row.id));
	return { events: [...retryOver(view), ...next.events], state: next.state };
}

function emptyRow({ block, toolUse }: Extract<LoopEvent, { type: 'block_start' }>, id: string): Row | undefined {
	if (block === 'text') return { kind: 'text', id, text: '', open: true };
	if (block === 'thinking') return { kind: 'thinking', id, text: '', open: true };
	return block === 'tool_use' && toolUse ? emptyTool(toolUse.id, toolUse.name) : undefined;
}

/** Remembers that the row is one of the answer's. */
function inAnswer(state: ProjectionState, messageId: string, row: string): ProjectionState {
	const rows = state.answer.messageId === messageId ? state.answer.rows : [];
	return { ...state, answer: { messageId, rows: [...rows.filter((id) => id !== row), row] } };
}

function blockEnd(view: ViewSource, event: Extract<LoopEvent, { type: 'block_end' }>, now: number): Projection {
	const { block, messageId, index } = event;
	const id = `${messageId}:${index}`;
	const row = view.row(id);
	if (!block) return dropBlock(view, id);
	const state = { ...view.projected, open: view.projected.open.filter((open) => open !== id) };
	if (row?.kind === 'text' && block.type === 'text') {
		if (block.text.trim() === '') return { events: [removed(id)], state };
		return { events: [{ type: 'row_updated', row: { ...row, text: block.text, open: false } }], state };
	}
	if (row?.kind === 'thinking' && block.type === 'thinking') {
		if (block.thinking.trim() === '') return { events: [removed(id)], state };
		const durationMs = Math.max(0, now - view.projected.thinkingSince);
		const done: Row = { ...row, text: block.thinking, open: false, durationMs };
		return { events: [{ type: 'row_updated', row: done }], state };
	}
	// The row of a tool call closes with its result; one whose start was not told is opened here.
	if (block.type === 'tool_use' && !view.row(block.id)) {
		return opened(view, emptyTool(block.id, block.name), inAnswer(state, messageId, block.id));
	}
	return { events: [], state };
}

/** A block was cut and counts for nothing. */
function dropBlock(view: ViewSource, block: string): Projection {
	const { projected } = view;
	const gone = projected.toolBlock?.block === block ? projected.toolBlock.row : block;
	if (!view.row(gone)) return same(view, []);
	return { events: [removed(gone)], state: { ...projected, open: projected.open.filter((id) => id !== gone) } };
}

function answerEnd(view: ViewSource, message: AssistantMessage, costUsd: number | null): Projection {
	const { usage } = message;
	const input = usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
	const { exchange } = view.projected;
	// An answer that failed before it began took nothing.
	const answered = input + usage.outputTokens > 0;
	const lastMessageId = answered ? message.id : exchange.lastMessageId;
	const total = view.state.costUsd === null || costUsd === null ? null : view.state.costUsd + costUsd;
	const contextTokens = input + usage.outputTokens || view.state.contextTokens;
	return {
		events: [...retryOver(view), ...(answered ? limitOver(view) : []), changed({ contextTokens, costUsd: total })],
		state: {
			...withSums(view, {
				model: message.model || exchange.model,
				lastMessageId,
				inputTokens: exchange.inputTokens + input,
				outputTokens: exchange.outputTokens + usage.outputTokens,
				costUsd: exchange.costUsd + (costUsd ?? 0),
			}),
			phase: 'working',
		},
	};
}
