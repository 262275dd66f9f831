// Rules on the order of messages: roles, who begins and ends, and the exact pairing of tool calls with their results.
import type { MockModel } from './models.ts';
import { blocksOf, extraInputs, invalid, isObject, objects, type Json, type Violation } from './types.ts';

const MAX_MESSAGES = 100_000;

/** Everything about `messages` that is not inside one block. */
export function* checkMessages(value: unknown, model: MockModel | undefined): Generator<Violation> {
	if (value === undefined) return void (yield invalid('messages: Field required'));
	if (!Array.isArray(value)) return void (yield invalid('messages: Input should be a valid list'));
	if (value.length === 0) return void (yield invalid('messages: at least one message is required'));
	if (value.length > MAX_MESSAGES) yield invalid(`messages: List should have at most ${MAX_MESSAGES} items`);
	for (const [index, message] of value.entries()) yield* checkShape(message, index);
	const messages = objects(value);
	if (messages[0]?.['role'] !== 'user') yield invalid('messages: first message must use the "user" role');
	// An answer that the server paused in its own tools goes back as it is (1.4).
	const last = messages.at(-1);
	const paused = last !== undefined && /^server_tool_use$|_tool_result$/.test(String(blocksOf(last).at(-1)?.['type']));
	if (last?.['role'] === 'assistant' && !paused) {
		yield invalid(
			'This model does not support assistant message prefill. The conversation must end with a user message.',
		);
	}
	yield* checkSystemRole(messages, model);
	yield* checkPairing(messages);
}

function* checkShape(message: unknown, index: number): Generator<Violation> {
	const path = `messages.${index}`;
	if (!isObject(message)) return void (yield invalid(`${path}: Input should be an object`));
	yield* extraInputs(message, ['role', 'content'], path);
	if (!['user', 'assistant', 'system'].includes(String(message['role']))) {
		yield invalid(`${path}.role: Input should be 'user', 'assistant' or 'system'`);
	}
	const { content } = message;
	if (content === undefined) return void (yield invalid(`${path}.content: Field required`));
	if (typeof content !== 'string' && !Array.isArray(content)) {
		return void (yield invalid(`${path}.content: Input should be a valid list`));
	}
	if (content.length === 0) {
		yield invalid(`${path}: all messages must have non-empty content except for the optional final assistant message`);
	}
}

function* checkSystemRole(messages: readonly Json[], model: MockModel | undefined): Generator<Violation> {
	for (const [index, message] of messages.entries()) {
		if (message['role'] !== 'system') continue;
		if (model && !model.systemRole) yield invalid("role 'system' is not supported on this model");
		const after = messages[index - 1]?.['role'];
		const before = messages[index + 1]?.['role'];
		if (after !== 'user') yield invalid(`messages.${index}: a 'system' message must follow a 'user' message`);
		if (before !== undefined && before !== 'assistant') {
			yield invalid(`messages.${index}: a 'system' message must be last or be followed by an 'assistant' message`);
		}
		if (blocksOf(message).some((block) => block['type'] !== 'text')) {
			yield invalid(`messages.${index}: 'system' messages may only contain text`);
		}
	}
}

function ids(blocks: readonly Json[], type: string, field: string): string[] {
	return blocks.filter((block) => block['type'] === type).map((block) => String(block[field]));
}

function* checkPairing(messages: readonly Json[]): Generator<Violation> {
	const seen = new Set<string>();
	for (const [index, message] of messages.entries()) {
		const blocks = blocksOf(message);
		const calls = message['role'] === 'assistant' ? ids(blocks, 'tool_use', 'id') : [];
		for (const id of calls) {
			if (seen.has(id)) yield invalid(`messages.${index}: \`tool_use\` ids must be unique`);
			seen.add(id);
		}
		const next = messages[index + 1];
		if (next) yield* checkAnswered(calls, next, index);
		else if (calls.length > 0) yield unanswered(index, calls);
		if (message['role'] === 'user') yield* checkResults(blocks, messages[index - 1], index);
	}
}

function unanswered(index: number, missing: readonly string[]): Violation {
	return invalid(
		`messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
			`${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
	);
}

function* checkAnswered(calls: readonly string[], next: Json, index: number): Generator<Violation> {
	const results = next['role'] === 'user' ? ids(blocksOf(next), 'tool_result', 'tool_use_id') : [];
	const missing = calls.filter((id) => !results.includes(id));
	if (missing.length > 0) yield unanswered(index, missing);
}

function* checkResults(blocks: readonly Json[], previous: Json | undefined, index: number): Generator<Violation> {
	const calls = previous?.['role'] === 'assistant' ? ids(blocksOf(previous), 'tool_use', 'id') : [];
	const answered = new Set<string>();
	let other = false;
	for (const [place, block] of blocks.entries()) {
		if (block['type'] !== 'tool_result') {
			other = true;
			continue;
		}
		const id = String(block['tool_use_id']);
		const path = `messages.${index}.content.${place}`;
		if (!calls.includes(id)) {
			yield invalid(
				`${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must ` +
					'have a corresponding `tool_use` block in the previous message.',
			);
		} else if (answered.has(id)) {
			yield invalid(
				`${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
			);
		} else if (other) {
			yield invalid(`${path}: \`tool_result\` blocks must come first in the content of a message`);
		}
		answered.add(id);
	}
}
