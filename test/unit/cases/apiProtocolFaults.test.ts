// The cases "API protocol" B11 and B12: a service that is overloaded, limited or silent, through the real engine and client.
import assert from 'node:assert/strict';
import type { LoopEvent } from '../../../src/core/loop/events.ts';
import { createAnthropicClient } from '../../../src/node/anthropic/client.ts';
import type { ConversationOptions, TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { fastClock } from '../../support/fastClock.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import {
	answer,
	fail,
	messagesOf,
	stall,
	startMockServer,
	text,
	toolResults,
	toolUse,
	turn,
} from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`Look did ${id}`)) });

suite('cases: API protocol, overload and silence', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());
	const steps = (...script: Step[]) => server.setScript(script);
	const start = (options: Partial<ConversationOptions> = {}): TestConversation =>
		startConversation({ url: server.url, ...options });
	const last = () => server.requests.at(-1) ?? assert.fail('no request');
	const valid = () => assert.deepEqual(server.violations, []);

	suite('B11 overload and limits', () => {
		const waitsOf = (events: readonly LoopEvent[]) =>
			events.flatMap((event) => (event.type === 'retry_wait' ? [event.delayMs] : []));

		test('B11 529 twelve times: back-off with jitter, one layer, then an error that leaves a valid conversation', async () => {
			const { clock, waits } = fastClock();
			steps(
				turn(toolUse('Look', { id: 'a' })),
				...Array.from({ length: 11 }, () => fail(529, 'overloaded_error')),
				answer('ok'),
			);
			const { conversation } = start({ tools: [look], ports: { clock } });
			const { events, terminal } = await finish(conversation.submitMessage('one'));
			assert.equal(terminal.reason, 'model_error');
			assert.equal(server.requests.length, 12, 'one request and eleven attempts');
			const told = waitsOf(events);
			assert.deepEqual(told, waits);
			assert.equal(told.length, 10);
			told.forEach((wait, index) => {
				const most = Math.min(500 * 2 ** index, 32_000);
				assert.ok(wait <= most && wait >= most * 0.75, `wait ${index}: ${wait}`);
			});
			const next = await finish(conversation.submitMessage('go on'));
			assert.equal(next.terminal.reason, 'completed');
			assert.equal(toolResults(last())[0]?.text, 'Look did a');
			valid();
		});

		test('B11 retry-after is honoured', async () => {
			const { clock, waits } = fastClock();
			steps(fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }), answer('ok'));
			const { conversation } = start({ ports: { clock } });
			const { events } = await finish(conversation.submitMessage('one'));
			assert.deepEqual(waits, [7000]);
			assert.deepEqual(waitsOf(events), [7000]);
		});

		test('B11 a stop during the wait works at once', async () => {
			steps(fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '50' }), answer('ok'));
			const { conversation } = start();
			const exchange = conversation.submitMessage('one');
			const began = Date.now();
			let step = await exchange.next();
			for (; !step.done; step = await exchange.next()) {
				if (step.value.type === 'retry_wait') void conversation.stop('stop');
			}
			assert.equal(step.value.reason, 'aborted_streaming');
			assert.ok(Date.now() - began < 5000);
			await finish(conversation.submitMessage('go on'));
			valid();
		});
	});

	suite('B12 a stream that says nothing more', () => {
		const impatient = () =>
			createAnthropicClient({
				apiKey: 'key-of-the-tests',
				baseUrl: server.url,
				idleTimeoutMs: 150,
				byteTimeoutMs: 150,
				version: 'test',
			});

		for (const [name, silence] of [
			['only pings', () => stall({ after: 5, pings: true })],
			['nothing at all', () => stall({ after: 5 })],
		] as const) {
			test(`B12 ${name}: the attempt ends and is made again`, async () => {
				steps(turn(text('one ', 'two ', 'three'), silence()), answer('whole'));
				const { conversation } = start({ ports: { client: impatient(), clock: fastClock().clock } });
				const { events, terminal } = await finish(conversation.submitMessage('one'));
				assert.equal(terminal.reason, 'completed');
				assert.ok(events.some((event) => event.type === 'retry_wait' && event.failure.kind === 'stalled'));
				assert.ok(!events.some(({ type }) => type === 'model_error'));
				valid();
			});

			test(`B12 ${name}: a stop works at once, and the text is kept`, async () => {
				steps(turn(text('one ', 'two ', 'three'), silence()), answer('ok'));
				const { conversation } = start();
				const running = conversation.submitMessage('one');
				let heard = '';
				let step = await running.next();
				for (; !step.done; step = await running.next()) {
					if (step.value.type !== 'block_delta') continue;
					heard += step.value.text;
					if (heard.includes('two')) void conversation.stop('stop');
				}
				assert.equal(step.value.reason, 'aborted_streaming');
				await finish(conversation.submitMessage('go on'));
				assert.match(JSON.stringify(messagesOf(last())), /one two/);
				valid();
			});
		}
	});
});
