// Rules on thinking: its configuration, and that every thinking block comes back exactly as it was sent, at its place in an
// unchanged conversation.
import { createHash } from 'node:crypto';
import type { MockModel } from './models.ts';
import { asText, blocksOf, invalid, isObject, objects, type BlockMemo, type Json, type Violation } from './types.ts';

const MIN_BUDGET = 1024;
const INTERLEAVED = 'interleaved-thinking-2025-05-14';

/** A thinking block that the server sent. */
export interface SentBlock {
	readonly thinking: string;
	/** `prefixHash` of the request that it answered. */
	readonly prefix?: string;
}

/** What the server remembers of the thinking it sent. */
export interface ThinkingMemory {
	/** By signature. */
	readonly blocks: ReadonlyMap<string, SentBlock>;
	/** By id of a tool call: the signatures of its answer, in order. */
	readonly turns: ReadonlyMap<string, readonly string[]>;
	/** Checks a signature that is not remembered, from an earlier server for instance. */
	readonly isGenuine?: (thinking: string, signature: string) => boolean;
	/** A client may leave out all thinking, for instance after a signature error. */
	readonly mayBeStripped?: boolean;
	readonly blockMemo?: BlockMemo;
}

/** `thinking` and `output_config` of the request. */
export function* checkThinkingConfig(body: Json, model: MockModel | undefined, betas: string): Generator<Violation> {
	yield* checkEffort(body['output_config'], model);
	const { thinking } = body;
	if (thinking === undefined) return;
	if (!isObject(thinking)) return void (yield invalid('thinking: Input should be an object'));
	const type = String(thinking['type']);
	if (!['adaptive', 'enabled', 'disabled', 'between_tools'].includes(type)) {
		return void (yield invalid(
			`thinking: Input tag '${type}' found using 'type' does not match any of the expected tags`,
		));
	}
	if (model && !model.thinking.includes(type)) yield unsupported(type);
	if (type !== 'enabled') {
		if ('budget_tokens' in thinking) yield invalid(`thinking.${type}.budget_tokens: Extra inputs are not permitted`);
		return;
	}
	const { budget_tokens: budget } = thinking;
	if (typeof budget !== 'number') return void (yield invalid('thinking.enabled.budget_tokens: Field required'));
	if (budget < MIN_BUDGET) {
		yield invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`);
	}
	if (budget >= Number(body['max_tokens']) && !betas.includes(INTERLEAVED)) {
		yield invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
	}
}

function unsupported(type: string): Violation {
	if (type === 'adaptive') return invalid('adaptive thinking is not supported on this model');
	const hint =
		type === 'enabled' ? ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking.' : '';
	return invalid(`"thinking.type.${type}" is not supported for this model.${hint}`);
}

function* checkEffort(config: unknown, model: MockModel | undefined): Generator<Violation> {
	if (!isObject(config) || config['effort'] === undefined) return;
	if (!['low', 'medium', 'high', 'xhigh', 'max'].includes(asText(config['effort']))) {
		yield invalid("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
	} else if (model && !model.effort) yield invalid('output_config.effort is not supported for this model');
}

function isThinking(block: Json): boolean {
	return block['type'] === 'thinking' || block['type'] === 'redacted_thinking';
}

/**
 * A hash of what stands before message `index`: tools, system and messages, without cache marks and thinking (which may move
 * or be left out). Signatures of the newest models are bound to it.
 */
export function prefixHash(body: Json, index: number, memo?: BlockMemo): string {
	const json = memo ? (block: Json) => memo.plainJson(block) : plainJson;
	const hash = createHash('sha256').update(memo?.headOf(body) ?? plainHead(body));
	for (const message of objects(body['messages']).slice(0, index)) {
		const blocks = blocksOf(message).filter((block) => !isThinking(block));
		hash.update(`\n${String(message['role'])}:${blocks.map(json).join()}`);
	}
	return hash.digest('hex');
}

function plainHead(body: Json): string {
	const system =
		typeof body['system'] === 'string' ? [{ type: 'text', text: body['system'] }] : objects(body['system']);
	const tools = objects(body['tools']).filter((tool) => tool['defer_loading'] !== true);
	return `${tools.map(plainJson).join()}\n${system.map(plainJson).join()}`;
}

/** Without cache marks. */
export function plainJson(block: Json): string {
	return JSON.stringify(block, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
}

/** The thinking blocks in the history. Without memory only their shape is checked. */
export function* checkThinkingBlocks(
	body: Json,
	model: MockModel | undefined,
	memory: ThinkingMemory | undefined,
): Generator<Violation> {
	const messages = objects(body['messages']);
	for (const [index, message] of messages.entries()) {
		let first = true;
		for (const [place, block] of blocksOf(message).entries()) {
			if (block['type'] !== 'thinking') continue;
			const path = `messages.${index}.content.${place}`;
			yield* checkSignature(block, path, memory);
			if (first && model?.prefixBound) yield* checkPrefix(body, index, { block, path }, memory);
			first = false;
		}
	}
	if (memory) yield* checkOpenRound(body, memory);
}

function* checkSignature(block: Json, path: string, memory: ThinkingMemory | undefined): Generator<Violation> {
	const { thinking, signature } = block;
	if (typeof thinking !== 'string') return void (yield invalid(`${path}.thinking.thinking: Field required`));
	if (typeof signature !== 'string') return void (yield invalid(`${path}.thinking.signature: Field required`));
	const sent = memory?.blocks.get(signature);
	const genuine = sent ? sent.thinking === thinking : memory?.isGenuine?.(thinking, signature);
	if (signature === '' || (memory && !genuine)) yield invalid(`${path}: Invalid \`signature\` in \`thinking\` block.`);
}

function* checkPrefix(
	body: Json,
	index: number,
	{ block, path }: { block: Json; path: string },
	memory: ThinkingMemory | undefined,
): Generator<Violation> {
	const config = body['thinking'];
	const binding = isObject(config) ? config['block_binding'] : undefined;
	if (isObject(binding) && binding['prefix_mismatch_behavior'] === 'drop_block') return;
	const prefix = memory?.blocks.get(String(block['signature']))?.prefix;
	if (prefix === undefined || prefix === prefixHash(body, index, memory?.blockMemo)) return;
	yield invalid(
		`${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the ` +
			'block, or set thinking.block_binding.prefix_mismatch_behavior to "drop_block". ' +
			`The tools, the system prompt or the messages before \`messages.${index}\` differ.`,
	);
}

/** In an open tool round the thinking of the answer goes back whole. */
function* checkOpenRound(body: Json, memory: ThinkingMemory): Generator<Violation> {
	const messages = objects(body['messages']);
	const index = messages.findLastIndex((message) => message['role'] === 'assistant');
	const latest = messages[index];
	const following = messages[index + 1];
	if (!latest || !following || !blocksOf(following).some((block) => block['type'] === 'tool_result')) return;
	const blocks = blocksOf(latest);
	const call = blocks.find((block) => block['type'] === 'tool_use' && memory.turns.has(String(block['id'])));
	const sent = call && memory.turns.get(String(call['id']));
	if (!sent) return;
	const back = blocks.filter((block) => block['type'] === 'thinking').map((block) => String(block['signature']));
	// All thinking up to a point may be left out (4.4), for instance when another model takes over or after a compaction.
	const stripped = !messages.slice(0, index + 1).some((message) => blocksOf(message).some(isThinking));
	if (back.length === 0 && (stripped || memory.mayBeStripped || !wantsThinking(body))) return;
	if (sent.some((signature, place) => back[place] !== signature) || back.length < sent.length) {
		yield invalid(
			`messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
				'These blocks must remain as they were in the original response.',
		);
	}
}

function wantsThinking(body: Json): boolean {
	const { thinking } = body;
	return !isObject(thinking) || thinking['type'] !== 'disabled';
}
