// Shows a stored transcript: its entries are told to the view as the events they came from, so that a resumed conversation
// looks as it did. No `vscode`.
import type { AssistantMessage, JsonObject, ToolUseBlock } from '../../core/messages/types.ts';
import type { Entry, StoredEntry } from '../../core/messages/journal.ts';
import type { AgentEvent } from './projectView.ts';
import { exchangeEnd } from './projectView.ts';
import type { ViewModel } from './viewModel.ts';

/** Fills an empty view. `folder` (absolute) shortens the paths of tool calls. */
export function showTranscript(view: ViewModel, entries: readonly StoredEntry[], folder: string): void {
	const starts = new Map<string, number>();
	const models = new Map<string, string>();
	const calls = new Map<string, ToolUseBlock>();
	for (const entry of entries) {
		if (entry.type === 'tool_start') starts.set(entry.toolUseId, entry.time);
		if (entry.type === 'block') {
			models.set(entry.messageId, entry.model);
			if (entry.block.type === 'tool_use') calls.set(entry.block.id, entry.block);
		}
		for (const event of eventsOf(entry, { starts, models, calls, folder })) view.accept(event, entry.time);
		if (entry.type === 'exchange_end') endExchange(view, entry.time);
		if (entry.type === 'tombstone') {
			const rowIds = view.all.filter((row) => row.id.startsWith(`${entry.messageId}:`)).map((row) => row.id);
			view.apply({ type: 'rows_removed', rowIds });
		}
	}
}

/** A call that waits for the person's decision is at the end of the transcript: going on asks for it again first. */
export function waitsForDecision(entries: readonly StoredEntry[]): boolean {
	const waiting = new Set<string>();
	for (const entry of entries) {
		if (entry.type === 'permission') waiting.add(entry.toolUseId);
		if (entry.type === 'tool_start' || entry.type === 'tool_result') waiting.delete(entry.toolUseId);
		if (entry.type === 'exchange_end') waiting.clear();
	}
	return waiting.size > 0;
}

/** One line for a tool call's card, made of its input: the file, the pattern or the command. */
export function callSummary(input: JsonObject, folder: string): string {
	for (const key of ['file_path', 'notebook_path', 'command', 'pattern', 'path', 'url', 'query', 'description']) {
		const value = input[key];
		if (typeof value !== 'string' || value === '') continue;
		const line = value.split('\n', 1)[0] ?? '';
		const inside = line.startsWith(`${folder}/`) || line.startsWith(`${folder}\\`);
		return inside && folder !== '' ? line.slice(folder.length + 1) : line;
	}
	return '';
}

interface Known {
	readonly starts: ReadonlyMap<string, number>;
	readonly models: ReadonlyMap<string, string>;
	readonly calls: ReadonlyMap<string, ToolUseBlock>;
	readonly folder: string;
}

function eventsOf(entry: StoredEntry, known: Known): readonly AgentEvent[] {
	switch (entry.type) {
		case 'user':
			if (entry.message.origin === 'prompt') return [{ type: 'prompt_taken', message: entry.message }];
			return entry.message.origin === 'interrupted' ? [{ type: 'interrupted', message: entry.message }] : [];
		case 'request':
			return [{ type: 'turn_start', turn: entry.turn, model: entry.model }];
		case 'block':
			return blockEvents(entry, known.folder);
		case 'answer':
			return [
				{
					type: 'answer_end',
					message: answerOf(entry, known.models.get(entry.messageId) ?? '', entry.time),
					costUsd: entry.costUsd,
					durationMs: 0,
				},
			];
		case 'tool_start':
			return [{ type: 'tool_start', toolUseId: entry.toolUseId }];
		case 'tool_result':
			return [
				{
					type: 'tool_end',
					toolUseId: entry.toolUseId,
					tool: known.calls.get(entry.toolUseId)?.name ?? '',
					state: entry.state,
					result: entry.result,
					view: entry.view,
					durationMs: entry.time - (known.starts.get(entry.toolUseId) ?? entry.time),
				},
			];
		case 'tombstone':
			return [{ type: 'answer_retracted', messageId: entry.messageId }];
		case 'side_call':
			return [entry];
		case 'projection':
			return [{ type: 'projection_changed', change: entry.change }];
		case 'session':
		case 'permission':
		case 'mode':
		case 'model':
		case 'exchange_end':
			return [];
	}
}

function blockEvents(entry: Extract<Entry, { type: 'block' }>, folder: string): readonly AgentEvent[] {
	const { messageId, index, block } = entry;
	const place = { messageId, index };
	if (block.type !== 'tool_use') {
		return [
			{ type: 'block_start', ...place, block: block.type },
			{ type: 'block_end', ...place, block },
		];
	}
	return [
		{ type: 'block_start', ...place, block: 'tool_use', toolUse: { id: block.id, name: block.name } },
		{ type: 'tool_queued', toolUseId: block.id, tool: block.name, summary: callSummary(block.input, folder) },
	];
}

function answerOf(entry: Extract<Entry, { type: 'answer' }>, model: string, time: number): AssistantMessage {
	const { messageId, stopReason, usage, complete } = entry;
	return { role: 'assistant', id: messageId, content: [], model, stopReason, usage, complete, time };
}

function endExchange(view: ViewModel, time: number): void {
	view.take(exchangeEnd(view, time));
}
