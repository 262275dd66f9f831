// The demo model: a server on loopback that speaks the Messages API over real SSE and answers by the rules in moves.ts. It
// lets people try the extension without a key. Only the holder of its random token is answered.
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, errorHeaders, statusOf } from '../wire/errors.ts';
import { eventsOf, messageOf, type WireAnswer, type WireBlock } from '../wire/events.ts';
import { listenOnLoopback, parseJson, readBody, sendJson } from '../wire/httpServer.ts';
import { sseHeaders, sseRecord } from '../wire/sse.ts';
import { readConversation } from './conversation.ts';
import { nextMove } from './moves.ts';

/** The id of the only model that is served. */
export const DEMO_MODEL = 'loopwright-demo';

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const PAUSE_MS = 15;
const PIECE_CHARS = 8;
const CHARS_PER_TOKEN = 4;

const model = {
	type: 'model',
	id: DEMO_MODEL,
	display_name: 'Loopwright Demo (no AI)',
	created_at: '2026-01-01T00:00:00Z',
	lifecycle: 'active',
	max_input_tokens: 200_000,
	max_tokens: 64_000,
	capabilities: null,
};

/** A running demo model. `token` is the key that the client must send. */
export interface DemoServer {
	readonly url: string;
	readonly token: string;
	close(): Promise<void>;
}

/** Starts the demo model on a free port of 127.0.0.1. `pauseMs`: the time between two pieces of text. */
export async function startDemoServer({ pauseMs = PAUSE_MS }: { readonly pauseMs?: number } = {}): Promise<DemoServer> {
	const token = randomBytes(24).toString('base64url');
	const server = await listenOnLoopback((request, response) => handle({ request, response, token, pauseMs }));
	return { url: server.url, token, close: () => server.close() };
}

interface Call {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly token: string;
	readonly pauseMs: number;
}

async function handle(call: Call): Promise<void> {
	const { request, response } = call;
	const text = await readBody(request, MAX_BODY_BYTES);
	if (!holdsToken(request, call.token))
		return refuse(response, 'authentication_error', 'This demo model serves its own extension only.');
	const path = (request.url ?? '').split('?')[0];
	const route = `${request.method} ${path}`;
	if (route === 'GET /v1/models')
		return sendJson(response, 200, { data: [model], has_more: false, first_id: model.id, last_id: model.id });
	if (route === `GET /v1/models/${DEMO_MODEL}`) return sendJson(response, 200, model);
	if (route !== 'POST /v1/messages' && route !== 'POST /v1/messages/count_tokens') {
		return refuse(response, 'not_found_error', 'The demo model has no such endpoint.');
	}
	if (text === undefined) return refuse(response, 'request_too_large', 'The request is too large.');
	const body = parseJson(text);
	if (typeof body !== 'object' || body === null)
		return refuse(response, 'invalid_request_error', 'The body is no JSON object.');
	const inputTokens = tokensOf(text);
	if (route.endsWith('/count_tokens')) return sendJson(response, 200, { input_tokens: inputTokens });
	await respond(call, describeAnswer(body, inputTokens), 'stream' in body && body.stream === true);
}

/** Compares in constant time, so that the token cannot be guessed piece by piece. */
function holdsToken({ headers }: IncomingMessage, token: string): boolean {
	const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
	const [one, two] = [Buffer.from(String(given)), Buffer.from(token)];
	return one.length === two.length && timingSafeEqual(one, two);
}

function refuse(response: ServerResponse, type: string, message: string): void {
	const requestId = `req_demo_${randomUUID()}`;
	const error = { type, message };
	sendJson(response, statusOf(type), errorBody(error, requestId), errorHeaders(error, requestId));
}

function tokensOf(text: string): number {
	return Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN));
}

/** The answer to a request, in the shape of the API. */
function describeAnswer(body: unknown, inputTokens: number): WireAnswer {
	const { text, call } = nextMove(readConversation(body));
	const blocks: WireBlock[] = [
		{ type: 'text', text },
		...(call
			? [{ type: 'tool_use', id: `toolu_demo_${randomUUID()}`, name: call.name, input: call.input } as const]
			: []),
	];
	return {
		id: `msg_demo_${randomUUID()}`,
		model: DEMO_MODEL,
		blocks,
		stopReason: call ? 'tool_use' : 'end_turn',
		usage: { input_tokens: inputTokens, output_tokens: tokensOf(JSON.stringify(blocks)) },
		pieceChars: PIECE_CHARS,
	};
}

async function respond({ response, pauseMs }: Call, answer: WireAnswer, stream: boolean): Promise<void> {
	const requestId = { 'request-id': `req_demo_${randomUUID()}` };
	if (!stream) return sendJson(response, 200, messageOf(answer), requestId);
	response.writeHead(200, { ...sseHeaders, ...requestId });
	for (const event of eventsOf(answer)) {
		if (response.destroyed) return;
		response.write(sseRecord(event));
		if (event.type === 'content_block_delta' && pauseMs > 0) await sleep(pauseMs);
	}
	response.end();
}
