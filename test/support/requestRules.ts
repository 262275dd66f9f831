// The strict check of a Messages API request: a pure function that says which rules a request breaks, in the words of the
// API. With it no test can pass with a conversation that the real API would refuse.
import { checkBlocks } from './mock/rules/blocks.ts';
import { checkMessages } from './mock/rules/messages.ts';
import { findModel, mockModels, type MockModel } from './mock/rules/models.ts';
import { checkThinkingBlocks, checkThinkingConfig, type ThinkingMemory } from './mock/rules/thinking.ts';
import { checkCacheMarks, checkTools } from './mock/rules/tools.ts';
import { extraInputs, invalid, isObject, objects, type Json, type Violation } from './mock/rules/types.ts';

export type { Violation } from './mock/rules/types.ts';

/** The largest request body. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

const VERSIONS = ['2023-06-01', '2026-10-21'];
const CHARS_PER_TOKEN = 4;

export interface RequestToCheck {
	readonly body: unknown;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	/** Size of the body as it was received. */
	readonly bytes?: number;
	readonly endpoint?: 'messages' | 'count_tokens';
}

export interface RuleContext {
	/** Default: `mockModels`. */
	readonly models?: readonly MockModel[];
	readonly memory?: ThinkingMemory;
	/** What the request counts, if it was counted before. */
	readonly tokens?: number;
	/** The keys that are accepted; by default any. */
	readonly keys?: readonly string[];
}

const plainFields = [
	'model',
	'messages',
	'max_tokens',
	'system',
	'tools',
	'tool_choice',
	'stream',
	'thinking',
	'output_config',
	'metadata',
	'stop_sequences',
	'cache_control',
	'service_tier',
	'container',
	'inference_geo',
	'diagnostics',
];
const betaFields: Readonly<Record<string, RegExp>> = {
	context_management: /context-management-2025-06-27|compact-2026-01-12/,
	compaction: /compact-2026-09-04/,
	thread: /message-threads-/,
	fallbacks: /server-side-fallback-/,
	speed: /fast-mode-/,
	mcp_servers: /mcp-client-/,
};
const notForCounting = ['max_tokens', 'stream', 'metadata', 'stop_sequences', 'service_tier', 'diagnostics'];

/**
 * Every rule that the request breaks, the one that the API would name first at the front; empty for a valid request.
 * Contract: never throws, whatever the body is.
 */
export function checkRequest(request: RequestToCheck, context: RuleContext = {}): Violation[] {
	if ((request.bytes ?? 0) > MAX_REQUEST_BYTES) {
		const message = 'Request exceeds the maximum allowed number of bytes';
		return [{ status: 413, type: 'request_too_large', message }];
	}
	const { body } = request;
	const fromHeaders = [...checkHeaders(request.headers, context.keys)];
	if (!isObject(body)) return [...fromHeaders, invalid('The request body is not valid JSON: expected an object')];
	return [...fromHeaders, ...checkBody(body, request, context)];
}

function header(headers: RequestToCheck['headers'], name: string): string {
	const value = headers[name];
	return Array.isArray(value) ? value.join(',') : (value ?? '');
}

function* checkHeaders(headers: RequestToCheck['headers'], keys: readonly string[] | undefined): Generator<Violation> {
	yield* checkAuth(headers, keys);
	const version = header(headers, 'anthropic-version');
	if (version === '') yield invalid('anthropic-version: header is required');
	else if (!VERSIONS.includes(version)) yield invalid(`anthropic-version: "${version}" is not a valid version`);
	if (!header(headers, 'content-type').startsWith('application/json')) {
		yield invalid('content-type: Input should be "application/json"');
	}
}

/** The key of a request: by Bearer or `x-api-key`, not both. */
export function* checkAuth(
	headers: RequestToCheck['headers'],
	keys: readonly string[] | undefined,
): Generator<Violation> {
	const refuse = (message: string): Violation => ({ status: 401, type: 'authentication_error', message });
	const bearer = /^Bearer (.+)$/.exec(header(headers, 'authorization'))?.[1];
	const apiKey = header(headers, 'x-api-key');
	if (bearer === undefined && apiKey === '') yield refuse('x-api-key header is required');
	else if (bearer !== undefined && apiKey !== '') yield refuse('Only one of x-api-key and authorization may be given');
	else if (keys && !keys.includes(bearer ?? apiKey)) {
		yield refuse(bearer === undefined ? 'invalid x-api-key' : 'Invalid bearer token');
	}
}

function* checkBody(body: Json, request: RequestToCheck, context: RuleContext): Generator<Violation> {
	const betas = header(request.headers, 'anthropic-beta');
	const counting = request.endpoint === 'count_tokens';
	yield* checkFields(body, betas, counting);
	const model = findModel(context.models ?? mockModels, body['model']);
	if (typeof body['model'] !== 'string') yield invalid('model: Field required');
	else if (!model) yield { status: 404, type: 'not_found_error', message: `model: ${body['model']}` };
	if (!counting) yield* checkMaxTokens(body, model);
	yield* checkSystem(body['system']);
	yield* checkMessages(body['messages'], model);
	yield* checkBlocks(body['messages'], model?.window ?? Infinity, context.memory?.blockMemo);
	yield* checkTools(body, model);
	yield* checkCacheMarks(body);
	yield* checkThinkingConfig(body, model, betas);
	yield* checkThinkingBlocks(body, model, context.memory);
	const tokens = context.tokens ?? estimateTokens(body);
	if (model && tokens > model.window) {
		yield invalid(`prompt is too long: ${tokens} tokens > ${model.window} maximum`);
	}
}

function* checkFields(body: Json, betas: string, counting: boolean): Generator<Violation> {
	const beta = Object.keys(betaFields).filter((field) => betaFields[field]?.test(betas));
	const known = counting ? plainFields.filter((field) => !notForCounting.includes(field)) : plainFields;
	yield* extraInputs(body, [...known, ...beta], '');
	if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean') {
		yield invalid('stream: Input should be a valid boolean');
	}
}

function* checkMaxTokens(body: Json, model: MockModel | undefined): Generator<Violation> {
	const { max_tokens: most } = body;
	if (most === undefined) yield invalid('max_tokens: Field required');
	else if (typeof most !== 'number' || !Number.isInteger(most))
		yield invalid('max_tokens: Input should be a valid integer');
	else if (most < (body['stream'] === true ? 1 : 0))
		yield invalid('max_tokens: Input should be greater than or equal to 1');
	else if (model && most > model.maxOutput) {
		yield invalid(
			`max_tokens: ${most} > ${model.maxOutput}, which is the maximum allowed number of output tokens for ${model.id}`,
		);
	}
}

function* checkSystem(system: unknown): Generator<Violation> {
	if (system === undefined || typeof system === 'string') return;
	if (!Array.isArray(system)) return void (yield invalid('system: Input should be a valid list'));
	for (const [index, block] of system.entries()) {
		if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') {
			yield invalid(`system.${index}: Input should be a text block`);
			continue;
		}
		yield* extraInputs(block, ['type', 'text', 'cache_control', 'citations'], `system.${index}`);
		if (block['text'].trim() === '') yield invalid('system: text content blocks must contain non-whitespace text');
	}
}

/** A plausible count of the tokens of a request; image bytes count little, as they do on the server. */
export function estimateTokens(body: unknown): number {
	if (!isObject(body)) return 0;
	const counted = [body['system'] ?? '', objects(body['tools']), body['messages'] ?? []];
	const plain = JSON.stringify(counted);
	const text = plain.includes('"data":')
		? JSON.stringify(counted, (key, value: unknown) => (key === 'data' ? '' : value))
		: plain;
	return Math.ceil(text.length / CHARS_PER_TOKEN);
}
