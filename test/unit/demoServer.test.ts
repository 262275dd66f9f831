// The demo server, read by the real SDK.
import assert from 'node:assert/strict';
import { APIError } from '@anthropic-ai/sdk';
import { DEMO_MODEL, startDemoServer, type DemoServer } from '../../src/node/demo/server.ts';
import { readStream, requestBody, sdkClient, textOf } from '../support/mock/sdkClient.ts';

suite('demo server', () => {
	let server: DemoServer;
	let client: ReturnType<typeof sdkClient>;
	suiteSetup(async () => {
		server = await startDemoServer({ pauseMs: 0 });
		client = sdkClient(server.url, server.token);
	});
	suiteTeardown(() => server.close());

	const asking = (content: string) => {
		const { stream: _stream, ...body } = requestBody({ model: DEMO_MODEL, messages: [{ role: 'user', content }] });
		return { ...body, tools: [{ name: 'Grep', input_schema: { type: 'object' as const } }] };
	};

	test('streams text in small pieces and a tool call with usage', async () => {
		const { events } = await readStream(client, { ...asking('查找 登录'), stream: true });
		const pieces = events.filter((event) => event.type === 'content_block_delta');
		assert.ok(pieces.length > 10);
		assert.match(textOf(events), /不是 AI[^]*我来搜索 `登录`/);
		const message = await client.messages.stream(asking('查找 登录')).finalMessage();
		assert.deepEqual(
			message.content.map((block) => block.type),
			['text', 'tool_use'],
		);
		assert.deepEqual([message.stop_reason, message.model], ['tool_use', DEMO_MODEL]);
		assert.ok(message.usage.input_tokens > 10 && message.usage.output_tokens > 10);
	});

	test('answers without streaming, counts tokens and lists its model', async () => {
		const message = await client.messages.create(asking('hello'));
		assert.match(message.content[0]?.type === 'text' ? message.content[0].text : '', /no AI/);
		const { max_tokens: _most, ...counted } = asking('hello');
		assert.ok((await client.messages.countTokens(counted)).input_tokens > 5);
		const ids = (await client.models.list()).data.map(({ id }) => id);
		assert.deepEqual(ids, [DEMO_MODEL]);
		assert.equal((await client.models.retrieve(DEMO_MODEL)).max_tokens, 64_000);
	});

	test('other callers get 401', async () => {
		const { error } = await readStream(sdkClient(server.url, 'other'));
		assert.ok(error instanceof APIError && error.status === 401);
		assert.equal((await fetch(`${server.url}/v1/models`)).status, 401);
	});

	test('odd requests get an error answer and the server lives on', async () => {
		const post = (path: string, body: string) =>
			fetch(`${server.url}${path}`, { method: 'POST', body, headers: { authorization: `Bearer ${server.token}` } });
		assert.equal((await post('/v1/messages', '{')).status, 400);
		assert.equal((await post('/v1/messages', '[]')).status, 200);
		assert.equal((await post('/elsewhere', '{}')).status, 404);
		assert.equal((await post('/v1/messages', '{"messages":[{"role":"user","content":7}]}')).status, 200);
	});

	test('a client that leaves in mid-stream does no harm', async () => {
		const slow = await startDemoServer({ pauseMs: 5 });
		const stream = await sdkClient(slow.url, slow.token).messages.create({ ...asking('hello'), stream: true });
		for await (const event of stream) if (event.type === 'content_block_delta') break;
		assert.equal((await sdkClient(slow.url, slow.token).models.list()).data.length, 1);
		await slow.close();
	});
});
