// Stories in which two recoveries meet, as the simulator found them: what is sent and what the transcript says stay one.
import assert from 'node:assert/strict';
import { ExchangeJournal } from '../../../src/core/session/exchangeJournal.ts';
import type { EngineOptions, SessionSettings } from '../../../src/core/session/options.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import type { Entry, StoredEntry } from '../../../src/core/messages/journal.ts';
import { noUsage, textOf } from '../../../src/core/messages/types.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { exchange } from '../../support/exchange.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockServer } from '../../support/mockServer.ts';
import {
	answer,
	cut,
	errorEvent,
	messagesOf,
	startMockServer,
	stop,
	text,
	thinking,
	toolUse,
	turn,
	verbatim,
} from '../../support/mockServer.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const settings: SessionSettings = {
	model: 'claude-sonnet-5',
	thinking: 'auto',
	maxConcurrency: 10,
	bashErrorCancelsSiblings: true,
	streamingTools: true,
	allow: [],
	ask: [],
	deny: [],
};

suite('turns that were recovered', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());

	test('a call whose id stood in an answer that was taken back gets its own result from the transcript', () => {
		const block = { type: 'tool_use', id: 't', name: 'Do', input: { id: 'a' } } as const;
		const result = (text: string) => {
			const content = [{ type: 'text', text }] as const;
			const found = { type: 'tool_result', tool_use_id: 't', content } as const;
			return { type: 'tool_result', toolUseId: 't', result: found, state: 'done', view: { kind: 'none' } } as const;
		};
		const entries: Entry[] = [
			{ type: 'block', messageId: 'first', index: 0, model: 'm', block },
			result('Interrupted by user.'),
			{ type: 'tombstone', messageId: 'first' },
			{ type: 'block', messageId: 'second', index: 0, model: 'm', block },
			{ type: 'answer', messageId: 'second', stopReason: 'tool_use', usage: noUsage, complete: true, costUsd: null },
		];
		const stored = (list: readonly Entry[]): StoredEntry[] => list.map((entry) => ({ ...entry, time: 0 }));
		const waiting = loadSession(stored([{ type: 'request', turn: 1, model: 'm', messageCount: 1 }, ...entries]));
		assert.equal(waiting.pending?.finished.size, 0, 'it has not run');
		const done = loadSession(stored([...entries, result('did it'), { type: 'exchange_end', reason: 'completed' }]));
		assert.match(JSON.stringify(done.messages.at(-1)), /did it/);
	});

	test('a paused answer goes back as it is, whatever was tried in between', async () => {
		const searching = verbatim({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} });
		const { requests, terminal } = await exchange({
			model: [turn(text('I search.'), searching, stop('pause_turn')), cut(text('half'), 'max_tokens'), answer('found')],
		});
		assert.equal(terminal.reason, 'completed');
		const [, resumed, raised] = requests.map(messagesOf);
		assert.deepEqual(raised, resumed);
	});

	test('another model gets no thinking of the one before', async () => {
		let model = 'claude-sonnet-5';
		const { conversation, entries } = startConversation({
			url: mock.url,
			tools: [look],
			overrides: { settings: () => ({ ...settings, model }) },
		});
		mock.setScript([
			turn(thinking('where'), toolUse('Look', { id: 'a' })),
			answer('seen'),
			answer('again'),
			answer('on'),
		]);
		await finish(conversation.submitMessage('look'));
		model = 'claude-haiku-5-5';
		await finish(conversation.submitMessage('and now?'));
		const sent = mock.requests.map((request) => JSON.stringify(messagesOf(request)).includes('"thinking"'));
		assert.deepEqual(sent, [false, true, false]);
		assert.deepEqual(mock.violations, []);
		const changes = entries.flatMap((entry) => (entry.type === 'projection' ? [entry.change.kind] : []));
		assert.deepEqual(changes, ['thinking_dropped']);
		await finish(conversation.submitMessage('on'));
		assert.equal(entries.filter(({ type }) => type === 'projection').length, 1, 'once is enough');
	});

	test('what was said before a request was refused in mid-stream is taken back', async () => {
		const refusal = errorEvent(
			'invalid_request_error',
			'messages.1.content.0: Invalid `signature` in `thinking` block.',
		);
		const record = await exchange({ model: [turn(text('half'), refusal), answer('whole')] });
		assert.equal(record.terminal.reason, 'completed');
		assert.ok(record.events.some(({ type }) => type === 'answer_retracted'));
		const loaded = loadSession(record.entries.map((entry) => ({ ...entry, time: 0 })));
		assert.deepEqual(loaded.messages.map(textOf), record.terminal.messages.slice(1).map(textOf));
	});

	test('a mode that is chosen while the first entries are written is that of the transcript', async () => {
		for (const during of ['session', 'mode', 'model', 'user'] as const) {
			mock.setScript([answer('Done.')]);
			const written: Entry[] = [];
			const journal = {
				append: async (entry: Entry) => {
					written.push(entry);
					if (entry.type === during && conversation.mode === 'default') void conversation.setMode('acceptEdits');
					await Promise.resolve();
				},
			};
			const { conversation } = startConversation({ url: mock.url, ports: { journal } });
			await finish(conversation.submitMessage('go'));
			const loaded = loadSession(written.map((entry) => ({ ...entry, time: 0 })));
			assert.equal(loaded.mode, 'acceptEdits', `while ${during} was written`);
			assert.equal(written[0]?.type, 'session');
		}
	});

	test('a mode that cannot be written down does not hold', async () => {
		mock.setScript([answer('ok')]);
		let full = false;
		const entries: string[] = [];
		const { conversation } = startConversation({
			url: mock.url,
			ports: {
				journal: {
					append: (entry) => {
						if (full) return Promise.reject(new Error('no space left'));
						entries.push(entry.type);
						return Promise.resolve();
					},
				},
			},
		});
		await finish(conversation.submitMessage('go'));
		full = true;
		await assert.rejects(conversation.setMode('acceptEdits'), /no space left/);
		assert.equal(conversation.mode, 'default');
		full = false;
		await conversation.setMode('acceptEdits');
		assert.equal(conversation.mode, 'acceptEdits');
		assert.equal(entries.at(-1), 'mode');
	});

	test('what comes of a call after its exchange has ended without it is not written', async () => {
		const written: string[] = [];
		const append = (entry: Entry) => {
			written.push(entry.type);
			return Promise.resolve();
		};
		const ports = { journal: { append }, clock: systemClock };
		const options = { ports, settings: () => ({ model: 'm' }) } as unknown as EngineOptions;
		const journal = new ExchangeJournal(options, undefined, () => ({ usage: noUsage, costUsd: 0 }));
		journal.begin();
		const calls = journal.ofExchange();
		await calls.append({ type: 'permission', requestId: 'r', toolUseId: 't' });
		journal.begin();
		await assert.rejects(calls.append({ type: 'permission', requestId: 'r', toolUseId: 't' }), /has ended/);
		await journal.append({ type: 'mode', mode: 'plan' });
		assert.deepEqual(written, ['permission', 'mode']);
	});

	test('a compaction answers the calls of a turn that was left, here and in the transcript', async () => {
		mock.setScript([
			turn(thinking('where'), toolUse('Look', { id: 'a' })),
			answer('The summary.'),
			answer('Understood.'),
		]);
		const { conversation, entries } = startConversation({ url: mock.url, tools: [look] });
		const left = conversation.submitMessage('look');
		for (let step = await left.next(); !step.done; step = await left.next()) if (step.value.type === 'tool_end') break;
		await left.return(undefined as never);
		assert.equal(conversation.interrupted, true);
		await conversation.compact(undefined, new AbortController().signal);
		assert.equal(conversation.interrupted, false);
		const bare = (list: typeof conversation.messages) => list.map(({ id, content }) => ({ id, content }));
		assert.deepEqual(bare(loadSession(entries).messages), bare(conversation.messages));
		const { terminal } = await finish(conversation.submitMessage('go on'));
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual(mock.violations, []);
	});

	test('a consumer that leaves between two queued prompts loses neither', async () => {
		mock.setScript([turn(toolUse('Look', { id: 'a' })), answer('Understood.')]);
		const { conversation } = startConversation({ url: mock.url, tools: [look] });
		const left = conversation.submitMessage('look');
		for (let step = await left.next(); !step.done; step = await left.next()) {
			if (step.value.type === 'turn_start') for (const word of ['one', 'two']) conversation.enqueue(word);
			if (step.value.type === 'prompt_taken' && step.value.queueId) break;
		}
		await left.return(undefined as never);
		assert.deepEqual(
			conversation.queued.map((prompt) => prompt.text),
			['two'],
		);
		assert.equal(conversation.messages.filter((message) => textOf(message) === 'one').length, 1);
	});

	test('a model that is chosen while a request is prepared holds from the next one on', async () => {
		let model = 'claude-sonnet-5';
		const { conversation } = startConversation({
			url: mock.url,
			tools: [look],
			overrides: { settings: () => ({ ...settings, model }) },
		});
		mock.setScript([turn(thinking('where'), toolUse('Look', { id: 'a' })), answer('seen'), answer('again')]);
		await finish(conversation.submitMessage('look'));
		model = 'claude-opus-5';
		const second = conversation.submitMessage('and now?');
		for (let step = await second.next(); !step.done; step = await second.next()) {
			if (step.value.type === 'projection_changed') model = 'claude-sonnet-4-6';
		}
		assert.equal(mock.requests.at(-1)?.body['model'], 'claude-opus-5');
	});

	test('a resumed answer that the output limit had cut is not asked for again when its call had started', async () => {
		const runs: string[] = [];
		const run = ({ id }: { readonly id: string }) => {
			runs.push(id);
			return Promise.resolve(said(`did ${id}`));
		};
		const entries: Entry[] = [
			{ type: 'request', turn: 1, model: 'm', messageCount: 1 },
			{
				type: 'block',
				messageId: 'cut',
				index: 0,
				model: settings.model,
				block: { type: 'tool_use', id: 't', name: 'Do', input: { id: 'a' } },
			},
			{ type: 'tool_start', toolUseId: 't', name: 'Do', input: { id: 'a' } },
			{ type: 'answer', messageId: 'cut', stopReason: 'max_tokens', usage: noUsage, complete: true, costUsd: null },
		];
		mock.setScript([answer('I look what happened.')]);
		const { conversation } = startConversation({
			url: mock.url,
			tools: [fakeTool({ name: 'Do', run })],
			transcript: entries.map((entry) => ({ ...entry, time: 0 })),
		});
		const { terminal } = await finish(conversation.resume());
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual(runs, []);
		assert.match(JSON.stringify(messagesOf(mock.requests[0] ?? assert.fail())), /its outcome is unknown/);
	});
});
