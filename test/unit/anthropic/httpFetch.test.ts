// The fetch under the SDK: what an answer is made of, how it breaks, and that a slow reader makes the sender wait.
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpFetch } from '../../../src/node/anthropic/httpFetch.ts';

suite('fetch over http', () => {
	let server: http.Server;
	let answer: http.RequestListener = () => {};
	const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`;

	setup((done) => {
		server = http.createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1', done);
	});
	teardown((done) => {
		server.closeAllConnections();
		server.close(() => done());
	});

	test('sends method, headers and bytes, and gives status, headers and text', async () => {
		const seen: string[] = [];
		answer = (request, response) => {
			seen.push(request.method ?? '', request.headers['x-own'] as string, request.headers['content-length'] ?? '');
			request.on('data', (chunk: Buffer) => seen.push(chunk.toString('utf8')));
			request.on('end', () => response.writeHead(429, { 'retry-after': '7' }).end('{"error":"slow ü"}'));
		};
		const body = new TextEncoder().encode('{"ü":1}');
		const response = await httpFetch(url(), { method: 'POST', headers: { 'X-Own': 'yes' }, body });
		assert.deepEqual(seen, ['POST', 'yes', '8', '{"ü":1}']);
		assert.deepEqual([response.ok, response.status, response.headers.get('Retry-After')], [false, 429, '7']);
		assert.deepEqual(await response.json(), { error: 'slow ü' });
	});

	test('gives a redirect back and does not follow it', async () => {
		answer = (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
		const response = await httpFetch(url());
		assert.deepEqual([response.status, response.headers.get('location')], [307, 'http://127.0.0.1:1/']);
	});

	test('reads an answer that is compressed although nobody asked', async () => {
		answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('event: ping\n\n'));
		assert.equal(await (await httpFetch(url())).text(), 'event: ping\n\n');
	});

	test('gives what came before the connection broke, then the error', async () => {
		answer = (_, response) => {
			response.writeHead(200, { 'content-length': '100' });
			response.write('half', () => response.destroy());
		};
		const reader = (await httpFetch(url())).body?.getReader();
		await new Promise((resolve) => server.once('close', resolve) && server.close());
		assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'half');
		await assert.rejects(async () => reader?.read(), { code: 'ECONNRESET' });
	});

	test('rejects with what the system said where there is no server', async () => {
		await assert.rejects(httpFetch('http://127.0.0.1:1/'), { code: 'ECONNREFUSED' });
	});

	test('an abort ends the request: before it, while it waits, and within the answer', async () => {
		await assert.rejects(httpFetch(url(), { signal: AbortSignal.abort() }), { name: 'AbortError' });
		const waiting = new AbortController();
		answer = () => waiting.abort();
		await assert.rejects(httpFetch(url(), { signal: waiting.signal }), { name: 'AbortError' });
		const within = new AbortController();
		let closed: Promise<unknown> = Promise.resolve();
		answer = (_, response) => {
			closed = new Promise((resolve) => response.once('close', resolve));
			response.write('x');
		};
		const reader = (await httpFetch(url(), { signal: within.signal })).body?.getReader();
		await reader?.read();
		const next = reader?.read();
		within.abort();
		await assert.rejects(async () => next);
		await closed;
	});

	test('the connection is used again when an answer was read to its end', async () => {
		let connections = 0;
		server.on('connection', () => connections++);
		answer = (_, response) => response.end('ok');
		for (let round = 0; round < 3; round++) await (await httpFetch(url())).text();
		assert.equal(connections, 1);
	});

	test('a slow reader makes the sender wait', async () => {
		let written = 0;
		const chunk = Buffer.alloc(64 * 1024, 'x');
		answer = (_, response) => {
			const more = () => {
				while (written < 4000) {
					written++;
					if (!response.write(chunk)) return void response.once('drain', more);
				}
				response.end();
			};
			more();
		};
		const reader = (await httpFetch(url())).body?.getReader();
		await reader?.read();
		// As long as the sender gets on: what fits into buffers.
		for (let before = -1; before !== written;) {
			before = written;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		assert.ok(written < 2000, `${written} of 4000 chunks were sent to somebody who does not read`);
		let bytes = chunk.length;
		for (let at = await reader?.read(); at && !at.done; at = await reader?.read()) bytes += at.value.length;
		assert.ok(bytes >= 4000 * chunk.length - chunk.length);
	});
});
