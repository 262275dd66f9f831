// The body of a Messages request. The stable part comes first and is marked for the cache: the last tool and the last system
// block; at most two more marks come with the messages (the API allows four, anthropic-api 5).
import { canDisableThinking } from '../../core/model/models.ts';
import type { ModelFacts, ModelRequest } from '../../core/model/client.ts';
import type { Json, JsonObject } from '../../core/messages/types.ts';

const cacheMark = { cache_control: { type: 'ephemeral' } } as const;

/** Tokens of thinking for models that want a budget; the API's minimum, and ours. */
const smallestBudget = 1024;
const usualBudget = 16_000;

/** Makes the body, without `stream`. Contract: equal requests give equal bytes. */
export function toBody(request: ModelRequest, facts: ModelFacts): JsonObject {
	const system = request.system.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text }));
	const tools = request.tools.map(({ name, description, inputSchema }) => ({
		name,
		description,
		input_schema: inputSchema,
	}));
	const maxTokens = Math.max(1, Math.min(Math.floor(request.maxTokens), facts.maxOutputTokens));
	const thinking = thinkingOf(request, facts, maxTokens);
	return {
		model: request.model,
		max_tokens: maxTokens,
		...(tools.length > 0 ? { tools: markLast(tools) } : {}),
		...(system.length > 0 ? { system: markLast(system) } : {}),
		messages: request.messages,
		...(thinking ? { thinking } : {}),
		...(request.toolChoice === 'none' && tools.length > 0 ? { tool_choice: { type: 'none' } } : {}),
	};
}

/** A list of a body as it was last written, in pieces that are never written to. */
interface Written {
	readonly list: readonly Json[];
	readonly parts: readonly Uint8Array[];
}

/**
 * Writes bodies as JSON. Contract: the same bytes as those of `JSON.stringify`. A block of a message that comes again as the
 * same object (see `ParamMemo`) is not written again: a turn costs what is new in it, and one copy of the rest.
 */
export class BodyWriter {
	readonly #blocks = new WeakMap<object, Uint8Array>();
	/** By name: tools and system prompt are the same at each turn. */
	readonly #lists = new Map<string, Written>();
	/** The content of messages by place and role: only the last ones differ from those of the turn before. */
	readonly #contents = new Map<string, Written>();

	write(body: JsonObject): Uint8Array {
		const parts: Uint8Array[] = [];
		Object.entries(body).forEach(([name, value], index) => {
			parts.push(Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`));
			if (!Array.isArray(value)) parts.push(jsonBytes(value));
			else if (name === 'messages') this.#messages(value, parts);
			else append(parts, this.#list(name, value));
		});
		if (parts.length === 0) parts.push(openObject);
		parts.push(closeObject);
		return Buffer.concat(parts);
	}

	#list(name: string, list: readonly Json[]): readonly Uint8Array[] {
		const known = this.#lists.get(name);
		if (known !== undefined && areAlike(known.list, list)) return known.parts;
		const parts = [jsonBytes(list)];
		this.#lists.set(name, { list, parts });
		return parts;
	}

	#messages(messages: readonly Json[], parts: Uint8Array[]): void {
		parts.push(openList);
		messages.forEach((message, index) => {
			if (index > 0) parts.push(comma);
			const plain = plainMessage(message);
			if (plain) append(parts, this.#content(`${index} ${plain.role}`, plain));
			else parts.push(jsonBytes(message));
		});
		parts.push(closeList);
	}

	#content(place: string, { role, content }: PlainMessage): readonly Uint8Array[] {
		const known = this.#contents.get(place);
		if (known !== undefined && areSame(known.list, content)) return known.parts;
		const parts: Uint8Array[] = [Buffer.from(`{"role":${JSON.stringify(role)},"content":[`)];
		content.forEach((block, index) => {
			if (index > 0) parts.push(comma);
			parts.push(this.#block(block));
		});
		parts.push(closeMessage);
		this.#contents.set(place, { list: content, parts });
		return parts;
	}

	#block(block: Json): Uint8Array {
		if (typeof block !== 'object' || block === null) return jsonBytes(block);
		const known = this.#blocks.get(block);
		if (known !== undefined) return known;
		const bytes = jsonBytes(block);
		this.#blocks.set(block, bytes);
		return bytes;
	}
}

interface PlainMessage {
	readonly role: string;
	readonly content: readonly Json[];
}

/** A message of role and content and nothing else, in this order. */
function plainMessage(message: Json): PlainMessage | undefined {
	if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
	const [first, second, ...more] = Object.keys(message);
	if (first !== 'role' || second !== 'content' || more.length > 0) return undefined;
	const { role, content } = message as JsonObject;
	return typeof role === 'string' && Array.isArray(content) ? { role, content } : undefined;
}

function append(parts: Uint8Array[], more: readonly Uint8Array[]): void {
	for (const part of more) parts.push(part);
}

function areSame(some: readonly Json[], others: readonly Json[]): boolean {
	return some.length === others.length && some.every((item, index) => item === others[index]);
}

/** True for lists of objects whose fields hold the very same values, in the same order. */
function areAlike(some: readonly Json[], others: readonly Json[]): boolean {
	if (some.length !== others.length) return false;
	return some.every((item, index) => {
		const fields = fieldsOf(item);
		const otherFields = fieldsOf(others[index]);
		return (
			fields !== undefined &&
			fields.length === otherFields?.length &&
			fields.every(([name, value], at) => name === otherFields[at]?.[0] && value === otherFields[at][1])
		);
	});
}

function fieldsOf(value: Json | undefined): (readonly [string, Json])[] | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

const comma = Buffer.from(',');
const openList = Buffer.from('[');
const closeList = Buffer.from(']');
const openObject = Buffer.from('{');
const closeObject = Buffer.from('}');
const closeMessage = Buffer.from(']}');

function jsonBytes(value: Json): Uint8Array {
	return Buffer.from(JSON.stringify(value));
}

function markLast(items: readonly JsonObject[]): readonly JsonObject[] {
	return items.map((item, index) => (index === items.length - 1 ? { ...item, ...cacheMark } : item));
}

/**
 * Adaptive models get their thinking summarised: without it they are silent between tool calls (4.3). `off` leaves it out,
 * and says so to models that think by default and can be told not to.
 */
function thinkingOf(request: ModelRequest, facts: ModelFacts, maxTokens: number): JsonObject | undefined {
	if (request.thinking === 'off') return canDisableThinking(request.model) ? { type: 'disabled' } : undefined;
	if (facts.thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' };
	if (facts.thinking === 'none' || maxTokens < 2 * smallestBudget) return undefined;
	return { type: 'enabled', budget_tokens: Math.min(usualBudget, Math.floor(maxTokens / 2)) };
}
