// A mock of the Messages API on a real socket. It checks each request strictly, then does what the test's script says for it.
// What it was asked, and which rules were broken, stays readable for the test.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, errorHeaders } from '../../src/node/wire/errors.ts';
import { listenOnLoopback, parseJson, readBody, sendJson } from '../../src/node/wire/httpServer.ts';
import { compile, isGenuine, type Compiled } from './mock/compile.ts';
import { describeModel } from './mock/modelsApi.ts';
import type { Step } from './mock/parts.ts';
import { playMessage, playStream } from './mock/player.ts';
import { lastUserText, type MockRequest } from './mock/recorded.ts';
import { findModel, mockModels, type MockModel } from './mock/rules/models.ts';
import { prefixHash, type SentBlock } from './mock/rules/thinking.ts';
import { isObject, objects } from './mock/rules/types.ts';
import { checkAuth, checkRequest, estimateTokens, MAX_REQUEST_BYTES, type Violation } from './requestRules.ts';

export * from './mock/builders.ts';
export type { Step } from './mock/parts.ts';
export { lastUserText, messagesOf, toolResults, type MockRequest } from './mock/recorded.ts';
export type { MockModel } from './mock/rules/models.ts';
export type { Violation } from './requestRules.ts';

/** Steps in order, or a function of the request and its place among the valid ones. */
export type Script =
	readonly Step[] | ((request: MockRequest, index: number) => Step | undefined | Promise<Step | undefined>);

export interface MockOptions {
	/** Models served besides the usual ones; one with the same id replaces it. */
	readonly models?: readonly MockModel[];
	/** Accepted keys. Default: any. */
	readonly keys?: readonly string[];
	/** Check that thinking stands in an unchanged conversation, on models that bind it. Default true. */
	readonly prefixBinding?: boolean;
	/** Answer broken requests by the script too (they are recorded as violations all the same). Default false. */
	readonly lenient?: boolean;
}

/** A call of another path than `POST /v1/messages`. */
export interface OtherCall {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: unknown;
}

export interface MockServer {
	readonly url: string;
	/** `POST /v1/messages`, in the order of arrival; those that were refused included. */
	readonly requests: readonly MockRequest[];
	readonly otherCalls: readonly OtherCall[];
	/** Broken rules, and a script that ran out. Empty in a healthy test. */
	readonly violations: readonly Violation[];
	/** Resolves once so many requests have arrived. */
	waitForRequests(count: number): Promise<void>;
	/** Starts a new script at its first step. */
	setScript(script: Script): void;
	/** Forgets script, requests and violations; keeps what thinking was sent, as the real API does. */
	reset(): void;
	close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startMockServer(script: Script = [], options: MockOptions = {}): Promise<MockServer> {
	const mock = new Mock(options);
	mock.setScript(script);
	const server = await listenOnLoopback((request, response) => mock.handle(request, response));
	return {
		url: server.url,
		get requests() {
			return mock.requests;
		},
		get otherCalls() {
			return mock.otherCalls;
		},
		get violations() {
			return mock.violations;
		},
		waitForRequests: (count) => mock.waitForRequests(count),
		setScript: (next) => mock.setScript(next),
		reset: () => mock.reset(),
		close: () => server.close(),
	};
}

class Mock {
	requests: MockRequest[] = [];
	otherCalls: OtherCall[] = [];
	violations: Violation[] = [];
	readonly #options: MockOptions;
	readonly #models: readonly MockModel[];
	readonly #blocks = new Map<string, SentBlock>();
	readonly #turns = new Map<string, readonly string[]>();
	#waiting: { count: number; resolve: () => void }[] = [];
	#script: Script = [];
	#stepIndex = 0;
	#received = 0;
	#answers = 0;
	#mayBeStripped = false;

	constructor(options: MockOptions) {
		this.#options = options;
		const own = options.models ?? [];
		this.#models = [...own, ...mockModels.filter((model) => !own.some(({ id }) => id === model.id))];
	}

	setScript(script: Script): void {
		this.#script = script;
		this.#stepIndex = 0;
	}

	reset(): void {
		this.setScript([]);
		this.requests = [];
		this.otherCalls = [];
		this.violations = [];
		this.#mayBeStripped = false;
	}

	waitForRequests(count: number): Promise<void> {
		if (this.requests.length >= count) return Promise.resolve();
		return new Promise((resolve) => this.#waiting.push({ count, resolve }));
	}

	async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const text = await readBody(request, MAX_REQUEST_BYTES);
		const path = (request.url ?? '').split('?')[0] ?? '';
		const body = parseJson(text ?? '');
		const requestId = `req_${String(++this.#received).padStart(4, '0')}`;
		const received = { request, response, path, body, requestId, bytes: text?.length ?? MAX_REQUEST_BYTES + 1 };
		if (request.method === 'POST' && path === '/v1/messages') return this.#messages(received);
		const { method = '', headers } = request;
		this.otherCalls.push({ method, path, headers, body });
		if (method === 'POST' && path === '/v1/messages/count_tokens') return this.#countTokens(received);
		if (method === 'GET' && /^\/v1\/models(\/.+)?$/.test(path)) return this.#listModels(received);
		this.#refuse(received, { status: 404, type: 'not_found_error', message: `Not found: ${method} ${path}` });
	}

	async #messages(received: Received): Promise<void> {
		const { request, response, body, bytes } = received;
		const violations = checkRequest({ body, headers: request.headers, bytes }, this.#context());
		const { promise: over, resolve } = deferred<'finished' | 'aborted'>();
		response.once('close', () => resolve(response.writableFinished ? 'finished' : 'aborted'));
		const recorded: MockRequest = {
			body: isObject(body) ? body : {},
			headers: request.headers,
			time: performance.now(),
			violations,
			over,
		};
		this.requests.push(recorded);
		this.violations.push(...violations);
		this.#wake();
		const first = violations[0];
		if (first && !this.#options.lenient) return this.#refuse(received, first);
		const index = this.#stepIndex++;
		const step = typeof this.#script === 'function' ? await this.#script(recorded, index) : this.#script[index];
		if (step) return this.#perform(step, received);
		const missing = this.#missingStep(index, recorded);
		this.violations.push(missing);
		this.#refuse(received, missing);
	}

	#wake(): void {
		for (const { resolve } of this.#waiting.filter(({ count }) => count <= this.requests.length)) resolve();
		this.#waiting = this.#waiting.filter(({ count }) => count > this.requests.length);
	}

	#missingStep(index: number, recorded: MockRequest): Violation {
		const has =
			typeof this.#script === 'function' ? 'The script function' : `The script of ${this.#script.length} steps`;
		const count = objects(recorded.body['messages']).length;
		const message = `${has} has no step for request ${index + 1} (${count} messages, last words: ${JSON.stringify(lastUserText(recorded))})`;
		return { status: 500, type: 'api_error', message };
	}

	#context(): Parameters<typeof checkRequest>[1] {
		const memory = { blocks: this.#blocks, turns: this.#turns, isGenuine, mayBeStripped: this.#mayBeStripped };
		return { models: this.#models, memory, ...(this.#options.keys ? { keys: this.#options.keys } : {}) };
	}

	async #perform(step: Step, received: Received): Promise<void> {
		const { response, requestId } = received;
		if (step.kind === 'body') {
			return void response.writeHead(step.status, { 'request-id': requestId, ...step.headers }).end(step.text);
		}
		if (step.kind === 'fail') return this.#refuse(received, step, step.headers);
		const body = isObject(received.body) ? received.body : {};
		const compiled = compile(step.parts, {
			serial: ++this.#answers,
			model: String(body['model']),
			inputTokens: estimateTokens(body),
			framed: step.framed,
			requestId,
		});
		this.#remember(compiled, body);
		if (body['stream'] === true) await playStream(response, compiled, requestId);
		else await playMessage(response, compiled, requestId);
	}

	#remember(compiled: Compiled, body: Readonly<Record<string, unknown>>): void {
		const bound = this.#options.prefixBinding !== false;
		const prefix = bound ? { prefix: prefixHash(body, objects(body['messages']).length) } : {};
		for (const { thinking, signature } of compiled.thinking) this.#blocks.set(signature, { thinking, ...prefix });
		const signatures = compiled.thinking.map(({ signature }) => signature);
		for (const id of compiled.toolUseIds) this.#turns.set(id, signatures);
	}

	#refuse(received: Received, error: Violation, headers: Readonly<Record<string, string>> = {}): void {
		const { requestId, response } = received;
		if (error.status === 400 && /signature|thinking/.test(error.message)) this.#mayBeStripped = true;
		sendJson(response, error.status, errorBody(error, requestId), { ...errorHeaders(error, requestId), ...headers });
	}

	#countTokens(received: Received): void {
		const { request, body, bytes, response, requestId } = received;
		const check = { body, headers: request.headers, bytes, endpoint: 'count_tokens' } as const;
		const violations = checkRequest(check, this.#context());
		this.violations.push(...violations);
		if (violations[0]) return this.#refuse(received, violations[0]);
		sendJson(response, 200, { input_tokens: estimateTokens(body) }, { 'request-id': requestId });
	}

	#listModels(received: Received): void {
		const { request, response, path, requestId } = received;
		const [refused] = checkAuth(request.headers, this.#options.keys);
		if (refused) return this.#refuse(received, refused);
		const id = decodeURIComponent(path.slice('/v1/models/'.length));
		const model = findModel(this.#models, id);
		if (id === '') {
			const data = this.#models.map(describeModel);
			const page = { data, has_more: false, first_id: data[0]?.['id'] ?? null, last_id: data.at(-1)?.['id'] ?? null };
			return sendJson(response, 200, page, { 'request-id': requestId });
		}
		if (model) return sendJson(response, 200, describeModel(model), { 'request-id': requestId });
		this.#refuse(received, { status: 404, type: 'not_found_error', message: `model: ${id}` });
	}
}

interface Received {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly path: string;
	readonly body: unknown;
	readonly bytes: number;
	readonly requestId: string;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
	let resolve: (value: T) => void = () => {};
	const promise = new Promise<T>((done) => {
		resolve = done;
	});
	return { promise, resolve };
}
