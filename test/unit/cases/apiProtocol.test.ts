// The cases under "API protocol" of the collection of faults, each through the real engine and client against the mock service. The kinds
// of fault behind them are searched by the simulator; here each has its own small input.
import assert from 'node:assert/strict';
import type { ConversationOptions, TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { fastClock } from '../../support/fastClock.ts';
import type { MockRequest, MockServer, Step } from '../../support/mockServer.ts';
import {
	answer,
	drop,
	fail,
	gate,
	messagesOf,
	startMockServer,
	stop,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
	verbatim,
} from '../../support/mockServer.ts';

/** A tool that counts what it did; `Bash` says something before it is stopped. */
function counted(name: string, safe: boolean, output?: string) {
	const runs: string[] = [];
	const tool = fakeTool({
		name,
		safe,
		run: ({ id }) => {
			runs.push(id);
			return Promise.resolve(said(output ?? `${name} did ${id}`));
		},
	});
	return { tool, runs };
}

/** A command that writes something and then runs until it is stopped. */
function endless(asks = false) {
	const started = bell();
	const tool = fakeTool({
		name: 'Bash',
		asks,
		run: async (_input, { signal }) => {
			started.ring();
			await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
			return said('partial output');
		},
	});
	return { tool, started: started.rung };
}

function bell(): { rung: Promise<void>; ring: () => void } {
	let ring: () => void = () => {};
	const rung = new Promise<void>((resolve) => (ring = resolve));
	return { rung, ring: () => ring() };
}

suite('cases: API protocol', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());
	const steps = (...script: Step[]) => server.setScript(script);
	const start = (options: Partial<ConversationOptions> = {}): TestConversation =>
		startConversation({ url: server.url, ...options });
	const request = (index: number): MockRequest => server.requests[index] ?? assert.fail(`no request ${index}`);
	const last = () => request(server.requests.length - 1);
	const valid = () => assert.deepEqual(server.violations, []);
	const types = (message: { content: readonly Record<string, unknown>[] } | undefined) =>
		message?.content.map((block) => String(block['type']));

	suite('B01 a stop never leaves a call without its result', () => {
		const read = () => counted('Read', true, 'text of a.txt');
		const both = () => turn(toolUse('Read', { id: 'a.txt' }, 'T1'), toolUse('Bash', { id: 'sleep 30' }, 'T2'));

		/** Stops once the answer is whole and the second call has come so far; returns how the exchange ended. */
		async function stopAfterAnswer(
			conversation: TestConversation['conversation'],
			soFar: Promise<void>,
		): Promise<string> {
			const exchange = conversation.submitMessage('do it');
			let step = await exchange.next();
			for (; !step.done; step = await exchange.next()) {
				if (step.value.type === 'answer_end') void soFar.then(() => conversation.stop('stop'));
			}
			return step.value.reason;
		}

		async function goOn(conversation: TestConversation['conversation']): Promise<void> {
			await finish(conversation.submitMessage('go on'));
			const messages = messagesOf(last());
			const results = messages.at(-1);
			assert.deepEqual(
				types(messages.at(-2))?.filter((type) => type === 'tool_use'),
				['tool_use', 'tool_use'],
			);
			assert.deepEqual(
				results?.content.slice(0, 2).map((block) => block['tool_use_id']),
				['T1', 'T2'],
			);
			assert.ok(
				types(results)
					?.slice(2)
					.every((type) => type === 'text'),
			);
			assert.equal(results?.content.at(-1)?.['text'], 'go on');
			valid();
		}

		test('B01 while T2 runs: T1 is real, T2 is interrupted with what it had written', async () => {
			const { tool, started } = endless();
			steps(both(), answer('ok'));
			const { conversation } = start({ tools: [read().tool, tool] });
			assert.equal(await stopAfterAnswer(conversation, started), 'aborted_tools');
			await goOn(conversation);
			const [first, second] = toolResults(last());
			assert.deepEqual([first?.text, first?.isError], ['text of a.txt', false]);
			assert.equal(second?.isError, true);
			assert.match(second?.text ?? '', /Interrupted by user[\s\S]*partial output/);
		});

		test('B01 before T1 starts', async () => {
			const { tool } = endless();
			steps(both(), answer('ok'));
			const { tool: reader, runs } = read();
			const { conversation } = start({ tools: [reader, tool] });
			const exchange = conversation.submitMessage('do it');
			for (let step = await exchange.next(); !step.done; step = await exchange.next()) {
				if (step.value.type === 'block_start') void conversation.stop('stop');
			}
			assert.deepEqual(runs, []);
			await finish(conversation.submitMessage('go on'));
			valid();
		});

		test('B01 while a permission prompt is open', async () => {
			const asked = bell();
			const { tool } = endless(true);
			steps(both(), answer('ok'));
			const { conversation } = start({
				tools: [read().tool, tool],
				interaction: {
					requestPermission: async (_request, signal) => {
						asked.ring();
						await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
						return { behavior: 'deny', stopped: true };
					},
				},
			});
			assert.equal(await stopAfterAnswer(conversation, asked.rung), 'aborted_tools');
			await goOn(conversation);
			assert.match(toolResults(last())[1]?.text ?? '', /Interrupted by user/);
		});
	});

	suite('B03 a call that comes twice is sent once and runs once', () => {
		const whole = () => toolUse('Write', { id: 'b.txt' }, 't1');

		test('B03 the socket drops after the call: it is kept, and its repetition is none', async () => {
			const { tool, runs } = counted('Write', false);
			steps(turn(whole(), drop()), turn(whole()), answer('done'));
			const { conversation } = start({ tools: [tool] });
			const { terminal } = await finish(conversation.submitMessage('write it'));
			assert.equal(terminal.reason, 'completed');
			assert.deepEqual(runs, ['b.txt']);
			for (const { content } of server.requests.slice(1).map((sent) => ({ content: messagesOf(sent) }))) {
				const ids = content.flatMap((message) => message.content.flatMap((block) => block['id'] ?? []));
				assert.deepEqual(ids, ['t1']);
			}
			valid();
		});

		test('B03 the socket drops before the call is whole: the attempt is replaced, not appended to', async () => {
			const { tool, runs } = counted('Write', false);
			steps(turn(whole(), drop({ afterEvents: 3 })), turn(whole()), answer('done'));
			const { conversation } = start({ tools: [tool], ports: { clock: fastClock().clock } });
			await finish(conversation.submitMessage('write it'));
			assert.deepEqual(runs, ['b.txt']);
			assert.equal(toolResults(last()).length, 1);
			assert.deepEqual(
				messagesOf(last()).map(({ role }) => role),
				['user', 'assistant', 'user'],
			);
			valid();
		});

		test('B03 the same id in one answer, and again in a later one with another input', async () => {
			const { tool, runs } = counted('Write', false);
			steps(turn(whole(), whole()), turn(toolUse('Write', { id: 'c.txt' }, 't1')), answer('done'));
			const { conversation } = start({ tools: [tool] });
			await finish(conversation.submitMessage('write it'));
			assert.deepEqual(runs, ['b.txt', 'c.txt']);
			valid();
		});
	});

	test('B04 blank text and empty output are never sent', async () => {
		const { tool } = counted('Bash', false, '');
		steps(turn(text('\n\n'), toolUse('Bash', { id: 'true' })), turn(text('  ')), answer('ok'), answer('ok'));
		const { conversation } = start({
			tools: [tool],
			ports: { attachmentSources: [() => Promise.resolve([' '])] },
		});
		await finish(conversation.submitMessage('run true'));
		await finish(conversation.submitMessage('and now?'));
		assert.equal(toolResults(request(1))[0]?.text, '(no output)');
		for (const sent of server.requests) {
			for (const { content } of messagesOf(sent)) {
				assert.ok(content.length > 0);
				for (const block of content) assert.ok(block['type'] !== 'text' || String(block['text']).trim() !== '');
			}
		}
		valid();
	});

	test('B06 four cache marks at most, whatever is stored, and none in the transcript', async () => {
		const { tool } = counted('Look', true);
		const mark = { cache_control: { type: 'ephemeral' } };
		steps(
			turn(
				verbatim({ type: 'text', text: 'marked', ...mark }),
				verbatim({ type: 'tool_use', id: 'm1', name: 'Look', input: { id: 'a' }, ...mark }),
			),
			...Array.from({ length: 6 }, () => answer('ok')),
		);
		const options = { tools: [tool], settings: { appendSystemPrompt: 'A second block.' } };
		const first = start(options);
		await finish(first.conversation.submitMessage('one'));
		const resumed = start({ ...options, transcript: first.entries });
		for (const prompt of ['two', 'three', 'four']) await finish(resumed.conversation.submitMessage(prompt));
		for (const sent of server.requests) {
			const marks = JSON.stringify(sent.body).split('"cache_control"').length - 1;
			assert.ok(marks >= 3 && marks <= 4, `${marks} marks`);
		}
		valid();
	});

	suite('B07 thinking', () => {
		const thought = () => turn(thinking('where to look'), toolUse('Look', { id: 'a' }, 't1'));
		const thinkingOf = (sent: MockRequest) =>
			messagesOf(sent).flatMap(({ content }) => content.filter((block) => block['type'] === 'thinking'));

		test('B07 (a) signed blocks come back byte for byte, also after a resume', async () => {
			const { tool } = counted('Look', true);
			steps(thought(), answer('ok'), answer('ok'));
			const { conversation, entries } = start({ tools: [tool] });
			await finish(conversation.submitMessage('one'));
			const before = thinkingOf(request(1));
			assert.equal(before.length, 1);
			const stored = JSON.parse(JSON.stringify(entries)) as typeof entries;
			const resumed = start({ tools: [tool], transcript: stored });
			await finish(resumed.conversation.submitMessage('two'));
			assert.equal(JSON.stringify(thinkingOf(last())), JSON.stringify(before));
			valid();
		});

		test('B07 (b) thinking that was stopped before its signature is not sent', async () => {
			const hold = gate();
			steps(turn(thinking(['half a thought', hold, ' and more'])), answer('ok'));
			const { conversation } = start();
			const running = finish(conversation.submitMessage('one'));
			await hold.reached;
			await conversation.stop('stop');
			await running;
			await finish(conversation.submitMessage('two'));
			assert.deepEqual(thinkingOf(last()), []);
			hold.open();
			valid();
		});

		test('B07 (c) another model: its predecessor’s thinking is left out, and the session goes on', async () => {
			const { tool } = counted('Look', true);
			let model = 'claude-sonnet-5';
			steps(thought(), answer('ok'), answer('ok'));
			const base = { model, thinking: 'auto', maxConcurrency: 10, bashErrorCancelsSiblings: true } as const;
			const lists = { streamingTools: true, allow: [], ask: [], deny: [] };
			const { conversation } = start({
				tools: [tool],
				overrides: { settings: () => ({ ...base, ...lists, model }) },
			});
			await finish(conversation.submitMessage('one'));
			model = 'claude-opus-5';
			await finish(conversation.submitMessage('two'));
			assert.equal(last().body['model'], 'claude-opus-5');
			assert.deepEqual(thinkingOf(last()), []);
			valid();
		});

		test('B07 (c) a refused signature: all thinking is left out once, and nothing is shown', async () => {
			const { tool } = counted('Look', true);
			steps(
				thought(),
				answer('ok'),
				fail(400, 'invalid_request_error', 'messages.1.content.0: Invalid `signature` in `thinking` block'),
				answer('fine'),
			);
			const { conversation } = start({ tools: [tool] });
			await finish(conversation.submitMessage('one'));
			const { events, terminal } = await finish(conversation.submitMessage('two'));
			assert.equal(terminal.reason, 'completed');
			assert.deepEqual(thinkingOf(last()), []);
			assert.ok(!events.some(({ type }) => type === 'model_error'));
		});
	});

	test('B09 a Write that was cut is never executed; after some identical cuts the turn stops with a message', async () => {
		const { tool, runs } = counted('Write', false);
		const half = '{"file_path":"big.md","content":"line1\\nli';
		server.setScript(() => turn(toolUse('Write', {}, { json: [half] }), stop('max_tokens')));
		const { conversation } = start({ tools: [tool] });
		const { events, terminal } = await finish(conversation.submitMessage('write big.md'));
		assert.deepEqual(runs, []);
		assert.ok(['model_error', 'malformed_tool_use_exhausted'].includes(terminal.reason), terminal.reason);
		assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
		const told = server.requests.slice(1).map((sent) => JSON.stringify(messagesOf(sent).at(-1)));
		assert.ok(
			told.some((words) => /smaller|cut/i.test(words)),
			told.join('\n'),
		);
		assert.ok(events.some(({ type }) => type === 'model_error') || terminal.reason !== 'model_error');
		server.setScript([answer('ok')]);
		await finish(conversation.submitMessage('go on'));
		valid();
	});
});
