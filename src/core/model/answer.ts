// One answer of the model: turns the raw event stream into finished blocks. Own accumulator, own JSON parsing, once per
// block (anthropic-api 1.1-1.7): linear in the answer's length. Rules: an unfinished tool call never comes out; an answer is complete only when
// `message_stop` was seen; unknown events and block types survive.
import type { AssistantBlock, AssistantMessage, JsonObject, StopReason, Usage } from '../messages/types.ts';
import { noUsage } from '../messages/types.ts';
import type { StreamEvent } from './client.ts';
import type { ModelFailure } from './failure.ts';

export type AnswerSignal =
	| {
			readonly type: 'block_start';
			readonly index: number;
			readonly block: AssistantBlock['type'];
			readonly toolUse?: { readonly id: string; readonly name: string };
	  }
	| { readonly type: 'block_delta'; readonly index: number; readonly text: string }
	/** `undefined`: the block was cut before it could be used, and is dropped. */
	| { readonly type: 'block_end'; readonly index: number; readonly block: AssistantBlock | undefined }
	/** The attempt failed before anything was finished: what was shown of it counts for nothing. */
	| { readonly type: 'attempt_retracted' }
	/** `until`: milliseconds since the epoch. `attempt` is the one that failed, from 1. */
	| {
			readonly type: 'retry_wait';
			readonly attempt: number;
			readonly maxRetries: number;
			readonly delayMs: number;
			readonly until: number;
			readonly failure: ModelFailure;
	  }
	| { readonly type: 'retry_start'; readonly attempt: number };

/** How an answer ended: its finished blocks (cut text kept), and the failure if there was one. */
export interface AnswerOutcome {
	readonly message: AssistantMessage;
	readonly failure?: ModelFailure;
	/** True when a tool call was cut before its end: it must not be taken for "no tool call". */
	readonly cutToolUse: boolean;
	/** The model is overloaded so often that another one should be asked. */
	readonly fallBack?: boolean;
}

/** A block that is still growing. `position` counts blocks as they came, since some servers restart `index`. */
interface OpenBlock {
	readonly position: number;
	readonly start: JsonObject;
	readonly type: AssistantBlock['type'];
	/** Deltas of text, thinking or tool input, joined once at the end. */
	readonly parts: string[];
	signature: string;
}

const stopReasons: ReadonlySet<string> = new Set([
	'end_turn',
	'tool_use',
	'max_tokens',
	'stop_sequence',
	'pause_turn',
	'refusal',
	'model_context_window_exceeded',
]);

/** Reads one answer. Contract: one answer per instance; `accept` never throws, whatever the server sends. */
export class AnswerAccumulator {
	private readonly open = new Map<number, OpenBlock>();
	private readonly blocks: (AssistantBlock | undefined)[] = [];
	private started = 0;
	private apiId: string | undefined;
	/** The one that was asked; a server may call it by another name. */
	private readonly model: string;
	private usage: Usage = noUsage;
	private stopReason: StopReason = null;
	private stopped = false;
	private cutToolUse = false;
	/** True as soon as the server said anything that belongs to the Messages API. */
	sawMessage = false;

	constructor(model: string) {
		this.model = model;
	}

	/** Takes one raw event; gives back what it means for a consumer. */
	accept(event: StreamEvent): readonly AnswerSignal[] {
		switch (event.type) {
			case 'message_start':
				this.startMessage(object(event['message']));
				return [];
			case 'content_block_start':
				return this.startBlock(number(event['index']), object(event['content_block']));
			case 'content_block_delta':
				return this.grow(number(event['index']), object(event['delta']));
			case 'content_block_stop':
				return this.finish(number(event['index']), true);
			case 'message_delta':
				this.endMessage(object(event['delta']), event['usage']);
				return [];
			case 'message_stop':
				this.stopped = true;
				return [];
			default:
				return [];
		}
	}

	/** Closes what is still open after the stream ended, stopped or failed: cut text is kept, anything else dropped. */
	close(): readonly AnswerSignal[] {
		return [...this.open.keys()].flatMap((index) => this.finish(index, false));
	}

	/** Blocks that came to their end, and blocks of which anything was seen. */
	get finishedBlocks(): number {
		return this.blocks.length;
	}

	get startedBlocks(): number {
		return this.started;
	}

	/** True when `message_stop` came: only then is the answer whole. */
	get complete(): boolean {
		return this.stopped;
	}

	outcome(id: string, time: number, failure: ModelFailure | undefined): AnswerOutcome {
		const content = this.blocks.filter((block): block is AssistantBlock => block !== undefined);
		return {
			message: {
				role: 'assistant',
				id,
				...(this.apiId === undefined ? {} : { apiId: this.apiId }),
				content,
				model: this.model,
				stopReason: this.stopReason,
				usage: this.usage,
				complete: this.stopped && failure === undefined,
				time,
			},
			...(failure ? { failure } : {}),
			cutToolUse: this.cutToolUse,
		};
	}

	private startMessage(message: JsonObject): void {
		this.sawMessage = true;
		if (typeof message['id'] === 'string') this.apiId = message['id'];
		this.usage = mergeUsage(this.usage, message['usage']);
	}

	private endMessage(delta: JsonObject, usage: unknown): void {
		const reason = delta['stop_reason'];
		if (typeof reason === 'string') this.stopReason = stopReasons.has(reason) ? (reason as StopReason) : 'unknown';
		this.usage = mergeUsage(this.usage, usage);
	}

	private startBlock(index: number, start: JsonObject): readonly AnswerSignal[] {
		// A server that restarts its indices: the older block is as finished as it will ever be.
		const before = this.open.has(index) ? this.finish(index, true) : [];
		const type = blockType(start);
		const position = this.started++;
		const initial = type === 'text' ? text(start['text']) : type === 'thinking' ? text(start['thinking']) : '';
		this.open.set(index, {
			position,
			start,
			type,
			parts: initial ? [initial] : [],
			signature: text(start['signature']),
		});
		const toolUse = type === 'tool_use' ? { toolUse: { id: text(start['id']), name: text(start['name']) } } : {};
		const signals: AnswerSignal[] = [...before, { type: 'block_start', index: position, block: type, ...toolUse }];
		if (initial) signals.push({ type: 'block_delta', index: position, text: initial });
		return signals;
	}

	private grow(index: number, delta: JsonObject): readonly AnswerSignal[] {
		const block = this.open.get(index);
		if (!block) return [];
		switch (delta['type']) {
			case 'text_delta':
			case 'thinking_delta': {
				const more = text(delta['text'] ?? delta['thinking']);
				if (!more) return [];
				block.parts.push(more);
				return [{ type: 'block_delta', index: block.position, text: more }];
			}
			case 'input_json_delta':
				block.parts.push(text(delta['partial_json']));
				return [];
			case 'signature_delta':
				block.signature = text(delta['signature']);
				return [];
			default:
				return [];
		}
	}

	private finish(index: number, whole: boolean): readonly AnswerSignal[] {
		const open = this.open.get(index);
		if (!open) return [];
		this.open.delete(index);
		const block = whole ? finishedBlock(open) : cutBlock(open);
		if (!whole && open.type === 'tool_use') this.cutToolUse = true;
		this.blocks[open.position] = block;
		return [{ type: 'block_end', index: open.position, block }];
	}
}

function blockType(start: JsonObject): AssistantBlock['type'] {
	const type = start['type'];
	return type === 'text' || type === 'thinking' || type === 'redacted_thinking' || type === 'tool_use'
		? type
		: 'opaque';
}

function finishedBlock(open: OpenBlock): AssistantBlock | undefined {
	const joined = open.parts.join('');
	switch (open.type) {
		case 'text':
			return { type: 'text', text: joined };
		case 'thinking':
			return { type: 'thinking', thinking: joined, signature: open.signature };
		case 'redacted_thinking':
			return { type: 'redacted_thinking', data: text(open.start['data']) };
		case 'tool_use':
			return toolUse(open.start, joined);
		case 'opaque':
			return { type: 'opaque', value: open.start };
	}
}

/** What may be kept of a block that never ended: text that is not blank, nothing else. */
function cutBlock(open: OpenBlock): AssistantBlock | undefined {
	const joined = open.parts.join('');
	return open.type === 'text' && joined.trim() ? { type: 'text', text: joined } : undefined;
}

function toolUse(start: JsonObject, json: string): AssistantBlock {
	const { type: _type, id, name, input, ...extra } = start;
	const kept = Object.keys(extra).length > 0 ? { extra } : {};
	const base = { type: 'tool_use', id: text(id), name: text(name), ...kept } as const;
	// Some servers send the whole input with the start of the block and no deltas.
	if (json.trim() === '') return { ...base, input: isObject(input) ? input : {} };
	try {
		const parsed: unknown = JSON.parse(json);
		if (isObject(parsed)) return { ...base, input: parsed };
	} catch {
		// Falls through: the raw text is kept, so that the answer to the model can name it.
	}
	return { ...base, input: {}, malformed: json };
}

/** Cumulative fields are overwritten when the new value is a number; never added (anthropic-api 1.3). */
function mergeUsage(known: Usage, raw: unknown): Usage {
	if (!isObject(raw)) return known;
	const field = (name: string, old: number) => (typeof raw[name] === 'number' ? raw[name] : old);
	return {
		inputTokens: field('input_tokens', known.inputTokens),
		cacheCreationTokens: field('cache_creation_input_tokens', known.cacheCreationTokens),
		cacheReadTokens: field('cache_read_input_tokens', known.cacheReadTokens),
		outputTokens: field('output_tokens', known.outputTokens),
	};
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function object(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}
function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
function number(value: unknown): number {
	return typeof value === 'number' ? value : 0;
}
