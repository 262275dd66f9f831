// Takes secrets out of an entry before it is written. Pure. Contract: ids, hashes, signatures, encrypted blocks and images stay
// byte for byte; a call's input and its start are masked alike; an entry without a secret is the same object.
import { maskSecrets, secretMark } from '../util/secrets.ts';
import type { Entry } from './journal.ts';
import type { AssistantBlock, Json, JsonObject } from './types.ts';

/** `known`: values that are secret whatever they look like. */
export function maskEntry(entry: Entry, known: readonly string[] = []): Entry {
	const mask = (text: string): string => maskSecrets(text, known);
	switch (entry.type) {
		case 'block':
			return replaced(entry, 'block', maskBlock(entry.block, mask));
		case 'tool_start':
			return replaced(entry, 'input', maskAll(entry.input, mask));
		case 'user':
		case 'tool_result':
		case 'projection':
		case 'queued':
		case 'tools_labelled':
			return maskFields(entry, mask);
		default:
			return entry;
	}
}

/** True for a call that cannot run as it is stored: a part of what it was given was not kept. */
export function holdsMark(input: JsonObject): boolean {
	return JSON.stringify(input).includes(secretMark);
}

type Mask = (text: string) => string;

function maskBlock(block: AssistantBlock, mask: Mask): AssistantBlock {
	switch (block.type) {
		case 'text':
			return replaced(block, 'text', mask(block.text));
		case 'tool_use': {
			const masked = replaced(block, 'input', maskAll(block.input, mask));
			return masked.malformed === undefined ? masked : replaced(masked, 'malformed', mask(masked.malformed));
		}
		case 'thinking': {
			const thinking = mask(block.thinking);
			// Its signature belongs to other words now, and unsigned thinking is never sent.
			return thinking === block.thinking ? block : { ...block, thinking, signature: '' };
		}
		default:
			return block;
	}
}

/** Fields of our own and of the service that are compared or verified, never read by a person. */
const kept: ReadonlySet<string> = new Set([
	'type',
	'kind',
	'id',
	'role',
	'origin',
	'state',
	'at',
	'upTo',
	'from',
	'to',
	'messageIds',
	'toolUseId',
	'toolUseIds',
	'tool_use_id',
	'hash',
	'signature',
	'source',
]);

function maskFields<T extends object>(value: T, mask: Mask): T {
	let changed = false;
	const fields = Object.entries(value).map(([name, field]: [string, unknown]): [string, unknown] => {
		const next = kept.has(name) ? field : maskValue(field, (inner) => maskFields(inner, mask), mask);
		changed ||= next !== field;
		return [name, next];
	});
	return changed ? (Object.fromEntries(fields) as T) : value;
}

function maskAll(value: JsonObject, mask: Mask): JsonObject {
	let changed = false;
	const fields = Object.entries(value).map(([name, field]): [string, Json] => {
		const next = maskValue(field, (inner) => maskAll(inner as JsonObject, mask), mask) as Json;
		changed ||= next !== field;
		return [name, next];
	});
	return changed ? Object.fromEntries(fields) : value;
}

function maskValue(value: unknown, inside: (value: object) => object, mask: Mask): unknown {
	if (typeof value === 'string') return mask(value);
	if (typeof value !== 'object' || value === null) return value;
	if (!Array.isArray(value)) return inside(value);
	const items = value.map((item: unknown) => maskValue(item, inside, mask));
	return items.some((item, index) => item !== value[index]) ? items : value;
}

function replaced<T extends object, K extends keyof T>(value: T, name: K, next: T[K]): T {
	return value[name] === next ? value : { ...value, [name]: next };
}
