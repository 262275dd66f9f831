// From the conversation to what the Messages API accepts. Pure; the one place that makes a request's messages valid
// (anthropic-api 3): pairing, order, blank text, ids, thinking without signature, roles that alternate, cache marks.
import { createHash } from 'node:crypto';
import type {
	AssistantBlock,
	AssistantMessage,
	DocumentBlock,
	JsonObject,
	Message,
	ToolResultBlock,
	ToolResultContent,
	UserBlock,
	UserMessage,
} from './types.ts';

type Param = { readonly role: 'user' | 'assistant'; readonly content: readonly JsonObject[] };

/** Gives the same object for the same block again and again, so that a block is made, and written as JSON, only once. */
export class ParamMemo {
	private readonly known = new WeakMap<AssistantBlock | UserBlock, JsonObject>();
	private readonly withMark = new WeakMap<JsonObject, JsonObject>();

	of(block: AssistantBlock | UserBlock, make: () => JsonObject): JsonObject {
		const known = this.known.get(block);
		if (known) return known;
		const made = make();
		this.known.set(block, made);
		return made;
	}

	/** A block of a request with a cache mark. */
	marked(block: JsonObject): JsonObject {
		const known = this.withMark.get(block);
		if (known) return known;
		const made = { ...block, cache_control: { type: 'ephemeral' } };
		this.withMark.set(block, made);
		return made;
	}
}

/** What the model reads for a call that never got an answer. */
export const noResultText =
	'No result: the call was interrupted before it finished; whether it had an effect is unknown.';
const blankResult = '(no output)';
const continueText = 'Please go on.';
const imageNote = { type: 'text', text: '[An image came with this error; it is left out.]' } as const;

/**
 * The `messages` of a request. Every tool call is answered exactly once, in the next user message, in the order of the
 * calls and before anything else; what has no place is left out. `answerContinues`: the last answer was paused by the
 * server and is sent back as it is. The last two user messages carry a cache mark.
 */
export function toRequestMessages(
	messages: readonly Message[],
	options: { readonly answerContinues?: boolean; readonly memo?: ParamMemo } = {},
): readonly JsonObject[] {
	const memo = options.memo ?? new ParamMemo();
	const params: Param[] = [];
	const answered = new Set<string>();
	for (let at = 0; at < messages.length; at++) {
		const message = messages[at];
		if (message?.role === 'user') {
			push(params, 'user', userContent(message, memo));
		} else if (message) {
			const calls = uniqueCalls(message, answered);
			push(params, 'assistant', assistantContent(message, calls, memo));
			if (calls.size > 0) push(params, 'user', results(calls, followingUsers(messages, at), memo));
		}
	}
	if (params[0]?.role !== 'user') params.unshift({ role: 'user', content: [{ type: 'text', text: continueText }] });
	if (params.at(-1)?.role !== 'user' && !options.answerContinues)
		params.push({ role: 'user', content: [{ type: 'text', text: continueText }] });
	return markForCache(params, memo);
}

/** Tool ids as the API accepts them; foreign ones become a stable hash. */
export function wireId(id: string): string {
	if (/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return id;
	return `toolu_${createHash('sha256').update(id, 'utf8').digest('hex').slice(0, 24)}`;
}

/** Appends content, merging with a neighbour of the same role; nothing when it is empty. */
function push(params: Param[], role: Param['role'], content: readonly JsonObject[]): void {
	if (content.length === 0) return;
	const last = params.at(-1);
	if (last?.role === role) params[params.length - 1] = { role, content: [...last.content, ...content] };
	else params.push({ role, content });
}

/** The calls of a message whose ids were not used before: a call is sent once in a conversation. */
function uniqueCalls(message: AssistantMessage, used: Set<string>): ReadonlySet<AssistantBlock> {
	const calls = new Set<AssistantBlock>();
	for (const block of message.content) {
		if (block.type !== 'tool_use' || used.has(wireId(block.id))) continue;
		used.add(wireId(block.id));
		calls.add(block);
	}
	return calls;
}

function assistantContent(
	message: AssistantMessage,
	calls: ReadonlySet<AssistantBlock>,
	memo: ParamMemo,
): readonly JsonObject[] {
	return message.content.flatMap((block): JsonObject[] => {
		switch (block.type) {
			case 'text':
				return plainBlock(block, memo);
			case 'thinking':
				return block.signature
					? [memo.of(block, () => ({ type: 'thinking', thinking: block.thinking, signature: block.signature }))]
					: [];
			case 'redacted_thinking':
				return block.data ? [{ type: 'redacted_thinking', data: block.data }] : [];
			case 'tool_use':
				return calls.has(block) ? [memo.of(block, () => callParam(block))] : [];
			case 'opaque':
				return [memo.of(block, () => unmarked(block.value))];
		}
	});
}

function callParam(block: Extract<AssistantBlock, { type: 'tool_use' }>): JsonObject {
	return {
		...unmarked(block.extra ?? {}),
		type: 'tool_use',
		id: wireId(block.id),
		name: wireName(block.name),
		input: block.input,
	};
}

/** Marks of the cache are made for each request; one that was stored with a block would be one too many. */
function unmarked(block: JsonObject): JsonObject {
	if (!('cache_control' in block)) return block;
	const { cache_control: _mark, ...rest } = block;
	return rest;
}

/** A name that the API accepts, for calls of tools that never existed. */
function wireName(name: string): string {
	return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown_tool';
}

/** The user messages between this answer and the next one. */
function followingUsers(messages: readonly Message[], at: number): readonly UserMessage[] {
	const following: UserMessage[] = [];
	for (let next = at + 1; next < messages.length; next++) {
		const message = messages[next];
		if (message?.role !== 'user') break;
		following.push(message);
	}
	return following;
}

function results(
	calls: ReadonlySet<AssistantBlock>,
	users: readonly UserMessage[],
	memo: ParamMemo,
): readonly JsonObject[] {
	const found = new Map<string, ToolResultBlock>();
	for (const user of users) {
		for (const block of user.content) {
			if (block.type === 'tool_result' && !found.has(wireId(block.tool_use_id)))
				found.set(wireId(block.tool_use_id), block);
		}
	}
	return [...calls].flatMap((call): JsonObject[] => {
		if (call.type !== 'tool_use') return [];
		const id = wireId(call.id);
		const result = found.get(id);
		if (!result) return [{ type: 'tool_result', tool_use_id: id, content: textParam(noResultText), is_error: true }];
		return [memo.of(result, () => resultParam(result, memo))];
	});
}

function resultParam(result: ToolResultBlock, memo: ParamMemo): JsonObject {
	// A failed result may hold text only.
	const sent = result.is_error
		? result.content.map((block) => (block.type === 'text' ? block : imageNote))
		: result.content;
	const content = sent.flatMap((block) => plainBlock(block, memo));
	return {
		type: 'tool_result',
		tool_use_id: wireId(result.tool_use_id),
		content: content.length > 0 ? content : textParam(blankResult),
		...(result.is_error ? { is_error: true } : {}),
	};
}

function textParam(text: string): readonly JsonObject[] {
	return [{ type: 'text', text }];
}

/** What a user message says besides results (those are placed by `results`, right after their calls). */
function userContent(message: UserMessage, memo: ParamMemo): readonly JsonObject[] {
	return message.content.flatMap((block: UserBlock) => (block.type === 'tool_result' ? [] : plainBlock(block, memo)));
}

function plainBlock(block: ToolResultContent, memo: ParamMemo): JsonObject[] {
	if (block.type === 'document') return [memo.of(block, () => documentParam(block))];
	if (block.type === 'image') return [memo.of(block, () => ({ type: 'image', source: { ...block.source } }))];
	return block.text.trim() ? [memo.of(block, () => ({ type: 'text', text: block.text.toWellFormed() }))] : [];
}

function documentParam({ type, source, title }: DocumentBlock): JsonObject {
	return { type, source: { ...source }, ...(title === undefined ? {} : { title }) };
}

/** Marks the last block of the last two user messages: the prefix up to the previous turn stays readable from the cache. */
function markForCache(params: readonly Param[], memo: ParamMemo): readonly JsonObject[] {
	const users = params.flatMap((param, index) => (param.role === 'user' ? [index] : [])).slice(-2);
	return params.map((param, index) => {
		if (!users.includes(index)) return param;
		const last = param.content.at(-1);
		if (!last) return param;
		return { ...param, content: [...param.content.slice(0, -1), memo.marked(last)] };
	});
}
