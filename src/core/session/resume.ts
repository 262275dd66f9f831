// From a transcript's entries back to a conversation. Pure. Rule: whatever the entries are cut at, the result is a valid
// conversation in which no call that may have run can run again (loop.md 9).
import type { PermissionMode } from '../../shared/permission.ts';
import type { Todo } from '../../shared/view.ts';
import type { ResumedTurn } from '../loop/params.ts';
import type {
	AssistantBlock,
	AssistantMessage,
	JsonObject,
	Message,
	StopReason,
	ToolUseBlock,
	Usage,
} from '../messages/types.ts';
import { noUsage, toolUses } from '../messages/types.ts';
import { activeEntries } from '../messages/activeEntries.ts';
import { changedInputText } from '../messages/changedInput.ts';
import { holdsMark } from '../messages/maskEntry.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import type { Entry, KnownFile, QueuedPrompt, Spent, StoredEntry } from '../messages/journal.ts';
import type { FinishedCall } from '../tools/finishedCall.ts';
import { cancelled, failed } from '../tools/finishedCall.ts';

export interface LoadedSession {
	/** Those that count. */
	readonly entries: readonly StoredEntry[];
	/** Valid to send after a new user message; without the answer of `pending`. */
	readonly messages: readonly Message[];
	/** How the messages are projected when they are sent. */
	readonly changes: readonly ProjectionChange[];
	/** The last answer, when a crash cut it off from its results. */
	readonly pending: ResumedTurn | undefined;
	/** The last exchange has no end: it can go on. */
	readonly interrupted: boolean;
	/** Never the one that asks nothing: that is a decision of its moment. */
	readonly mode: PermissionMode | undefined;
	readonly model: string | undefined;
	/** Prompts that no turn has read yet. */
	readonly queued: readonly QueuedPrompt[];
	readonly todos: readonly Todo[];
	readonly usage: Usage;
	/** USD; null when the price of an answer was unknown. */
	readonly costUsd: number | null;
	/** Tokens of the last request and its answer. */
	readonly contextTokens: number;
	/** The stored permission request of a call, by tool use id. */
	readonly requestIds: ReadonlyMap<string, string>;
	/** What the model has seen of files, oldest first. */
	readonly files: readonly KnownFile[];
}

type EntryOf<T extends Entry['type']> = Extract<Entry, { type: T }>;

/** An answer while its entries are read. */
interface Draft {
	readonly id: string;
	readonly model: string;
	readonly time: number;
	readonly blocks: Map<number, AssistantBlock>;
	end: EntryOf<'answer'> | undefined;
}

export function loadSession(transcript: readonly StoredEntry[]): LoadedSession {
	const entries = activeEntries(transcript);
	const timeline: (Message | Draft)[] = [];
	const drafts = new Map<string, Draft>();
	const started = new Map<string, JsonObject>();
	const results = new Map<string, EntryOf<'tool_result'>>();
	const requestIds = new Map<string, string>();
	const changes: ProjectionChange[] = [];
	let open = false;
	let model: string | undefined;
	const draft = (messageId: string, from: { readonly model: string; readonly time: number }): Draft => {
		const known = drafts.get(messageId);
		if (known) return known;
		const fresh: Draft = { id: messageId, model: from.model, time: from.time, blocks: new Map(), end: undefined };
		drafts.set(messageId, fresh);
		timeline.push(fresh);
		return fresh;
	};
	for (const entry of entries) {
		switch (entry.type) {
			case 'user':
				timeline.push(entry.message);
				open = true;
				break;
			case 'request':
				open = true;
				break;
			case 'block':
				draft(entry.messageId, entry).blocks.set(entry.index, entry.block);
				break;
			case 'answer':
				draft(entry.messageId, { model: model ?? '', time: entry.time }).end = entry;
				break;
			case 'tombstone':
				retract(drafts.get(entry.messageId), [started, results, requestIds]);
				break;
			case 'permission':
				requestIds.set(entry.toolUseId, entry.requestId);
				break;
			case 'tool_start':
				started.set(entry.toolUseId, entry.input);
				break;
			case 'tool_result':
				if (!results.has(entry.toolUseId)) results.set(entry.toolUseId, entry);
				break;
			case 'projection':
				changes.push(entry.change);
				break;
			case 'model':
				model = entry.model;
				break;
			case 'exchange_end':
			case 'rewound':
			case 'rewind_undone':
			case 'switched':
				open = false;
				break;
			default:
		}
	}
	const { messages, pending } = assemble(timeline, { open, started, results });
	return {
		entries,
		changes,
		messages,
		pending,
		interrupted: open,
		mode: lastMode(entries),
		model,
		queued: waitingPrompts(entries),
		todos: lastTodos(results),
		requestIds,
		files: entries.flatMap((entry) => (entry.type === 'tool_result' ? (entry.files ?? []) : [])),
		contextTokens: lastContext(entries),
		...totals(transcript),
	};
}

function waitingPrompts(entries: readonly StoredEntry[]): readonly QueuedPrompt[] {
	let queued = new Map<string, QueuedPrompt>();
	for (const entry of entries) {
		if (entry.type === 'queued') {
			const { type: _type, time: _time, ...prompt } = entry;
			queued.set(entry.id, prompt);
		} else if (entry.type === 'queue_ordered') queued = ordered(queued, entry.ids);
		else if (entry.type === 'unqueued') queued.delete(entry.id);
		else if (entry.type === 'user') queued.delete(entry.message.id);
		// Whoever goes elsewhere has them in hand.
		else if (entry.type === 'rewound' || entry.type === 'rewind_undone' || entry.type === 'switched') queued.clear();
	}
	return [...queued.values()];
}

function ordered(queued: ReadonlyMap<string, QueuedPrompt>, ids: readonly string[]): Map<string, QueuedPrompt> {
	const first = ids.flatMap((id) => queued.get(id) ?? []);
	return new Map([...first, ...queued.values()].map((prompt) => [prompt.id, prompt]));
}

/** The ids of its calls may come again with the answer that takes its place. */
function retract(draft: Draft | undefined, known: readonly Map<string, unknown>[]): void {
	for (const block of draft?.blocks.values() ?? []) {
		if (block.type === 'tool_use') for (const map of known) map.delete(block.id);
	}
	draft?.blocks.clear();
}

interface Known {
	readonly open: boolean;
	/** With the input that ran. */
	readonly started: ReadonlyMap<string, JsonObject>;
	readonly results: ReadonlyMap<string, EntryOf<'tool_result'>>;
}

function assemble(
	timeline: readonly (Message | Draft)[],
	known: Known,
): { readonly messages: readonly Message[]; readonly pending: ResumedTurn | undefined } {
	const messages: Message[] = [];
	let pending: ResumedTurn | undefined;
	timeline.forEach((item, index) => {
		if ('role' in item) {
			messages.push(item);
			return;
		}
		const answer = finished(item);
		if (answer.content.length === 0) return;
		const calls = toolUses(answer);
		if (calls.length > 0 && known.open && index === timeline.length - 1) {
			pending = { answer, finished: new Map(calls.flatMap((call) => outcome(call, known) ?? [])) };
			return;
		}
		messages.push(answer);
		if (calls.length > 0)
			messages.push(resultsMessage({ answer, finished: new Map(calls.flatMap((call) => outcome(call, known) ?? [])) }));
	});
	return { messages, pending };
}

/** The answer and results of a pending turn, when the person goes on with something else: nothing of it runs any more. */
export function closePending(pending: ResumedTurn): readonly Message[] {
	return [pending.answer, resultsMessage(pending)];
}

/** A pending turn as the entries that it was read from. */
export function pendingEntries({ answer, finished }: ResumedTurn): readonly StoredEntry[] {
	const { id: messageId, model, time, usage, complete, stopReason } = answer;
	const blocks = answer.content.map(
		(block, index) => ({ type: 'block', messageId, index, model, block, time }) as const,
	);
	const results = [...finished].map(
		([toolUseId, { result, state, view }]) => ({ type: 'tool_result', toolUseId, result, state, view, time }) as const,
	);
	const end = { type: 'answer', messageId, stopReason, usage, complete, costUsd: null, time } as const;
	return [{ type: 'request', turn: 1, model, messageCount: 0, time }, ...blocks, end, ...results];
}

function resultsMessage({ answer, finished }: ResumedTurn): Message {
	return {
		role: 'user',
		id: `${answer.id}-results`,
		origin: 'tool_results',
		content: toolUses(answer).map((call) => (finished.get(call.id) ?? notRun(call)).result),
		time: answer.time,
	};
}

/** What is known of a call: its result, or that it started and nobody knows how it went. `undefined`: never started. */
function outcome(call: ToolUseBlock, { started, results }: Known): [string, FinishedCall][] | undefined {
	const entry = results.get(call.id);
	if (entry) return [[call.id, { result: entry.result, state: entry.state, view: entry.view, durationMs: 0 }]];
	const ran = started.get(call.id);
	if (!ran && holdsMark(call.input)) return [[call.id, failed(call, maskedInputText)]];
	if (!ran) return undefined;
	const changed = changedInputText(call.input, ran);
	const text = 'Interrupted: this call had started, and its outcome is unknown. Look before you repeat it.';
	const unknown = failed(call, changed === undefined ? text : `${text}\n${changed}`);
	return [[call.id, { ...unknown, state: 'stopped' }]];
}

const maskedInputText =
	'Not run: the session was interrupted before this call started, and its input held a secret, which is not kept on disk. ' +
	'Make the call again if it is still needed.';

function notRun(call: ToolUseBlock): FinishedCall {
	return cancelled(call, { kind: 'stopped' });
}

function finished(draft: Draft): AssistantMessage {
	const content = [...draft.blocks].sort(([one], [other]) => one - other).map(([, block]) => block);
	const stopReason: StopReason = draft.end?.stopReason ?? null;
	return {
		role: 'assistant',
		id: draft.id,
		...(draft.end?.apiId === undefined ? {} : { apiId: draft.end.apiId }),
		content,
		model: draft.model,
		stopReason,
		usage: draft.end?.usage ?? noUsage,
		complete: draft.end?.complete ?? false,
		time: draft.time,
	};
}

/** Of a stored session; `otherwise`: where it names none. Contract: never the one that asks nothing. */
export function resumedMode({ mode }: Pick<LoadedSession, 'mode'>, otherwise: PermissionMode): PermissionMode {
	const stored = mode ?? otherwise;
	return stored === 'bypassPermissions' ? 'default' : stored;
}

function lastMode(entries: readonly StoredEntry[]): PermissionMode | undefined {
	return entries.findLast((entry) => entry.type === 'mode')?.mode;
}

function lastTodos(results: ReadonlyMap<string, EntryOf<'tool_result'>>): readonly Todo[] {
	const views = [...results.values()].flatMap(({ view }) => (view.kind === 'todos' ? [view.todos] : []));
	return views.at(-1) ?? [];
}

/**
 * Every answer counts, retracted and rewound ones too, and every request outside of the conversation: from the last sum on, so
 * that an end of a transcript is enough.
 */
export function totals(entries: readonly StoredEntry[]): Spent {
	const at = entries.findLastIndex((entry) => entry.type === 'exchange_end' && entry.spent !== undefined);
	const sum = entries[at];
	const before = (sum?.type === 'exchange_end' && sum.spent) || { usage: noUsage, costUsd: 0 };
	const counted = entries.slice(at + 1).filter((entry) => entry.type === 'answer' || entry.type === 'side_call');
	return {
		usage: counted.reduce((total, { usage }) => addUsage(total, usage), before.usage),
		costUsd: counted.reduce<number | null>(
			(total, { costUsd }) => (total === null || costUsd === null ? null : total + costUsd),
			before.costUsd,
		),
	};
}

function lastContext(entries: readonly StoredEntry[]): number {
	const last = entries.findLast((entry) => entry.type === 'answer');
	return last ? contextTokens(last.usage) : 0;
}

export function addUsage(one: Usage, other: Usage): Usage {
	return {
		inputTokens: one.inputTokens + other.inputTokens,
		cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
		cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
		outputTokens: one.outputTokens + other.outputTokens,
	};
}

/** Tokens that the next request will hold at least: the prompt in its three buckets, and the answer. */
export function contextTokens(usage: Usage): number {
	return usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens + usage.outputTokens;
}
