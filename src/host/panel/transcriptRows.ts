// Shows a stored transcript: its entries are told to the view as the events they came from, so that a resumed conversation
// looks as it did. No `vscode`.
import { activeEntries } from '../../core/messages/activeEntries.ts';
import type { AssistantMessage, JsonObject, ToolUseBlock } from '../../core/messages/types.ts';
import type { Entry, StoredEntry } from '../../core/messages/journal.ts';
import { planTitle } from '../../core/tools/planMode.ts';
import { exchangeEnd } from './projectRecovery.ts';
import type { AgentEvent } from './projection.ts';
import type { ViewModel } from './viewModel.ts';

/** Fills an empty view. `folder` (absolute) shortens the paths of tool calls. */
export function showTranscript(view: ViewModel, transcript: readonly StoredEntry[], folder: string): void {
	const entries = activeEntries(transcript);
	const starts = new Map<string, number>();
	const models = new Map<string, string>();
	const calls = new Map<string, ToolUseBlock>();
	const retracted = retractedIds(entries);
	let asked: Extract<Entry, { type: 'request' }> | undefined;
	let fellBack = false;
	for (const entry of entries) {
		if (entry.type === 'tool_start') starts.set(entry.toolUseId, entry.time);
		if (entry.type === 'block') {
			models.set(entry.messageId, entry.model);
			if (entry.block.type === 'tool_use') calls.set(entry.block.id, entry.block);
		}
		if (isRetracted(entry, retracted)) continue;
		// Another model for the request whose answer was taken back: a fallback, which has no entry of its own.
		if (entry.type === 'request') {
			if (fellBack && asked && asked.model !== entry.model) {
				view.accept({ type: 'model_fallback', from: asked.model, to: entry.model }, entry.time);
			}
			asked = entry;
		}
		if (entry.type === 'tombstone' || entry.type === 'request') fellBack = entry.type === 'tombstone';
		for (const event of eventsOf(entry, { starts, models, calls, folder })) view.accept(event, entry.time);
		const ended = entry.type === 'exchange_end' ? entry.reason : entry.type === 'rewound' ? 'rewound' : undefined;
		if (ended !== undefined) view.take(exchangeEnd(view, ended, { stored: true, now: entry.time }));
	}
}

interface Retracted {
	readonly messages: ReadonlySet<string>;
	readonly calls: ReadonlySet<string>;
}

/** Answers that were taken back, and their calls: nothing of them is shown, but what they took counts. */
function retractedIds(entries: readonly StoredEntry[]): Retracted {
	const messages = new Set(entries.flatMap((entry) => (entry.type === 'tombstone' ? [entry.messageId] : [])));
	const calls = entries.flatMap((entry) =>
		entry.type === 'block' && messages.has(entry.messageId) && entry.block.type === 'tool_use' ? [entry.block.id] : [],
	);
	return { messages, calls: new Set(calls) };
}

function isRetracted(entry: StoredEntry, { messages, calls }: Retracted): boolean {
	if (entry.type === 'block') return messages.has(entry.messageId);
	return (entry.type === 'tool_start' || entry.type === 'tool_result') && calls.has(entry.toolUseId);
}

/** A call that waits for the person's decision is at the end of the transcript: going on asks for it again first. */
export function waitsForDecision(entries: readonly StoredEntry[]): boolean {
	const waiting = new Set<string>();
	for (const entry of entries) {
		if (entry.type === 'permission') waiting.add(entry.toolUseId);
		if (entry.type === 'tool_start' || entry.type === 'tool_result') waiting.delete(entry.toolUseId);
		if (entry.type === 'exchange_end' || entry.type === 'rewound') waiting.clear();
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
	const { plan, questions } = input;
	if (typeof plan === 'string') return planTitle(plan);
	return Array.isArray(questions) ? questions.flatMap(headerOf).join(', ') : '';
}

function headerOf(question: unknown): readonly string[] {
	if (typeof question !== 'object' || question === null || !('header' in question)) return [];
	return typeof question.header === 'string' ? [question.header] : [];
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
			return [{ type: 'tool_start', toolUseId: entry.toolUseId, ...changedSummary(entry, known) }];
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
		case 'side_call':
		case 'tools_labelled':
			return [entry];
		case 'projection':
			return [{ type: 'projection_changed', change: entry.change }];
		case 'session':
		case 'permission':
		case 'tombstone':
		case 'mode':
		case 'model':
		case 'exchange_end':
		case 'queued':
		case 'unqueued':
		case 'queue_ordered':
		case 'rewound':
		case 'rewind_undone':
		case 'switched':
			return [];
	}
}

/** A call that the person changed is shown as what ran. */
function changedSummary(entry: Extract<Entry, { type: 'tool_start' }>, { calls, folder }: Known) {
	const written = callSummary(calls.get(entry.toolUseId)?.input ?? {}, folder);
	const summary = callSummary(entry.input, folder);
	return written === summary ? {} : { summary };
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
