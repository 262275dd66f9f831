// Through the real engine and client: questions beside the conversation use its prefix and no tools; a compaction keeps what
// the person said, mode, todos and permissions; usage is told per model in disjoint buckets.
import assert from 'node:assert/strict';
import { rulesFrom } from '../../../src/core/permissions/rule.ts';
import type { SessionEvent } from '../../../src/core/session/options.ts';
import { todoWriteTool } from '../../../src/core/tools/builtin/todoWrite.ts';
import { modelFacts } from '../../../src/core/model/models.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockRequest, MockServer } from '../../support/mockServer.ts';
import { answer, fail, messagesOf, startMockServer, text, toolUse, turn, usage } from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const signal = new AbortController().signal;

/** Role and block of every message, cache marks left out. */
const blocks = (request: MockRequest | undefined) =>
	messagesOf(request ?? assert.fail()).flatMap(({ role, content }) =>
		content.map(({ cache_control: _mark, ...block }) => JSON.stringify([role, block])),
	);
const headOf = ({ body }: MockRequest) => JSON.stringify([body['model'], body['tools'], body['system']]);

suite('calls of a conversation', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(async () => {
		assert.deepEqual(server.violations, []);
		await server.close();
	});

	test('ask() with the conversation: its prefix to the byte, tools switched off, nothing of it in the conversation', async () => {
		const { conversation, entries } = startConversation({ url: server.url, tools: [look] });
		server.setScript([
			turn(text('I look.'), toolUse('Look', { id: 'a' })),
			answer('done'),
			turn(text('A title'), usage({ input_tokens: 7, output_tokens: 2 })),
			answer('ok'),
		]);
		await finish(conversation.submitMessage('do it'));
		const before = conversation.messages;
		const told: SessionEvent[] = [];
		conversation.onEvent((event) => told.push(event));
		const asked = await conversation.ask('A title for this?', { signal, withConversation: true });
		assert.deepEqual(asked.kind === 'answered' && asked.text, 'A title');
		const [, last = assert.fail(), question = assert.fail()] = server.requests;
		assert.equal(headOf(question), headOf(last));
		assert.deepEqual(question.body['tool_choice'], { type: 'none' });
		assert.deepEqual(blocks(question).slice(0, blocks(last).length), blocks(last));
		assert.match(blocks(question).at(-1) ?? '', /A title for this/);
		assert.equal(conversation.messages, before);
		assert.deepEqual(
			told.map(({ type }) => type),
			['side_call'],
		);
		assert.equal(entries.filter(({ type }) => type === 'side_call').length, 1);
		await conversation.ask('And without it?', { signal }).catch(() => assert.fail('ask() never rejects'));
		const alone = server.requests[3] ?? assert.fail();
		assert.equal(alone.body['tools'], undefined);
		assert.equal(blocks(alone).length, 1);
		await conversation.dispose();
	});

	test('a summary: the conversation’s own prefix, tools switched off, the focus named', async () => {
		const { conversation } = startConversation({ url: server.url, tools: [look] });
		const steps = Array.from({ length: 6 }, (_, at) => [
			turn(text(`step ${at} ${'word '.repeat(900)}`), toolUse('Look', { id: `a${at}` })),
			answer(`done ${at} ${'word '.repeat(900)}`),
		]).flat();
		server.setScript((request) =>
			request.body['tool_choice'] ? answer('In short.') : (steps.shift() ?? answer('ok')),
		);
		for (let at = 0; at < 6; at++) await finish(conversation.submitMessage(`prompt ${at}`));
		const last = server.requests.at(-1) ?? assert.fail();
		const { kind } = await conversation.compact('keep the names', signal);
		assert.equal(kind, 'compacted');
		const summary = server.requests.at(-1) ?? assert.fail();
		assert.equal(headOf(summary), headOf(last));
		assert.deepEqual(summary.body['tool_choice'], { type: 'none' });
		const asked = blocks(summary);
		// The last answer came after that request.
		const common = Math.min(asked.length - 1, blocks(last).length);
		assert.deepEqual(asked.slice(0, common), blocks(last).slice(0, common));
		assert.ok(asked.length > 10, 'most of it is there');
		assert.match(asked.at(-1) ?? '', /keep the names/);
		await conversation.dispose();
	});

	test('after a compaction the person’s words, the gate in them, mode, todos, rules and denials hold', async () => {
		const ran: string[] = [];
		const asked: string[] = [];
		const change = fakeTool({
			name: 'Change',
			asks: true,
			run: ({ id }) => {
				ran.push(id);
				return Promise.resolve(said(`changed ${id} ${'word '.repeat(100)}`));
			},
		});
		const risky = fakeTool({ name: 'Risky', asks: true, run: () => Promise.resolve(said('never')) });
		const { conversation } = startConversation({
			url: server.url,
			tools: [change, risky, todoWriteTool],
			settings: { deny: rulesFrom({ source: 'session' }, ['Risky']), compaction: { enabled: true, window: 12_000 } },
			interaction: {
				requestPermission: ({ tool }) => {
					asked.push(tool);
					return Promise.resolve({ behavior: 'allow', rule: { text: tool, scope: 'session' } });
				},
			},
		});
		const todos = [{ content: 'Rename the parser', activeForm: 'Renaming', status: 'in_progress' }];
		const words = 'Rename the parser, then stop and ask me before you touch the tests.';
		const steps = [
			turn(toolUse('TodoWrite', { todos }), toolUse('Change', { id: 'first' })),
			...Array.from({ length: 12 }, (_, at) => turn(text('word '.repeat(500)), toolUse('Change', { id: `c${at}` }))),
			turn(toolUse('Risky', { id: 'no' })),
			answer('May I touch the tests?'),
		];
		server.setScript((request) =>
			request.body['tool_choice'] ? answer('In short.') : (steps.shift() ?? answer('ok')),
		);
		await conversation.setMode('acceptEdits');
		const { events, terminal } = await finish(conversation.submitMessage(words));
		assert.equal(terminal.reason, 'completed');
		assert.ok(events.some((event) => event.type === 'projection_changed' && event.change.kind === 'compacted'));
		const sent = JSON.stringify(blocks(server.requests.at(-1)));
		assert.ok(sent.includes(words), 'word for word');
		assert.match(sent, /Permission mode: accept edits/);
		assert.match(sent, /\[in_progress\] Rename the parser/);
		assert.equal(conversation.mode, 'acceptEdits');
		assert.deepEqual(asked, ['Change'], 'what was allowed for the session is not asked again, what is denied never');
		assert.equal(ran.length, 13);
		assert.ok(conversation.denials.some(({ tool }) => tool === 'Risky'));
		await conversation.dispose();
	});

	test('a rule that comes in mid-session changes no tool list: the call is denied', async () => {
		const rules = { deny: rulesFrom({ source: 'session' }, []) };
		const { conversation } = startConversation({
			url: server.url,
			tools: [look],
			settings: {
				get deny() {
					return rules.deny;
				},
			},
		});
		server.setScript([
			turn(toolUse('Look', { id: 'a' })),
			answer('one'),
			turn(toolUse('Look', { id: 'b' })),
			answer('two'),
		]);
		await finish(conversation.submitMessage('first'));
		rules.deny = rulesFrom({ source: 'session' }, ['Look']);
		await finish(conversation.submitMessage('second'));
		const [first = assert.fail(), ...others] = server.requests;
		for (const request of others) assert.equal(headOf(request), headOf(first));
		assert.deepEqual(
			conversation.denials.map(({ tool }) => tool),
			['Look'],
		);
		await conversation.dispose();
	});

	test('usage per model, in disjoint buckets: what each read, wrote and read from the cache, and what it cost', async () => {
		const { conversation } = startConversation({
			url: server.url,
			tools: [look],
			settings: { fallbackModels: ['claude-haiku-5-5'], maxRetries: 3 },
		});
		const counts = (input: number, written: number, read: number, output: number) =>
			usage({
				input_tokens: input,
				cache_creation_input_tokens: written,
				cache_read_input_tokens: read,
				output_tokens: output,
			});
		const overload = fail(529, 'overloaded_error');
		server.setScript([
			turn(toolUse('Look', { id: 'a' }), counts(10, 1000, 0, 5)),
			turn(toolUse('Look', { id: 'b' }), counts(20, 200, 1000, 6)),
			overload,
			overload,
			overload,
			turn(text('done'), counts(30, 1300, 0, 7)),
			turn(text('a title'), counts(3, 0, 1200, 1)),
		]);
		await finish(conversation.submitMessage('do it'));
		await conversation.ask('A title?', { signal, withConversation: true });
		const main = conversation.modelUsage.get('claude-sonnet-5') ?? assert.fail();
		const other = conversation.modelUsage.get('claude-haiku-5-5') ?? assert.fail();
		assert.deepEqual(main.usage, {
			inputTokens: 33,
			cacheCreationTokens: 1200,
			cacheReadTokens: 2200,
			outputTokens: 12,
		});
		assert.deepEqual(other.usage, { inputTokens: 30, cacheCreationTokens: 1300, cacheReadTokens: 0, outputTokens: 7 });
		assert.deepEqual(conversation.usage, {
			inputTokens: 63,
			cacheCreationTokens: 2500,
			cacheReadTokens: 2200,
			outputTokens: 19,
		});
		for (const [model, { usage: used, costUsd }] of conversation.modelUsage) {
			const { prices } = modelFacts(model);
			assert.ok(prices);
			const due =
				used.inputTokens * prices.input +
				used.cacheCreationTokens * prices.cacheWrite +
				used.cacheReadTokens * prices.cacheRead +
				used.outputTokens * prices.output;
			assert.ok(Math.abs((costUsd ?? 0) - due / 1e6) < 1e-12, model);
		}
		assert.ok(Math.abs((conversation.costUsd ?? 0) - (main.costUsd ?? 0) - (other.costUsd ?? 0)) < 1e-12);
		await conversation.dispose();
	});
});
