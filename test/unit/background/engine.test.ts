// Work beside the conversation through the real engine and client, against the mock service: nothing delays a prompt,
// everything is counted, failures stay unseen.
import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../src/core/session/options.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { finish, startConversation, type TestConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { withoutFeature } from '../../support/features.ts';
import type { MockRequest, MockServer, Step } from '../../support/mockServer.ts';
import {
	answer,
	fail,
	gate,
	lastUserText,
	startMockServer,
	text,
	toolUse,
	turn,
	usage,
} from '../../support/mockServer.ts';
import { FakeDreamPort, FakeMemoryStore } from './support.ts';

const small = 'claude-haiku-4-5';
const main = 'claude-sonnet-5';
const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const allOn = { memory: true, suggestions: true, labels: true, title: false, consolidation: true };

/** What the small model says to each kind of question. */
interface Small {
	readonly label?: Step;
	readonly suggestion?: Step;
	readonly memory?: Step;
	readonly dream?: Step;
}

suite('background work of a conversation', () => {
	let server: MockServer;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(() => server.close());

	function script(steps: readonly Step[], says: Small): void {
		let next = 0;
		server.setScript((request) => {
			if (request.body['model'] !== small) return steps[next++] ?? answer('done');
			return says[kindOf(request)] ?? answer('{}');
		});
	}
	function kindOf(request: MockRequest): keyof Small {
		const question = lastUserText(request);
		if (question.startsWith('Say in at most')) return 'label';
		if (question.startsWith('Below is the latest exchange')) return 'suggestion';
		return question.includes('<exchange>') ? 'memory' : 'dream';
	}
	function start(background: Partial<typeof allOn>): TestConversation & {
		events: SessionEvent[];
		store: FakeMemoryStore;
		asked: string[];
	} {
		const store = new FakeMemoryStore({ 'rules.md': 'Use tabs.\n' });
		const asked: string[] = [];
		const started = startConversation({
			url: server.url,
			tools: [look],
			settings: { model: main, smallModel: small, background },
			ports: { memory: store, dream: new FakeDreamPort() },
			interaction: {
				requestPermission: () => Promise.resolve({ behavior: 'allow' }),
				confirmWait: (delayMs) => {
					asked.push(String(delayMs));
					return Promise.resolve(true);
				},
			},
		});
		const events: SessionEvent[] = [];
		started.conversation.onEvent((event) => events.push(event));
		return { ...started, events, store, asked };
	}
	const small529 = () => fail(529, 'overloaded_error');
	const ofSmall = () => server.requests.filter(({ body }) => body['model'] === small);

	test('labels come in the next turn; suggestion and memory after the exchange; all is counted', async () => {
		const tokens = { input_tokens: 100, output_tokens: 10 };
		script([turn(text('I look.'), toolUse('Look', { id: 'x' }, 'toolu_1')), answer('Done.')], {
			label: turn(text('Looked at x'), usage(tokens)),
			suggestion: turn(text('Run the tests'), usage(tokens)),
			memory: turn(text('{"write":[{"name":"rules.md","text":"Use tabs, always."}]}'), usage(tokens)),
		});
		const { conversation, events, store, entries } = start({ ...allOn, consolidation: false });
		const { events: told } = await finish(conversation.submitMessage('do it'));
		const label = told.find(({ type }) => type === 'tools_labelled');
		assert.deepEqual(label, { type: 'tools_labelled', toolUseIds: ['toolu_1'], label: 'Looked at x' });
		const turns = told.flatMap(({ type }, index) => (type === 'turn_start' ? [index] : []));
		assert.ok(told.findIndex(({ type }) => type === 'tools_labelled') > (turns[1] ?? Infinity));
		await until(() => events.some(({ type }) => type === 'memory_changed'));
		await until(() => events.some(({ type }) => type === 'prompt_suggested'));
		assert.deepEqual(
			events.filter(({ type }) => type === 'prompt_suggested'),
			[{ type: 'prompt_suggested', text: 'Run the tests' }],
		);
		assert.equal(store.files.get('rules.md'), 'Use tabs, always.\n');
		const used = conversation.modelUsage.get(small);
		assert.equal(used?.usage.inputTokens, 300);
		assert.equal(used?.usage.outputTokens, 30);
		const [mine, theirs] = [main, small].map((model) => conversation.modelUsage.get(model)?.costUsd ?? Number.NaN);
		assert.ok(Math.abs((conversation.costUsd ?? 0) - ((mine ?? 0) + (theirs ?? 0))) < 1e-12);
		assert.equal(entries.filter(({ type }) => type === 'side_call').length, 3);
		assert.equal(entries.filter(({ type }) => type === 'tools_labelled').length, 1);
		// The memory stands in the first message of a session, and no background question has tools.
		assert.match(JSON.stringify(server.requests[0]?.body['messages']), /project-memory[\s\S]*Use tabs\./);
		assert.ok(ofSmall().every(({ body }) => body['tools'] === undefined));
		const resumed = startConversation({ url: server.url, transcript: entries });
		assert.deepEqual(resumed.conversation.usage, conversation.usage);
		assert.ok(Math.abs((resumed.conversation.costUsd ?? 0) - (conversation.costUsd ?? 1)) < 1e-12);
		await resumed.conversation.dispose();
		await conversation.dispose();
		assert.deepEqual(server.violations, []);
	});

	test('work that hangs delays neither the turn nor the next prompt, and dispose ends it', async () => {
		const hold = gate({ at: 'headers' });
		const hanging = turn(hold, text('late'));
		script([turn(toolUse('Look', { id: 'x' })), answer('one'), answer('two')], {
			label: hanging,
			suggestion: hanging,
			memory: hanging,
		});
		const { conversation, events } = start(allOn);
		const one = await finish(conversation.submitMessage('first'));
		assert.equal(one.terminal.reason, 'completed');
		assert.ok(!one.events.some(({ type }) => type === 'tools_labelled'));
		const two = await finish(conversation.submitMessage('second'));
		assert.equal(two.terminal.reason, 'completed');
		await conversation.dispose();
		assert.ok(!events.some(({ type }) => type === 'prompt_suggested' || type === 'memory_changed'));
		hold.open();
	});

	test('failures are final, unseen, and nobody is asked whether to wait', async () => {
		const slow = fail(429, 'rate_limit_error', 'slow', { 'retry-after': '3600' });
		script([turn(toolUse('Look', { id: 'x' })), answer('Done.')], {
			label: small529(),
			suggestion: slow,
			memory: small529(),
		});
		const { conversation, events, asked } = start({ ...allOn, consolidation: false });
		const { events: told, terminal } = await finish(conversation.submitMessage('do it'));
		assert.equal(terminal.reason, 'completed');
		await until(() => ofSmall().length === 3);
		await conversation.dispose();
		assert.equal(ofSmall().length, 3);
		assert.deepEqual(asked, []);
		assert.ok(!told.some(({ type }) => type === 'retry_wait' || type === 'model_error'));
		assert.ok(!events.some(({ type }) => type === 'prompt_suggested'));
	});

	test('an exchange that was stopped starts no work; labels are stopped with it', async () => {
		const hold = gate();
		script([turn(toolUse('Look', { id: 'x' })), turn(text('half', hold, ' and half'))], { label: answer('Looked') });
		const { conversation } = start({ suggestions: true, memory: true });
		const running = finish(conversation.submitMessage('do it'));
		await hold.reached;
		await conversation.stop('stop');
		assert.equal((await running).terminal.reason, 'aborted_streaming');
		await conversation.dispose();
		assert.equal(ofSmall().length, 0);
		hold.open();
	});

	test('TOOL_SUMMARIES off: no label is asked for', async () => {
		script([turn(toolUse('Look', { id: 'x' })), answer('Done.')], {});
		const { conversation } = start({ labels: true });
		await withoutFeature('TOOL_SUMMARIES', () => finish(conversation.submitMessage('do it')));
		assert.equal(ofSmall().length, 0);
		await conversation.dispose();
	});

	test('after a compaction the memory is put back as it is then', async () => {
		script([], {});
		const store = new FakeMemoryStore({ 'rules.md': 'Use tabs.\n' });
		const { conversation } = startConversation({
			url: server.url,
			tools: [look],
			settings: { background: { memory: true }, smallModel: small },
			ports: { memory: store },
		});
		const said = () => JSON.stringify(server.requests.at(-1)?.body['messages']);
		await finish(conversation.submitMessage('first '.repeat(2000)));
		assert.ok(said().includes('Use tabs'));
		await finish(conversation.submitMessage('second'));
		store.files.set('rules.md', 'Use spaces.\n');
		const result = await conversation.compact(undefined, new AbortController().signal);
		assert.equal(result.kind, 'compacted');
		await finish(conversation.submitMessage('third'));
		const sent = server.requests.findLast(({ body }) => body['model'] === main);
		assert.ok(JSON.stringify(sent?.body['messages']).includes('Use spaces'));
		await conversation.dispose();
		assert.deepEqual(server.violations, []);
	});
});

async function until(condition: () => boolean): Promise<void> {
	const end = Date.now() + 5000;
	while (!condition()) {
		if (Date.now() > end) assert.fail('it did not happen in 5 s');
		await systemClock.sleep(2);
	}
}
