// A small HTTP server on the loopback address: listening, reading a body, answering JSON, and closing without waiting for
// connections that a client keeps open.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A running server; `url` has no slash at its end. */
export interface LoopbackServer {
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 at a free port.
 * Contract: `handle` must not reject; should it, the connection is dropped and the server goes on.
 */
export async function listenOnLoopback(
	handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
	const server = createServer((request, response) => {
		handle(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** Reads a body of at most `maxBytes`; undefined when it is longer (the rest is read and thrown away). */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size <= maxBytes) chunks.push(chunk);
	}
	return size > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8');
}

/** Answers with a JSON body. */
export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The value of JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
