// A `fetch` over the runtime's http and https, as much of one as the SDK and the reader of answers use. The global fetch ends
// every silence after 300 s, copies a body twice, and costs two milliseconds more at each turn.
// Contract: imported without `node:`: only so does the editor put its proxy settings and certificates in their place.
import http from 'http';
import https from 'https';

/** What is used of a body: one reader, chunks as they come. */
interface Chunk {
	readonly done: boolean;
	readonly value: Uint8Array | undefined;
}

/**
 * Sends one request. Redirects are given back as they are. Rejects with the system's error (its `code` says which), or with an
 * `AbortError` when `init.signal` was aborted. The result is a `Response` of which `ok`, `status`, `statusText`, `url`, `headers`,
 * `body.getReader()`, `text()` and `json()` are there.
 */
export async function httpFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
	const url = new URL(input instanceof Request ? input.url : input);
	const { method = 'GET', signal } = init;
	const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
		const headers = Object.fromEntries(new Headers(init.headers));
		const { request } = url.protocol === 'https:' ? https : http;
		const sent = request(url, { method, headers }, resolve);
		const abort = () => sent.destroy(new DOMException('This operation was aborted', 'AbortError'));
		sent.on('error', reject);
		sent.on('close', () => signal?.removeEventListener('abort', abort));
		if (signal?.aborted) abort();
		else signal?.addEventListener('abort', abort);
		sent.end(bodyOf(init.body));
	});
	return answerOf(url.href, message, await decoded(message));
}

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
	if (body === undefined || body === null) return undefined;
	if (typeof body === 'string' || body instanceof Uint8Array) return body;
	throw new TypeError('Only text and bytes can be sent.');
}

/** Nobody asked for compression, but some gateways compress all the same. */
async function decoded(message: http.IncomingMessage): Promise<NodeJS.ReadableStream> {
	const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? '';
	if (!/^(?:x-)?gzip$|^deflate$|^br$/.test(encoding)) return message;
	const { createBrotliDecompress, createUnzip } = await import('node:zlib');
	const plain = encoding === 'br' ? createBrotliDecompress() : createUnzip();
	message.on('error', (error) => plain.destroy(error));
	message.on('aborted', () => plain.destroy(new Error('aborted')));
	return message.pipe(plain);
}

function answerOf(url: string, message: http.IncomingMessage, stream: NodeJS.ReadableStream): Response {
	const headers = new Headers();
	for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
		headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '');
	}
	const status = message.statusCode ?? 0;
	const reader = new Reader(stream, () => message.destroy());
	const text = () => textOf(reader);
	const answer = {
		ok: status >= 200 && status < 300,
		status,
		statusText: message.statusMessage ?? '',
		url,
		headers,
		body: { getReader: () => reader, cancel: () => reader.cancel() },
		text,
		json: async () => JSON.parse(await text()) as unknown,
	};
	return answer as unknown as Response;
}

/** Bytes kept for a slow reader before the sender has to wait. */
const maxWaiting = 1024 * 1024;

/** What has come of a stream, all of it with each read. What came before the connection broke is given first. */
class Reader {
	readonly #stream: NodeJS.ReadableStream;
	readonly #destroy: () => void;
	#waiting: Uint8Array[] = [];
	#bytes = 0;
	#ended = false;
	#error: Error | undefined;
	#wake: (() => void) | undefined;

	constructor(stream: NodeJS.ReadableStream, destroy: () => void) {
		this.#stream = stream;
		this.#destroy = destroy;
		const over = (error?: Error) => {
			if (!this.#ended) this.#error = error;
			this.#ended = true;
			this.#wake?.();
		};
		stream.on('data', (chunk: Uint8Array) => {
			this.#waiting.push(chunk);
			this.#bytes += chunk.length;
			if (this.#bytes >= maxWaiting) stream.pause();
			this.#wake?.();
		});
		stream.on('end', () => over());
		stream.on('error', over);
		stream.on('close', () => over(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })));
	}

	async read(): Promise<Chunk> {
		for (;;) {
			const [first, ...more] = this.#waiting;
			if (first !== undefined) {
				this.#waiting = [];
				this.#bytes = 0;
				if (this.#stream.isPaused()) this.#stream.resume();
				return { done: false, value: more.length === 0 ? first : Buffer.concat([first, ...more]) };
			}
			if (this.#error) throw this.#error;
			if (this.#ended) return { done: true, value: undefined };
			await new Promise<void>((resolve) => (this.#wake = resolve));
			this.#wake = undefined;
		}
	}

	/** Ends the connection. */
	cancel(): Promise<void> {
		this.#ended = true;
		this.#waiting = [];
		this.#destroy();
		this.#wake?.();
		return Promise.resolve();
	}

	releaseLock(): void {}
}

async function textOf(reader: Reader): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return text + decoder.decode();
		text += decoder.decode(value, { stream: true });
	}
}
