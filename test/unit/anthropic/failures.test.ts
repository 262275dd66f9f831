// What the client makes of every kind of refusal and broken answer, and the list of models.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { body, fail, html, startMockServer, type MockServer, type Step } from '../../support/mockServer.ts';
import { clientOf, failureOf, key } from './helpers.ts';

suite('anthropic client: failures', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());
	const script = (...steps: Step[]) => server.setScript(steps);

	suite('failures', () => {
		const cases: readonly [string, Step, Record<string, unknown>][] = [
			['401', fail(401, 'authentication_error', 'invalid x-api-key'), { kind: 'authentication', status: 401 }],
			['402', fail(402, 'billing_error'), { kind: 'billing' }],
			['403', fail(403, 'permission_error'), { kind: 'permission' }],
			['404', fail(404, 'not_found_error', 'model: claude-x'), { kind: 'not_found', message: 'model: claude-x' }],
			[
				'prompt too long',
				fail(400, 'invalid_request_error', 'prompt is too long: 201000 tokens > 200000 maximum'),
				{ kind: 'prompt_too_long', actual: 201000, maximum: 200000 },
			],
			['413 of the edge', body(413, 'text/html', '<html><title>413</title>'), { kind: 'prompt_too_long', status: 413 }],
			[
				'429',
				fail(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }),
				{ kind: 'rate_limited', retryAfterMs: 7000 },
			],
			['529', fail(529, 'overloaded_error'), { kind: 'overloaded', status: 529 }],
			['500', fail(500, 'api_error'), { kind: 'server_error' }],
			[
				'a page of a proxy',
				body(502, 'text/html', `<html><head><title>Bad gateway</title></head>${'x'.repeat(9000)}`),
				{ kind: 'server_error', status: 502, message: 'HTML page: Bad gateway' },
			],
			['404 of another server', body(404, 'text/plain', '404 page not found'), { kind: 'not_a_stream', status: 404 }],
			[
				'200 with an error in JSON',
				body(200, 'application/json', '{"error":{"message":"model overloaded","type":"overloaded_error"}}'),
				{ kind: 'overloaded' },
			],
			['200 with other JSON', body(200, 'application/json', '{"choices":[]}'), { kind: 'not_a_stream' }],
			['200 with nothing', body(200, 'text/event-stream', ''), { kind: 'not_a_stream' }],
			['200 with text', body(200, 'text/plain', 'It works!'), { kind: 'not_a_stream' }],
			['a redirect', fail(302, 'x', 'moved', { location: 'http://127.0.0.1:9/login' }), { kind: 'not_a_stream' }],
		];
		for (const [name, step, expected] of cases) {
			test(name, async () => {
				script(step);
				const failure = await failureOf(clientOf(server.url));
				assert.ok(failure);
				const relevant = Object.keys(expected).map((field) => [field, failure[field as keyof typeof failure]]);
				assert.deepEqual(Object.fromEntries(relevant), expected);
				assert.ok(failure.message.length <= 500);
				assert.equal(failure.host, new URL(server.url).host);
				assert.equal(server.requests.length, 1, 'the client repeats nothing by itself');
			});
		}

		test('a login page names the host, the content type and its title', async () => {
			script(html());
			const failure = await failureOf(clientOf(server.url));
			assert.equal(failure?.kind, 'not_a_stream');
			assert.match(failure.message, /127\.0\.0\.1:\d+ answered.*text\/html.*"Log in"/);
		});

		test('secrets never show', async () => {
			script(fail(401, 'authentication_error', `the key ${key} is wrong; Bearer ${key}; sk-ant-another-key-12345`));
			const failure = await failureOf(clientOf(server.url));
			assert.equal(failure?.message, 'the key [key] is wrong; Bearer [key]; [key]');
		});

		test('refused, and unknown names: unreachable with the code', async () => {
			await server.close();
			const refused = await failureOf(clientOf(server.url));
			assert.equal(refused?.kind, 'unreachable');
			assert.equal(refused.code, 'ECONNREFUSED');
			const unknown = await failureOf(clientOf('http://nowhere.invalid'));
			assert.equal(unknown?.kind, 'unreachable');
			assert.match(unknown.code ?? '', /ENOTFOUND|EAI_AGAIN/);
			server = await startMockServer();
		});

		test('closed before an answer: dropped', async () => {
			const raw = createServer((socket) => socket.once('data', () => socket.destroy()));
			await new Promise<void>((resolve) => {
				raw.listen(0, '127.0.0.1', resolve);
			});
			const address = raw.address();
			const port = typeof address === 'object' && address ? address.port : 0;
			assert.equal((await failureOf(clientOf(`http://127.0.0.1:${port}`)))?.kind, 'dropped');
			raw.close();
		});

		test('what cannot work is refused before anything is sent', async () => {
			const failures = [
				clientOf('::not a url::'),
				clientOf('https://api.anthropic.com', { apiKey: '' }),
				clientOf(server.url, { apiKey: 'ключ' }),
			].map((client) => failureOf(client));
			for (const failure of await Promise.all(failures)) assert.equal(failure?.kind, 'not_configured');
			assert.equal(server.requests.length, 0);
		});
	});

	suite('models', () => {
		test('the list with its limits', async () => {
			const models = await clientOf(server.url).listModels(new AbortController().signal);
			assert.ok(Array.isArray(models));
			const sonnet = models.find(({ id }) => id === 'claude-sonnet-5-5');
			assert.deepEqual(sonnet, {
				id: 'claude-sonnet-5-5',
				displayName: 'claude-sonnet-5-5',
				maxInputTokens: 1_000_000,
				maxTokens: 128_000,
			});
		});

		test('a wrong key and a server without a list are failures', async () => {
			await server.close();
			server = await startMockServer([], { keys: ['right'] });
			const failure = await clientOf(server.url).listModels(new AbortController().signal);
			assert.ok('kind' in failure && failure.kind === 'authentication');
			const none = await clientOf(`${server.url}/elsewhere`).listModels(new AbortController().signal);
			assert.ok('kind' in none && none.kind === 'not_found');
		});
	});
});
