// Rules on tool definitions, tool choice and cache marks.
import type { MockModel } from './models.ts';
import { asText, blocksOf, extraInputs, invalid, isObject, objects, type Json, type Violation } from './types.ts';

const NAME_PATTERN = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_CACHE_MARKS = 4;
const toolFields = [
	'type',
	'name',
	'description',
	'input_schema',
	'strict',
	'eager_input_streaming',
	'defer_loading',
	'allowed_callers',
	'input_examples',
	'cache_control',
];

/** The `tools` list and `tool_choice`. */
export function* checkTools(body: Json, model: MockModel | undefined): Generator<Violation> {
	const { tools } = body;
	if (tools !== undefined && !Array.isArray(tools)) yield invalid('tools: Input should be a valid list');
	const names = new Set<string>();
	for (const [index, tool] of objects(tools).entries()) {
		const name = String(tool['name']);
		if (names.has(name)) yield invalid('tools: Tool names must be unique.');
		names.add(name);
		const own = tool['type'] === undefined || tool['type'] === 'custom';
		if (own) yield* checkOwnTool(tool, `tools.${index}.custom`);
	}
	yield* checkChoice(body, names, model);
}

function* checkOwnTool(tool: Json, path: string): Generator<Violation> {
	const { name, input_schema: schema } = tool;
	if (typeof name !== 'string') yield invalid(`${path}.name: Field required`);
	else if (!NAME_PATTERN.test(name)) {
		yield invalid(`${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
	}
	yield* extraInputs(tool, toolFields, path);
	if (tool['description'] !== undefined && typeof tool['description'] !== 'string') {
		yield invalid(`${path}.description: Input should be a valid string`);
	}
	if (!isObject(schema)) return void (yield invalid(`${path}.input_schema: Field required`));
	if (schema['type'] !== 'object') yield invalid(`${path}.input_schema.type: Input should be 'object'`);
	for (const key of ['oneOf', 'anyOf', 'allOf']) {
		if (key in schema) {
			yield invalid(`${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`);
		}
	}
}

function* checkChoice(body: Json, names: ReadonlySet<string>, model: MockModel | undefined): Generator<Violation> {
	const choice = body['tool_choice'];
	if (choice === undefined) return;
	if (!isObject(choice)) return void (yield invalid('tool_choice: Input should be an object'));
	const type = String(choice['type']);
	if (!['auto', 'any', 'tool', 'none'].includes(type)) {
		return void (yield invalid(
			`tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags`,
		));
	}
	yield* extraInputs(choice, ['type', 'name', 'disable_parallel_tool_use'], `tool_choice.${type}`);
	if (names.size === 0) yield invalid('tool_choice may only be specified while providing tools');
	if (type !== 'any' && type !== 'tool') return;
	if (type === 'tool' && !names.has(String(choice['name']))) {
		yield invalid(`Tool '${String(choice['name'])}' not found in provided tools`);
	}
	if (model && !model.forcedToolChoice) {
		yield invalid('tool_choice: type "tool" and "any" are not supported for this model.');
	}
	if (isObject(body['thinking']) && body['thinking']['type'] === 'enabled') {
		yield invalid('Thinking may not be enabled when tool_choice forces tool use.');
	}
}

interface Marked {
	readonly path: string;
	readonly block: Json;
}

/** All places where a cache mark may be, in the order of the prefix: tools, system, messages. */
function* markable(body: Json): Generator<Marked> {
	for (const [index, block] of objects(body['tools']).entries()) yield { path: `tools.${index}`, block };
	for (const [index, block] of objects(body['system']).entries()) yield { path: `system.${index}`, block };
	for (const [index, message] of objects(body['messages']).entries()) {
		for (const [place, block] of blocksOf(message).entries()) {
			const path = `messages.${index}.content.${place}`;
			yield { path, block };
			for (const [inner, part] of objects(block['content']).entries())
				yield { path: `${path}.content.${inner}`, block: part };
		}
	}
}

/** Cache marks: their number, their shape, their order, and where none may stand. */
export function* checkCacheMarks(body: Json): Generator<Violation> {
	const marked = [...markable(body)].filter(({ block }) => (block['cache_control'] ?? null) !== null);
	const all = isObject(body['cache_control']) ? [...marked, { path: 'request', block: body }] : marked;
	if (all.length > MAX_CACHE_MARKS) {
		yield invalid(`A maximum of ${MAX_CACHE_MARKS} blocks with cache_control may be provided. Found ${all.length}.`);
	}
	let short = false;
	for (const { path, block } of all) {
		const mark = block['cache_control'];
		if (!isObject(mark) || mark['type'] !== 'ephemeral') {
			yield invalid(
				`${path}.cache_control: Input tag found using 'type' does not match any of the expected tags: 'ephemeral'`,
			);
			continue;
		}
		yield* extraInputs(mark, ['type', 'ttl'], `${path}.cache_control.ephemeral`);
		const { ttl } = mark;
		if (ttl !== undefined && ttl !== '5m' && ttl !== '1h') {
			yield invalid(`${path}.cache_control.ephemeral.ttl: Input should be '5m' or '1h'`);
		}
		if (ttl === '1h' && short) {
			yield invalid(
				`${path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.`,
			);
		}
		short ||= ttl !== '1h' && path !== 'request';
		if (block['type'] === 'text' && asText(block['text']).trim() === '') {
			yield invalid(`${path}.text: cache_control cannot be set for empty text blocks`);
		}
		if (block['type'] === 'thinking' || block['type'] === 'redacted_thinking') {
			yield invalid(`${path}.${block['type']}.cache_control: Extra inputs are not permitted`);
		}
	}
}
