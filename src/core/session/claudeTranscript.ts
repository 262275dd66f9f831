// Claude Code's own transcripts as sessions of ours. Their lines are internal to that program and change (ecosystem.md 8.1), so that
// everything is looked at before it is used: unknown lines and fields are skipped, and what is left is a valid conversation. Pure.
import type { Entry, StoredEntry } from '../messages/journal.ts';
import type { AssistantBlock, JsonObject, ToolResultContent, UserBlock } from '../messages/types.ts';
import { noUsage } from '../messages/types.ts';
import type { ImportedSession } from './sessionExport.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Line {
	readonly uuid: string;
	readonly parent: string | undefined;
	readonly fields: Fields;
	/** Milliseconds since the epoch. */
	readonly time: number;
}

/** Undefined when nothing in it was said. `now`: for lines without a time. */
export function readClaudeTranscript(text: string, now: number): ImportedSession | undefined {
	const lines = new Map<string, Line>();
	let leaf: Line | undefined;
	let title = '';
	for (const raw of text.split('\n')) {
		const fields = fieldsOf(raw);
		if (!fields) continue;
		const named = fields['customTitle'] ?? fields['summary'];
		if (typeof named === 'string' && named !== '') title = named;
		const line = lineOf(fields, now);
		if (!line) continue;
		lines.set(line.uuid, line);
		if (isSaid(line) && fields['isSidechain'] !== true) leaf = line;
	}
	const path = pathTo(leaf, lines);
	const entries = new Conversion().entriesOf(path);
	return entries.length === 0 ? undefined : { title, entries };
}

function fieldsOf(raw: string): Fields | undefined {
	try {
		const value: unknown = JSON.parse(raw);
		return isFields(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function lineOf(fields: Fields, now: number): Line | undefined {
	const { uuid, parentUuid, timestamp } = fields;
	if (typeof uuid !== 'string') return undefined;
	const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
	return {
		uuid,
		parent: typeof parentUuid === 'string' ? parentUuid : undefined,
		fields,
		time: Number.isNaN(time) ? now : time,
	};
}

function isSaid({ fields }: Line): boolean {
	return (fields['type'] === 'user' || fields['type'] === 'assistant') && isFields(fields['message']);
}

/** From the first line to the newest one of the branch that counts. A line that is its own ancestor ends it. */
function pathTo(leaf: Line | undefined, lines: ReadonlyMap<string, Line>): readonly Line[] {
	const path = new Set<Line>();
	for (let at = leaf; at && !path.has(at); at = at.parent === undefined ? undefined : lines.get(at.parent))
		path.add(at);
	return [...path].toReversed().filter(isSaid);
}

class Conversion {
	private readonly entries: StoredEntry[] = [];
	/** Of the answer whose blocks come. */
	private answer: string | undefined;
	/** Blocks by answer: results may stand between them. */
	private readonly counts = new Map<string, number>();
	private readonly calls = new Set<string>();
	private readonly results = new Set<string>();

	entriesOf(path: readonly Line[]): readonly StoredEntry[] {
		for (const line of path) {
			const message = line.fields['message'] as Fields;
			if (line.fields['type'] === 'assistant') this.assistant(line, message);
			else this.user(line, message);
		}
		const last = path.at(-1);
		if (last && this.entries.length > 0) {
			this.endAnswer(last.time);
			this.add({ type: 'exchange_end', reason: 'imported' }, last.time);
		}
		return this.entries;
	}

	private assistant(line: Line, message: Fields): void {
		const id = typeof message['id'] === 'string' ? message['id'] : line.uuid;
		const model = typeof message['model'] === 'string' ? message['model'] : 'unknown';
		if (this.answer !== id) {
			this.endAnswer(line.time);
			this.answer = id;
			this.add({ type: 'request', turn: 1, model, messageCount: 0 }, line.time);
		}
		for (const block of listOf(message['content'])) {
			const known = assistantBlock(block);
			if (!known || (known.type === 'tool_use' && this.calls.has(known.id))) continue;
			if (known.type === 'tool_use') this.calls.add(known.id);
			const index = this.counts.get(id) ?? 0;
			this.counts.set(id, index + 1);
			this.add({ type: 'block', messageId: id, index, model, block: known }, line.time);
			if (known.type !== 'tool_use') continue;
			const { id: toolUseId, name, input } = known;
			this.add({ type: 'tool_start', toolUseId, name, input }, line.time);
		}
	}

	private user(line: Line, message: Fields): void {
		const { content } = message;
		const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
		const said: UserBlock[] = [];
		for (const block of blocks) {
			if (block['type'] === 'tool_result') this.result(block, line.time);
			else said.push(...contentOf([block]));
		}
		if (said.length === 0) return;
		this.endAnswer(line.time);
		const hidden = line.fields['isMeta'] === true || line.fields['isCompactSummary'] === true;
		const origin = hidden ? 'hidden' : 'prompt';
		const { time } = line;
		this.add({ type: 'user', message: { role: 'user', id: line.uuid, origin, content: said, time } }, time);
	}

	private result(block: Fields, time: number): void {
		const id = block['tool_use_id'];
		if (typeof id !== 'string' || !this.calls.has(id) || this.results.has(id)) return;
		this.results.add(id);
		this.endAnswer(time);
		const { content: given } = block;
		const content = typeof given === 'string' ? contentOf([{ type: 'text', text: given }]) : contentOf(listOf(given));
		const isError = block['is_error'] === true;
		const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
		this.add(
			{
				type: 'tool_result',
				toolUseId: id,
				result: { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) },
				state: isError ? 'error' : 'done',
				view: { kind: 'text', text },
			},
			time,
		);
	}

	private endAnswer(time: number): void {
		if (this.answer === undefined) return;
		const end = {
			type: 'answer',
			messageId: this.answer,
			stopReason: null,
			usage: noUsage,
			complete: true,
			costUsd: 0,
		} as const;
		this.add(end, time);
		this.answer = undefined;
	}

	private add(entry: Entry, time: number): void {
		this.entries.push({ ...entry, time });
	}
}

/** Thinking is shown, not sent: its signature belongs to another account. */
function assistantBlock(block: Fields): AssistantBlock | undefined {
	const { type, text, thinking, id, name, input } = block;
	if (type === 'text' && typeof text === 'string') return { type, text };
	if (type === 'thinking' && typeof thinking === 'string') return { type, thinking, signature: '' };
	if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string' || !isFields(input)) return undefined;
	return { type, id, name, input: input as JsonObject };
}

function contentOf(blocks: readonly Fields[]): readonly ToolResultContent[] {
	return blocks.flatMap((block): readonly ToolResultContent[] => {
		const { type, text, source } = block;
		if (type === 'text' && typeof text === 'string') return [{ type, text }];
		if (type !== 'image' || !isFields(source) || source['type'] !== 'base64') return [];
		const { media_type: mediaType, data } = source;
		if (typeof mediaType !== 'string' || typeof data !== 'string') return [];
		return [{ type, source: { type: 'base64', media_type: mediaType, data } }];
	});
}

function listOf(value: unknown): readonly Fields[] {
	return Array.isArray(value) ? value.filter(isFields) : [];
}

function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
