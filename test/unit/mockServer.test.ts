// The mock server, read by the real SDK: answers, faults, odd streams, refusals.
import assert from 'node:assert/strict';
import { APIError } from '@anthropic-ai/sdk';
import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages/messages';
import {
	answer,
	at,
	cut,
	delay,
	drop,
	errorEvent,
	event,
	fail,
	gate,
	headers,
	html,
	interleaved,
	lastUserText,
	messagesOf,
	odd,
	pace,
	rawSse,
	stall,
	startMockServer,
	stop,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
	unsignedThinking,
	usage,
	verbatim,
	type MockServer,
	type Step,
} from '../support/mockServer.ts';
import { readStream, requestBody, sdkClient, textOf, type ReadStream } from '../support/mock/sdkClient.ts';

suite('mock server', () => {
	let server: MockServer;
	let client: ReturnType<typeof sdkClient>;
	suiteSetup(async () => {
		server = await startMockServer();
		client = sdkClient(server.url);
	});
	setup(() => server.reset());
	suiteTeardown(() => server.close());

	const read = (...steps: Step[]): Promise<ReadStream> => {
		server.setScript(steps);
		return readStream(client);
	};
	const types = ({ events }: ReadStream): string[] => events.map((one) => one.type);

	test('streams thinking, text and a tool call that the SDK reassembles', async () => {
		server.setScript([turn(thinking('let me look'), '你好，看一下', toolUse('Read', { file_path: 'src/a.ts' }))]);
		const { stream: _stream, ...body } = requestBody();
		const message = await client.messages.stream(body).finalMessage();
		assert.deepEqual(
			message.content.map((block) => block.type),
			['thinking', 'text', 'tool_use'],
		);
		assert.equal(message.content[1]?.type === 'text' && message.content[1].text, '你好，看一下');
		assert.deepEqual(message.content[2]?.type === 'tool_use' && message.content[2].input, { file_path: 'src/a.ts' });
		assert.equal(message.stop_reason, 'tool_use');
		assert.ok(message.usage.output_tokens > 1);
		assert.deepEqual(server.violations, []);
	});

	test('a whole tool round is accepted, and the helpers read it', async () => {
		server.setScript([turn(thinking('hm'), toolUse('Read', { file_path: 'a' })), answer('done')]);
		const user = { role: 'user', content: 'look' } as const;
		const { stream: _stream, ...body } = requestBody({ messages: [user] });
		const first = await client.messages.stream(body).finalMessage();
		const call = first.content.find((block) => block.type === 'tool_use');
		const result = { type: 'tool_result', tool_use_id: call?.id ?? '', content: '1\tx', is_error: true } as const;
		const content = first.content as ContentBlockParam[];
		const messages: MessageParam[] = [user, { role: 'assistant', content }, { role: 'user', content: [result] }];
		const second = await readStream(client, requestBody({ messages }));
		assert.equal(textOf(second.events), 'done');
		assert.deepEqual(server.violations, []);
		const request = server.requests[1]!;
		assert.equal(messagesOf(request).length, 3);
		assert.equal(lastUserText(request), 'look');
		const [given] = toolResults(request);
		assert.deepEqual(
			[given?.name, given?.input, given?.text, given?.isError],
			['Read', { file_path: 'a' }, '1\tx', true],
		);
	});

	test('a function of the request chooses the step', async () => {
		server.setScript((request, index) => answer(`${index}: ${lastUserText(request)}`));
		assert.equal(textOf((await readStream(client)).events), '0: hello');
		assert.equal(textOf((await readStream(client)).events), '1: hello');
	});

	test('without stream the answer is JSON', async () => {
		server.setScript([turn('plain', toolUse('Glob', { pattern: '*' }))]);
		const message = await client.messages.create({ ...requestBody(), stream: false });
		assert.equal(message.content.length, 2);
		assert.equal(message.stop_reason, 'tool_use');
	});

	test('a script that runs out answers 500, names the missing step, and counts as a violation', async () => {
		const { error } = await read();
		assert.ok(error instanceof APIError && error.status === 500);
		assert.match(error.message, /script of 0 steps has no step for request 1 .*hello/);
		assert.equal(server.violations.length, 1);
	});

	test('odd chunk sizes cut characters and line ends and change nothing', async () => {
		for (const chunkBytes of [1, 2, 3, 7, 64]) {
			const { events } = await read(turn('检查登录模块 🙂', pace({ chunkBytes })));
			assert.equal(textOf(events), '检查登录模块 🙂');
			assert.equal(events.at(-1)?.type, 'message_stop');
		}
	});

	test('a gate holds the stream between blocks and inside one until it is opened', async () => {
		const [inside, between] = [gate(), gate()];
		server.setScript([turn(text('a', inside, 'b'), between, text('c'))]);
		const seen: string[] = [];
		const reading = (async () => {
			for await (const one of await client.messages.create(requestBody())) {
				if (one.type === 'content_block_delta' && one.delta.type === 'text_delta') seen.push(one.delta.text);
			}
		})();
		await inside.reached;
		assert.ok(seen.join('').length <= 1);
		inside.open();
		await between.reached;
		assert.ok(!seen.includes('c'));
		between.open();
		await reading;
		assert.deepEqual(seen, ['a', 'b', 'c']);
	});

	test('a gate before the headers holds the response', async () => {
		const headers = gate({ at: 'headers' });
		server.setScript([turn(headers, 'late')]);
		const pending = readStream(client);
		await headers.reached;
		headers.open();
		assert.equal(textOf((await pending).events), 'late');
	});

	test('delay waits', async () => {
		const start = performance.now();
		await read(turn('a', delay(30), 'b'));
		assert.ok(performance.now() - start >= 29);
	});

	test('errors have their status, type, request id and headers', async () => {
		const { error } = await read(fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }));
		assert.ok(error instanceof APIError);
		assert.deepEqual([error.status, error.type, error.headers?.get('retry-after')], [429, 'rate_limit_error', '7']);
		assert.match(String(error.requestID), /^req_/);
		const overloaded = (await read(fail(529, 'overloaded_error'))).error;
		assert.ok(overloaded instanceof APIError && overloaded.status === 529 && /Overloaded/.test(overloaded.message));
	});

	test('an error event ends the stream without a status', async () => {
		const result = await read(turn('half', errorEvent('overloaded_error')));
		assert.ok(result.error instanceof APIError);
		assert.deepEqual([result.error.status, result.error.type], [undefined, 'overloaded_error']);
		assert.equal(textOf(result.events), 'half');
	});

	test('drops: a clean end gives no error, a close or reset does', async () => {
		const ended = await read(turn('abc', drop({ afterEvents: 4, how: 'end' }), 'more'));
		assert.equal(ended.error, undefined);
		assert.deepEqual(types(ended), ['message_start', 'content_block_start', 'content_block_delta']);
		for (const how of ['reset', 'close'] as const) {
			const cutOff = await read(turn('abc', drop({ how }), 'more'));
			assert.ok(cutOff.error instanceof TypeError, how);
			assert.equal(textOf(cutOff.events), 'abc');
		}
		assert.ok((await read(turn('abc', drop({ at: 'headers' })))).error instanceof Error);
	});

	test('a drop after bytes cuts exactly there', async () => {
		server.setScript([turn('abc', drop({ afterBytes: 100, how: 'end' }))]);
		const response = await fetch(`${server.url}/v1/messages`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
			body: JSON.stringify(requestBody()),
		});
		assert.equal((await response.arrayBuffer()).byteLength, 100);
	});

	test('a stall says nothing more, and ends when the client leaves', async () => {
		server.setScript([turn('abc', stall({ pings: 5 }))]);
		const controller = new AbortController();
		const stream = await client.messages.create(requestBody(), { signal: controller.signal });
		let seen = '';
		for await (const one of stream) {
			seen += textOf([one]);
			if (one.type === 'content_block_stop') controller.abort();
		}
		assert.equal(seen, 'abc');
		assert.equal(await server.requests[0]?.over, 'aborted');
	});

	test('a web page and a raw body are no events', async () => {
		assert.deepEqual(await read(html()), { events: [], error: undefined });
		assert.deepEqual(types(await read(rawSse('event: message_stop\ndata: {"type":"message_stop"}\n\n'))), [
			'message_stop',
		]);
	});

	test('usage and headers can be given', async () => {
		const counts = { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 };
		server.setScript([turn('a', usage(counts), headers({ 'anthropic-ratelimit-requests-remaining': '7' }))]);
		const { data, response } = await client.messages.create({ ...requestBody(), stream: false }).withResponse();
		assert.deepEqual([data.usage.input_tokens, data.usage.cache_read_input_tokens], [3, 5]);
		assert.equal(response.headers.get('anthropic-ratelimit-requests-remaining'), '7');
	});

	test('odd streams reach the client as they are', async () => {
		assert.deepEqual(types(await read(turn('a', odd.dataLinesOnly))), []);
		assert.equal(types(await read(turn('a', odd.noMessageStop))).at(-1), 'message_delta');
		assert.equal(types(await read(turn('a', odd.openEnd))).at(-1), 'message_delta');
		assert.equal((await read(turn('a', odd.bareDone))).error, undefined);
		assert.ok((await read(turn('a', odd.namedDone))).error instanceof SyntaxError);
		const [start] = (await read(turn('a', odd.usageNull))).events;
		assert.equal(start?.type === 'message_start' && start.message.usage, null);
		const absent = await read(turn('a', odd.usageAbsent));
		assert.ok(absent.events.every((one) => !('usage' in one)));
		const delta = (await read(turn('a', stop('odd_reason')))).events.at(-2);
		assert.equal(delta?.type === 'message_delta' && delta.delta.stop_reason, 'odd_reason');
		const cutDelta = (await read(cut(toolUse('Write', { a: 1 }), 'max_tokens'))).events.at(-2);
		assert.equal(cutDelta?.type === 'message_delta' && cutDelta.delta.stop_reason, 'max_tokens');
	});

	test('tool input may come whole in the start, in one delta, nowhere, or as invalid JSON', async () => {
		const input = { file_path: 'a'.repeat(50) };
		const start = await read(turn(toolUse('Read', input, { inputIn: 'start' })));
		const opened = start.events[1];
		const block = opened?.type === 'content_block_start' && opened.content_block;
		assert.deepEqual(block && block.type === 'tool_use' && block.input, input);
		const count = async (step: Step) => types(await read(step)).filter((type) => type === 'content_block_delta').length;
		assert.equal(await count(turn(toolUse('Read', input, { inputIn: 'start' }))), 0);
		assert.equal(await count(turn(toolUse('Read', input, { inputIn: 'one_delta' }))), 1);
		assert.equal(await count(turn(toolUse('Read', input, { inputIn: 'nowhere' }))), 0);
		assert.equal(await count(turn(toolUse('Read', {}, { json: ['{"a":'], inputIn: 'one_delta' }))), 1);
	});

	test('indices may interleave and restart; unknown blocks and events pass; thinking may be unsigned', async () => {
		const mixed = await read(
			turn(interleaved(text('aaaa'), text('bbbb')), at(0, text('again')), event({ type: 'news' })),
		);
		const indices = mixed.events.flatMap((one) => (one.type === 'content_block_start' ? [one.index] : []));
		assert.deepEqual(indices, [0, 1, 0]);
		assert.ok(types(mixed).includes('news'));
		const odds = await read(turn(verbatim({ type: 'future', x: 1 }), unsignedThinking('hm'), 'text'));
		assert.ok(!JSON.stringify(odds.events).includes('signature'));
		assert.ok(JSON.stringify(odds.events).includes('future'));
	});

	test('models are listed and found by id and alias', async () => {
		const ids: string[] = [];
		for await (const model of client.models.list()) ids.push(model.id);
		assert.ok(ids.includes('claude-opus-5-5'));
		const model = await client.models.retrieve('claude-haiku-4-5');
		assert.deepEqual(
			[model.id, model.max_input_tokens, model.max_tokens],
			['claude-haiku-4-5-20251001', 200_000, 64_000],
		);
		const unknown = await client.models.retrieve('nobody').catch((error: unknown) => error);
		assert.ok(unknown instanceof APIError && unknown.status === 404);
	});

	test('tokens are counted, and counting validates', async () => {
		const { model, messages } = requestBody();
		assert.ok((await client.messages.countTokens({ model, messages })).input_tokens > 0);
		const refused = await client.messages.countTokens({ model, messages: [] }).catch((error: unknown) => error);
		assert.ok(refused instanceof APIError && refused.status === 400);
	});

	test('an invalid request is refused, recorded, and takes no step', async () => {
		server.setScript([answer('ok')]);
		const { error } = await readStream(client, requestBody({ messages: [{ role: 'user', content: ' ' }] }));
		assert.ok(error instanceof APIError && error.status === 400);
		assert.equal(server.violations[0]?.message, 'messages: text content blocks must contain non-whitespace text');
		assert.equal(textOf((await readStream(client)).events), 'ok');
	});

	test('keys can be required', async () => {
		const locked = await startMockServer([answer('in')], { keys: ['right'] });
		const refused = (await readStream(sdkClient(locked.url, 'wrong'))).error;
		assert.ok(refused instanceof APIError && refused.status === 401);
		assert.equal(textOf((await readStream(sdkClient(locked.url, 'right'))).events), 'in');
		await locked.close();
	});
});
