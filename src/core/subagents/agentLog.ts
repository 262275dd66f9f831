// What a subagent has done, as rows for its card: made of the loop's events as they come. Contract: bounded however long it works;
// each row keeps its id from its first event to its last.
import { limits } from '../limits.ts';
import type { LoopEvent } from '../loop/events.ts';
import type { Usage } from '../messages/types.ts';
import type { AgentView } from '../tools/subagent.ts';
import type { Row } from '../../shared/view.ts';
import { clip } from '../util/text.ts';
import { clippedView, withOutput } from './clippedView.ts';

type ToolRow = Extract<Row, { kind: 'tool' }>;
type WordsRow = Extract<Row, { kind: 'text' | 'thinking' }>;

export class AgentLog {
	/** The newest rows; those before them are only counted. */
	private readonly rows = new Map<string, Row>();
	private omitted = 0;
	private toolUses = 0;
	private tokens = 0;
	private thinkingSince = 0;
	private retryAt: number | undefined;
	/** Rows of the answer that comes: they go when it is taken back. */
	private answer: { readonly messageId: string; readonly rows: readonly string[] } = { messageId: '', rows: [] };
	private readonly agentId: string | undefined;
	private told: () => void = () => {};

	/** `agentId`: of its transcript, where it has one. */
	constructor(agentId: string | undefined) {
		this.agentId = agentId;
	}

	/** `answer`: its last words, once it has ended. */
	view(answer = ''): AgentView {
		const { omitted, toolUses, tokens, agentId } = this;
		const retryAt = answer === '' && this.retryAt !== undefined ? { retryAt: this.retryAt } : {};
		const id = agentId === undefined ? {} : { agentId };
		return { kind: 'agent', log: [...this.rows.values()], omitted, answer, toolUses, tokens, ...retryAt, ...id };
	}

	/** A call waits for the person, or does not any more. */
	waits(toolUseId: string, waiting: boolean): void {
		this.changeTool(toolUseId, { state: waiting ? 'waiting' : 'queued' });
		this.told();
	}

	/** Told when that changes: no event of the loop comes with it, and none comes while it waits. */
	onWaits(listener: () => void): void {
		this.told = listener;
	}

	/** True when something that is shown has changed. `now`: milliseconds since the epoch. */
	note(event: LoopEvent, now: number): boolean {
		switch (event.type) {
			case 'block_start':
				return this.begin(event, now);
			case 'block_delta':
				return this.append(`${event.messageId}:${event.index}`, event.text);
			case 'block_end':
				return this.finish(event, now);
			case 'retry_wait':
				this.retryAt = event.until;
				return true;
			case 'retry_start':
				this.retryAt = undefined;
				return true;
			case 'answer_end':
				this.retryAt = undefined;
				this.tokens += newTokens(event.message.usage);
				return true;
			case 'answer_retracted':
				if (this.answer.messageId === event.messageId) for (const id of this.answer.rows) this.rows.delete(id);
				return true;
			case 'tool_queued':
				this.put({ ...(this.tool(event.toolUseId) ?? emptyTool(event.toolUseId, event.tool)), summary: event.summary });
				return true;
			case 'tool_start': {
				const renamed = event.summary === undefined ? {} : { summary: event.summary };
				return this.changeTool(event.toolUseId, { state: 'running', startedAt: now, ...renamed });
			}
			case 'tool_progress':
				return this.progress(event);
			case 'tool_end':
				return this.endTool(event);
			default:
				return false;
		}
	}

	private begin(event: Extract<LoopEvent, { type: 'block_start' }>, now: number): boolean {
		const { messageId, index, block, toolUse } = event;
		const id = block === 'tool_use' ? toolUse?.id : `${messageId}:${index}`;
		if (id === undefined) return false;
		if (block === 'thinking') this.thinkingSince = now;
		if (block === 'text' || block === 'thinking') this.put({ kind: block, id, text: '', open: true });
		else if (block === 'tool_use' && toolUse) this.put(emptyTool(id, toolUse.name));
		else return false;
		const before = this.answer.messageId === messageId ? this.answer.rows : [];
		this.answer = { messageId, rows: [...before, id] };
		return true;
	}

	private append(id: string, text: string): boolean {
		const row = this.rows.get(id);
		if ((row?.kind !== 'text' && row?.kind !== 'thinking') || row.text.length > limits.agentLogChars) return false;
		this.put({ ...row, text: clip(row.text + text, limits.agentLogChars) });
		return true;
	}

	private finish({ messageId, index, block }: Extract<LoopEvent, { type: 'block_end' }>, now: number): boolean {
		const row = this.rows.get(`${messageId}:${index}`);
		if (block === undefined) return this.drop(messageId, row);
		if (row?.kind !== 'text' && row?.kind !== 'thinking') return false;
		const text = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '';
		if (text.trim() === '') return this.rows.delete(row.id);
		const done: WordsRow = { ...row, text: clip(text, limits.agentLogChars), open: false };
		this.put(done.kind === 'thinking' ? { ...done, durationMs: Math.max(0, now - this.thinkingSince) } : done);
		return true;
	}

	/** The block was cut: of a tool call nothing stands but the newest row of its answer. */
	private drop(messageId: string, row: Row | undefined): boolean {
		const last = this.answer.messageId === messageId ? this.answer.rows.at(-1) : undefined;
		return this.rows.delete(row?.id ?? last ?? '');
	}

	private progress({ toolUseId, update }: Extract<LoopEvent, { type: 'tool_progress' }>): boolean {
		const row = this.tool(toolUseId);
		if (row === undefined) return false;
		const view = update.kind === 'view' ? clippedView(update.view) : withOutput(row, update.text);
		return this.changeTool(toolUseId, { view });
	}

	private endTool(event: Extract<LoopEvent, { type: 'tool_end' }>): boolean {
		this.toolUses++;
		const row = this.tool(event.toolUseId) ?? emptyTool(event.toolUseId, event.tool);
		const text = event.result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
		const shown = event.view.kind === 'none' && row.view.kind === 'command' ? row.view : clippedView(event.view);
		this.put({
			...row,
			state: event.state,
			view: shown,
			durationMs: event.durationMs,
			...(event.state === 'done' ? {} : { message: clip(text, limits.agentLogChars) }),
		});
		return true;
	}

	private tool(id: string): ToolRow | undefined {
		const row = this.rows.get(id);
		return row?.kind === 'tool' ? row : undefined;
	}

	private changeTool(id: string, change: Partial<ToolRow>): boolean {
		const row = this.tool(id);
		if (row !== undefined) this.put({ ...row, ...change });
		return row !== undefined;
	}

	private put(row: Row): void {
		this.rows.set(row.id, row);
		if (this.rows.size <= limits.agentLogRows) return;
		const [oldest] = this.rows.keys();
		if (oldest !== undefined) this.rows.delete(oldest);
		this.omitted++;
	}
}

function emptyTool(id: string, tool: string): ToolRow {
	return { kind: 'tool', id, toolUseId: id, tool, summary: '', state: 'queued', view: { kind: 'none' } };
}

/** What was not read from the cache: of one answer after the other it sums up to what the subagent has gone through. */
function newTokens({ inputTokens, cacheCreationTokens, outputTokens }: Usage): number {
	return inputTokens + cacheCreationTokens + outputTokens;
}
