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

/**
 * Writes bodies as JSON. Contract: the same bytes as those of `JSON.stringify`. A block of a message that comes again as the
 * same object (see `ParamMemo`) is not written again: a turn costs what is new in it, and one copy of the rest.
 */
export class BodyWriter {
	readonly #known = new WeakMap<object, Uint8Array>();

	write(body: JsonObject): Uint8Array {
		const parts: Uint8Array[] = [openBody];
		Object.entries(body).forEach(([name, value], index) => {
			parts.push(Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`));
			if (name === 'messages' && Array.isArray(value)) this.#list(value, parts, (item) => this.#message(item, parts));
			else parts.push(jsonBytes(value));
		});
		parts.push(closeBody);
		return Buffer.concat(parts);
	}

	#list(items: readonly Json[], parts: Uint8Array[], write: (item: Json) => void): void {
		parts.push(openList);
		items.forEach((item, index) => {
			if (index > 0) parts.push(comma);
			write(item);
		});
		parts.push(closeList);
	}

	#message(message: Json, parts: Uint8Array[]): void {
		const isPlain = typeof message === 'object' && message !== null && Object.keys(message).join() === 'role,content';
		const { role, content } = isPlain ? (message as JsonObject) : {};
		if (role === undefined || !Array.isArray(content)) return void parts.push(jsonBytes(message));
		parts.push(Buffer.from(`{"role":${JSON.stringify(role)},"content":`));
		this.#list(content, parts, (item) => parts.push(this.#block(item)));
		parts.push(closeMessage);
	}

	#block(block: Json): Uint8Array {
		// Cache marks wander: a marked block is made anew for each request.
		if (typeof block !== 'object' || block === null || 'cache_control' in block) return jsonBytes(block);
		const known = this.#known.get(block);
		if (known !== undefined) return known;
		const bytes = jsonBytes(block);
		this.#known.set(block, bytes);
		return bytes;
	}
}

const comma = Buffer.from(',');
const openList = Buffer.from('[');
const closeList = Buffer.from(']');
const openBody = Buffer.from('{');
const closeMessage = Buffer.from('}');
const closeBody = closeMessage;

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
