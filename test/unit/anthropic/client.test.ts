// The client against real sockets: what it sends, what it makes of each kind of answer, and when it gives up.
import assert from 'node:assert/strict';
import {
	answer,
	drop,
	errorEvent,
	gate,
	interleaved,
	odd,
	pace,
	rawSse,
	redactedThinking,
	stall,
	startMockServer,
	text,
	thinking,
	toolUse,
	turn,
	verbatim,
	type MockServer,
	type Step,
} from '../../support/mockServer.ts';
import { clientOf, failureOf, key, outcomeOf, request, signalsOf } from './helpers.ts';

suite('anthropic client', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());
	const script = (...steps: Step[]) => server.setScript(steps);

	suite('what is sent', () => {
		test('a valid body, cache marks on the last tool and the last system text, one Bearer key', async () => {
			script(answer('Hello'));
			const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } });
			const { message, failure } = await outcomeOf(clientOf(server.url), { tools: [tool('Read'), tool('Grep')] });
			assert.equal(failure, undefined);
			assert.deepEqual(message.content, [{ type: 'text', text: 'Hello' }]);
			assert.deepEqual(server.violations, []);
			const [sent] = server.requests;
			const cache_control = { type: 'ephemeral' };
			assert.deepEqual(sent?.body, {
				model: 'claude-sonnet-5-5',
				max_tokens: 1000,
				tools: [
					{ name: 'Read', description: 'Read', input_schema: { type: 'object', properties: {} } },
					{ name: 'Grep', description: 'Grep', input_schema: { type: 'object', properties: {} }, cache_control },
				],
				system: [
					{ type: 'text', text: 'You are a test.' },
					{ type: 'text', text: 'The folder is /x.', cache_control },
				],
				messages: request.messages,
				thinking: { type: 'adaptive', display: 'summarized' },
				stream: true,
			});
			assert.equal(sent.headers.authorization, `Bearer ${key}`);
			assert.equal(sent.headers['x-api-key'], undefined);
			assert.equal(sent.headers['anthropic-version'], '2023-06-01');
			assert.equal(sent.headers['user-agent'], 'Loopwright/0.0.0');
			assert.equal(sent.headers['traceparent'], undefined);
		});

		test('thinking by the model: budget, off, none', async () => {
			script(answer('a'), answer('b'), answer('c'), answer('d'));
			const client = clientOf(server.url);
			await outcomeOf(client, { model: 'claude-haiku-4-5-20251001', maxTokens: 64_000 });
			await outcomeOf(client, { model: 'claude-sonnet-5', thinking: 'off' });
			await outcomeOf(client, { model: 'claude-sonnet-5-5', thinking: 'off' });
			await outcomeOf(client, { model: 'claude-haiku-4-5-20251001', maxTokens: 1500 });
			assert.deepEqual(server.violations, []);
			assert.deepEqual(
				server.requests.map((sent) => sent.body['thinking']),
				[{ type: 'enabled', budget_tokens: 16_000 }, { type: 'disabled' }, undefined, undefined],
			);
		});

		test('max_tokens never exceeds what the model can', async () => {
			script(answer('a'));
			await outcomeOf(clientOf(server.url), { maxTokens: 10_000_000 });
			assert.equal(server.requests[0]?.body['max_tokens'], 128_000);
		});

		test('nothing of the environment goes to the server', async () => {
			const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'];
			const before = names.map((name) => process.env[name]);
			process.env['ANTHROPIC_API_KEY'] = 'sk-ant-ambient';
			process.env['ANTHROPIC_AUTH_TOKEN'] = 'ambient-token';
			process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:9';
			process.env['ANTHROPIC_CUSTOM_HEADERS'] = 'X-Secret: ambient\nAuthorization: Bearer ambient\nUser-Agent: other';
			try {
				script(answer('a'), answer('b'));
				await outcomeOf(clientOf(server.url));
				await outcomeOf(clientOf(server.url, { apiKey: '' }));
			} finally {
				for (const [index, name] of names.entries()) {
					if (before[index] === undefined) delete process.env[name];
					else process.env[name] = before[index];
				}
			}
			assert.equal(server.requests.length, 2);
			assert.ok(!JSON.stringify(server.requests.map(({ headers }) => headers)).includes('ambient'));
			assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
			assert.equal(server.requests[1]?.headers.authorization, 'Bearer none');
			assert.equal(server.requests[1]?.headers['user-agent'], 'Loopwright/0.0.0');
		});

		test('a base URL that ends in /v1 or /v1/messages works, a token wins over a key', async () => {
			script(answer('a'), answer('b'));
			assert.equal(await failureOf(clientOf(`${server.url}/v1/`)), undefined);
			assert.equal(await failureOf(clientOf(`${server.url}/v1/messages`, { authToken: 'tok-12345' })), undefined);
			assert.equal(server.requests[1]?.headers.authorization, 'Bearer tok-12345');
		});
	});

	suite('streams', () => {
		const call = { file_path: 'a.ts', note: '漢字 "quoted" \u{1f600}' };
		const rich = [thinking('Let me see.'), text('Ready: 漢字 ', 'and more'), toolUse('Read', call)] as const;

		for (const chunkBytes of [1, 2, 3, 7, 4096]) {
			test(`an answer in chunks of ${chunkBytes} bytes`, async () => {
				script(turn(...rich, pace({ chunkBytes })));
				const { message, failure } = await outcomeOf(clientOf(server.url));
				assert.equal(failure, undefined);
				assert.equal(message.complete, true);
				assert.equal(message.stopReason, 'tool_use');
				const [think, said, use] = message.content;
				assert.equal(think?.type === 'thinking' && think.thinking, 'Let me see.');
				assert.ok(think?.type === 'thinking' && think.signature.length > 0);
				assert.deepEqual(said, { type: 'text', text: 'Ready: 漢字 and more' });
				assert.deepEqual(use?.type === 'tool_use' && use.input, call);
			});
		}

		test('data lines only, no ping, [DONE], missing usage, unknown events', async () => {
			const oddities = [odd.dataLinesOnly, odd.noPing, odd.bareDone, odd.namedDone, odd.usageNull, odd.usageAbsent];
			script(...oddities.map((part) => turn(...rich, part)));
			for (const _ of oddities) {
				const { message, failure } = await outcomeOf(clientOf(server.url));
				assert.equal(failure, undefined);
				assert.equal(message.complete, true);
				assert.equal(message.content.length, 3);
			}
		});

		test('a last record without its blank line still ends the answer', async () => {
			script(
				rawSse(
					'data: {"type":"message_start","message":{"id":"m"}}\n\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"all"}}\n\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_stop\ndata: {"type":"message_stop"}',
				),
			);
			const { message, failure } = await outcomeOf(clientOf(server.url));
			assert.equal(failure, undefined);
			assert.deepEqual(message.content, [{ type: 'text', text: 'all' }]);
		});

		test('no message_stop is a dropped answer; what was finished is kept', async () => {
			script(turn(text('kept'), odd.noMessageStop));
			const { message, failure } = await outcomeOf(clientOf(server.url));
			assert.equal(failure?.kind, 'dropped');
			assert.deepEqual(message.content, [{ type: 'text', text: 'kept' }]);
			assert.equal(message.complete, false);
		});

		test('a connection that stays open after message_stop does not hold the answer', async () => {
			script(turn(text('done'), odd.openEnd));
			const { message, failure } = await outcomeOf(clientOf(server.url));
			assert.equal(failure, undefined);
			assert.equal(message.complete, true);
		});

		test('interleaved blocks, redacted thinking and unknown blocks', async () => {
			script(
				turn(
					redactedThinking('AAAA'),
					interleaved(text('one', ' two'), toolUse('Read', { file_path: 'b' })),
					verbatim({ type: 'brand_new', payload: { x: 1 } }),
				),
			);
			const { message } = await outcomeOf(clientOf(server.url));
			assert.deepEqual(
				message.content.map(({ type }) => type),
				['redacted_thinking', 'text', 'tool_use', 'opaque'],
			);
		});

		test('a tool call that was cut is never given out', async () => {
			const long = { file_path: 'a', content: 'x'.repeat(200) };
			script(turn(text('I write.'), toolUse('Write', long), drop({ afterEvents: 9 })));
			const { message, failure, cutToolUse } = await outcomeOf(clientOf(server.url));
			assert.equal(failure?.kind, 'dropped');
			assert.equal(cutToolUse, true);
			assert.deepEqual(message.content, [{ type: 'text', text: 'I write.' }]);
		});

		test('the socket reset in mid-stream is dropped', async () => {
			script(turn(text('one two three four five six seven eight'), drop({ afterEvents: 4 })));
			const { failure } = await outcomeOf(clientOf(server.url));
			assert.equal(failure?.kind, 'dropped');
		});

		test('an error event in mid-stream is told by its type', async () => {
			script(turn(text('half'), errorEvent('overloaded_error')), turn(errorEvent('rate_limit_error', 'slow down')));
			const first = await outcomeOf(clientOf(server.url));
			assert.equal(first.failure?.kind, 'overloaded');
			assert.equal(first.failure.status, undefined);
			assert.match(first.failure.requestId ?? '', /^req_/);
			assert.equal((await failureOf(clientOf(server.url)))?.kind, 'rate_limited');
		});
	});

	suite('silence', () => {
		test('no bytes: stalled', async () => {
			script(turn(text('some words come'), stall({ after: 4 })));
			const { failure, message } = await outcomeOf(clientOf(server.url, { byteTimeoutMs: 80 }));
			assert.equal(failure?.kind, 'stalled');
			assert.match(failure.message, /No bytes/);
			assert.equal(message.complete, false);
		});

		test('pings only: stalled, since a ping is no progress', async () => {
			script(turn(text('some words come'), stall({ after: 4, pings: 10 })));
			const { failure } = await outcomeOf(clientOf(server.url, { idleTimeoutMs: 120 }));
			assert.equal(failure?.kind, 'stalled');
			assert.match(failure.message, /No events/);
		});

		test('pings while the model thinks: no stall', async () => {
			const hold = gate();
			script(turn(thinking(['deep ', hold, 'thought']), text('done'), stall({ after: 900 })));
			const running = outcomeOf(clientOf(server.url, { idleTimeoutMs: 300, byteTimeoutMs: 4000 }));
			await hold.reached;
			// Longer than the limit for events, shorter than the one for bytes.
			await new Promise((resolve) => setTimeout(resolve, 500));
			hold.open();
			assert.equal((await running).failure, undefined);
		});

		test('no headers: stalled', async () => {
			script(turn(text('never'), stall({ at: 'headers' })));
			const failure = await failureOf(clientOf(server.url, { idleTimeoutMs: 80, byteTimeoutMs: 60 }));
			assert.equal(failure?.kind, 'stalled');
		});

		test('a consumer that takes its time is no stall', async () => {
			script(turn(text('a', 'b', 'c', 'd')));
			const client = clientOf(server.url, { idleTimeoutMs: 300, byteTimeoutMs: 300 });
			let count = 0;
			for await (const item of client.stream(request, new AbortController().signal)) {
				assert.equal(item.kind, 'event');
				if (count++ === 2) await new Promise((resolve) => setTimeout(resolve, 500));
			}
			assert.ok(count > 4);
		});
	});

	suite('stop', () => {
		test('before: nothing is sent', async () => {
			const signals = await signalsOf(clientOf(server.url), {}, AbortSignal.abort());
			assert.deepEqual(signals, []);
			assert.equal(server.requests.length, 0);
		});

		test('before the headers, and in mid-stream: ends silently, and the server notices', async () => {
			for (const hold of [gate({ at: 'headers' }), gate()]) {
				server.reset();
				script(turn(text('some ', hold, 'text')));
				const controller = new AbortController();
				const running = signalsOf(clientOf(server.url), {}, controller.signal);
				await hold.reached;
				controller.abort();
				const signals = await running;
				assert.ok(signals.every(({ kind }) => kind === 'event'));
				assert.equal(await server.requests[0]?.over, 'aborted');
			}
		});

		test('a consumer that leaves ends the request', async () => {
			script(turn(text('some ', gate(), 'text')));
			for await (const item of clientOf(server.url).stream(request, new AbortController().signal)) {
				assert.equal(item.kind, 'event');
				break;
			}
			assert.equal(await server.requests[0]?.over, 'aborted');
		});
	});
});
