// What a resumed session brings back, one thing a test, through real files: each is written by a real conversation, read by the
// store, and seen in the next request or in what the conversation says of itself.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promptVersions } from '../../../src/core/messages/activeEntries.ts';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { SessionSettings } from '../../../src/core/session/options.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import { todoWriteTool } from '../../../src/core/tools/builtin/todoWrite.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import type { SessionJournal } from '../../../src/node/sessions/sessionFiles.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockRequest, MockServer } from '../../support/mockServer.ts';
import {
	answer,
	lastUserText,
	messagesOf,
	redactedThinking,
	startMockServer,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
} from '../../support/mockServer.ts';

const cwd = '/w';
const token = 'ghp_0123456789abcdefghij0123';

suite('a resumed session has', () => {
	let mock: MockServer;
	let home: string;
	let store: SessionStore;
	const journals: SessionJournal[] = [];
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'lw-resumed-'));
		store = new SessionStore(home);
		mock.reset();
	});
	teardown(async () => {
		for (const journal of journals.splice(0)) await journal.close();
		assert.deepEqual(mock.violations, []);
		await rm(home, { recursive: true, force: true });
	});

	interface Options {
		readonly tools?: readonly Tool[];
		readonly settings?: Partial<SessionSettings>;
	}
	async function begin({ tools = [], settings }: Options = {}) {
		const { journal } = await store.create({ cwd, sessionId: 's' });
		journals.push(journal);
		return startConversation({ url: mock.url, tools, ports: { journal }, ...(settings ? { settings } : {}) })
			.conversation;
	}
	/** Another life of the session; the one before is gone without a word. */
	async function again({ tools = [], settings }: Options = {}) {
		for (const journal of journals.splice(0)) await journal.close();
		const opened = (await store.open(cwd, 's')) ?? assert.fail('it is gone');
		journals.push(opened.journal);
		const { journal, entries: transcript } = opened;
		const more = settings ? { settings } : {};
		const { conversation } = startConversation({ url: mock.url, tools, transcript, ports: { journal }, ...more });
		return { conversation, transcript };
	}
	const last = () => mock.requests.at(-1) ?? assert.fail();
	const bare = (request: MockRequest) =>
		messagesOf(request).map((message) =>
			JSON.stringify(message).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, ''),
		);
	/** What is sent next begins with what was sent before. */
	async function sameBeginning(conversation: Awaited<ReturnType<typeof begin>>): Promise<void> {
		const before = last();
		mock.setScript([answer('And on.')]);
		await finish(conversation.submitMessage('next'));
		assert.deepEqual(bare(last()).slice(0, bare(before).length), bare(before));
	}

	test('its conversation, thinking and signatures byte for byte', async () => {
		const look = fakeTool({ name: 'Look', run: () => Promise.resolve(said('seen \0 \ud800 漢字')) });
		mock.setScript([
			turn(
				thinking('hm', { signature: 'EqoB+/c2ln==' }),
				redactedThinking('ZW5j+/=='),
				text('I look.'),
				toolUse('Look', { id: 'a' }),
			),
			answer('Done.'),
		]);
		await finish((await begin({ tools: [look] })).submitMessage('do it'));
		const { conversation } = await again({ tools: [look] });
		await sameBeginning(conversation);
		assert.match(JSON.stringify(last().body), /"signature":"EqoB\+\/c2ln=="/);
		assert.match(JSON.stringify(last().body), /"data":"ZW5j\+\/=="/);
	});

	test('its mode, but never the one that asks nothing', async () => {
		mock.setScript([answer('a')]);
		const first = await begin();
		await finish(first.submitMessage('x'));
		await first.setMode('acceptEdits');
		const second = (await again()).conversation;
		assert.equal(second.mode, 'acceptEdits');
		await second.setMode('bypassPermissions');
		const { conversation, transcript } = await again();
		assert.equal(conversation.mode, 'default');
		const unnamed = transcript.filter(({ type }) => type !== 'mode');
		const imported = startConversation({
			url: mock.url,
			transcript: unnamed,
			overrides: { mode: 'bypassPermissions' },
		}).conversation;
		assert.equal(imported.mode, 'default', 'what was imported names no mode, and does not take the one before it');
	});

	test('the model that the person chose last, not one that stood in for it', async () => {
		let model = 'claude-sonnet-5';
		mock.setScript([answer('a'), answer('b')]);
		const settings = {
			get model() {
				return model;
			},
		};
		const first = await begin({ settings });
		await finish(first.submitMessage('x'));
		model = 'claude-opus-4-8';
		await finish((await begin2(settings)).submitMessage('y'));
		const { transcript } = await again();
		assert.equal(loadSession(transcript).model, 'claude-opus-4-8');
		const models = transcript.flatMap((entry) => (entry.type === 'model' ? [entry.model] : []));
		assert.deepEqual(models, ['claude-sonnet-5', 'claude-opus-4-8'], 'written when it changes, not in each turn');
	});
	const begin2 = async (settings: Partial<SessionSettings>) => (await again({ settings })).conversation;

	test('its todo list', async () => {
		const todos = [{ content: 'one', activeForm: 'doing one', status: 'in_progress' }];
		mock.setScript([turn(toolUse('TodoWrite', { todos })), answer('Noted.')]);
		await finish((await begin({ tools: [todoWriteTool] })).submitMessage('plan it'));
		assert.deepEqual((await again({ tools: [todoWriteTool] })).conversation.todos, todos);
	});

	test('prompts that waited, in order; not those that were read or taken back', async () => {
		const first = await begin();
		mock.setScript([answer('a')]);
		await finish(first.submitMessage('x'));
		const ids = ['one', 'two', 'three'].map((prompt) => first.enqueue(prompt));
		first.unqueue(ids[1] ?? '');
		const { conversation } = await again();
		assert.deepEqual(conversation.queued, [
			{ id: ids[0], text: 'one' },
			{ id: ids[2], text: 'three' },
		]);
		mock.setScript([answer('b')]);
		await finish(conversation.submitMessage('one', ids[0]));
		assert.match(lastUserText(last()), /one/);
		const third = await again();
		assert.deepEqual(third.conversation.queued, [{ id: ids[2], text: 'three' }]);
		const look = fakeTool({ name: 'Look', run: () => Promise.resolve(said('seen')) });
		mock.setScript([turn(toolUse('Look', { id: 'a' })), answer('c')]);
		const fourth = (await again({ tools: [look] })).conversation;
		await finish(fourth.submitMessage('go on'));
		assert.match(lastUserText(last()), /three/, 'read at the turn boundary');
		assert.deepEqual((await again()).conversation.queued, []);
	});

	test('its compaction boundary, and what was replaced', async () => {
		const look = fakeTool({ name: 'Look', run: () => Promise.resolve(said('seen')) });
		mock.setScript((request) => {
			const said = JSON.stringify(messagesOf(request).at(-1));
			if (said.includes('tool_result')) return answer('Done.');
			return said.includes('do it') ? turn(toolUse('Look', { id: 'a' })) : answer('A summary of it all.');
		});
		const first = await begin({ tools: [look] });
		for (const word of ['do it', 'do it again', 'do it once more']) await finish(first.submitMessage(word));
		assert.equal((await first.compact(undefined, new AbortController().signal)).kind, 'compacted');
		mock.setScript([answer('On.')]);
		await finish(first.submitMessage('after'));
		const { conversation, transcript } = await again({ tools: [look] });
		assert.ok(loadSession(transcript).changes.some(({ kind }) => kind === 'compacted'));
		await sameBeginning(conversation);
		assert.match(JSON.stringify(last().body), /A summary of it all/);
	});

	test('what it has cost, summed once', async () => {
		mock.setScript([answer('a'), answer('b'), answer('c')]);
		const first = await begin();
		await finish(first.submitMessage('x'));
		await finish(first.submitMessage('y'));
		const { conversation, transcript } = await again();
		assert.ok((first.costUsd ?? 0) > 0);
		assert.equal(conversation.costUsd, first.costUsd);
		assert.deepEqual(conversation.usage, first.usage);
		const bySums = loadSession(transcript);
		const byAnswers = loadSession(transcript.map(withoutSum));
		assert.deepEqual(bySums.usage, byAnswers.usage);
		assert.ok(Math.abs((bySums.costUsd ?? 0) - (byAnswers.costUsd ?? 0)) < 1e-9);
	});

	test('answers for the tools that were interrupted, and nothing runs twice', async () => {
		const runs: string[] = [];
		const never = new Promise<never>(() => {});
		const tool = fakeTool({
			name: 'Do',
			run: ({ id }) => {
				runs.push(id);
				return id === 'b' ? never : Promise.resolve(said(`did ${id}`));
			},
		});
		mock.setScript([
			turn(toolUse('Do', { id: 'a' }), toolUse('Do', { id: 'b' }), toolUse('Do', { id: 'c' })),
			answer('Well.'),
		]);
		const exchange = (await begin({ tools: [tool] })).submitMessage('do it');
		void finish(exchange).catch(() => {});
		while (!runs.includes('b')) await new Promise((resolve) => setImmediate(resolve));
		const { conversation } = await again({ tools: [tool] });
		assert.equal(conversation.interrupted, true);
		await finish(conversation.resume());
		assert.deepEqual(runs, ['a', 'b', 'c']);
		const results = toolResults(last()).map((result) => result.text);
		assert.equal(results[0], 'did a');
		assert.match(results[1] ?? '', /Interrupted: .*outcome is unknown/);
		assert.equal(results[2], 'did c');
	});

	test('no secret on disk; what is sent differs only there, and a call whose input was masked does not run', async () => {
		const runs: unknown[] = [];
		const tool = fakeTool({
			name: 'Do',
			asks: true,
			run: (input) => {
				runs.push(input);
				return Promise.resolve(said(`${token} of ${input.id}`));
			},
		});
		mock.setScript([turn(toolUse('Do', { id: `first ${token}` })), answer('Done.')]);
		const first = await begin({ tools: [tool] });
		await finish(first.submitMessage(`use ${token}`));
		assert.deepEqual(runs, [{ id: `first ${token}` }], 'the living session has it');
		const before = bare(last());
		const { conversation } = await again({ tools: [tool] });
		mock.setScript([turn(toolUse('Do', { id: 'second' })), answer('On.')]);
		await finish(conversation.submitMessage('next'));
		assert.deepEqual(
			bare(last()).slice(0, before.length),
			before.map((message) => message.replaceAll(token, '[secret masked]')),
		);
		const file = path.join(home, 'projects', '-w', 's.jsonl');
		assert.doesNotMatch(await readFile(file, 'utf8'), /ghp_/);
		// Cut before the first call had started.
		const entries = (await store.read(cwd, 's'))?.entries ?? [];
		const cut = entries.slice(
			0,
			entries.findIndex(({ type }) => type === 'tool_start'),
		);
		mock.setScript([answer('I ask again.')]);
		const count = runs.length;
		const { conversation: third } = startConversation({ url: mock.url, tools: [tool], transcript: cut });
		await finish(third.resume());
		assert.equal(runs.length, count);
		assert.match(toolResults(last())[0]?.text ?? '', /held a secret, which is not kept/);
	});

	test('its versions: edited and sent again, each can be gone back to with all that followed', async () => {
		mock.setScript((request) => answer(`to ${lastUserText(request).slice(-3)}`));
		const first = await begin();
		await finish(first.submitMessage('one'));
		await finish(first.submitMessage('two'));
		const idOf = (word: string, entries: readonly StoredEntry[]) =>
			entries.flatMap((entry) =>
				entry.type === 'user' &&
				entry.message.origin === 'prompt' &&
				JSON.stringify(entry.message.content).includes(word)
					? [entry.message.id]
					: [],
			)[0] ?? assert.fail(word);
		const step = async (entry: Parameters<SessionJournal['append']>[0]) => {
			await again();
			await journals[0]?.append(entry);
			return (await again()).conversation;
		};
		const stored = async () => (await store.read(cwd, 's'))?.entries ?? [];
		const two = idOf('two', await stored());
		const second = await step({ type: 'rewound', to: two });
		await finish(second.submitMessage('TWO'));
		await finish(second.submitMessage('six'));
		const TWO = idOf('TWO', await stored());
		const versions = promptVersions(await stored(), two);
		assert.deepEqual(
			versions.map(({ id, active }) => ({ id, active })),
			[
				{ id: two, active: false },
				{ id: TWO, active: true },
			],
		);
		const words = (request: MockRequest) => JSON.stringify(messagesOf(request)).match(/one|two|TWO|six|end/g);
		const third = await step({ type: 'switched', to: two });
		await finish(third.submitMessage('end'));
		assert.deepEqual(words(last()), ['one', 'one', 'two', 'two', 'end']);
		const fourth = await step({ type: 'switched', to: TWO });
		await finish(fourth.submitMessage('end'));
		assert.deepEqual(words(last()), ['one', 'one', 'TWO', 'TWO', 'six', 'six', 'end']);
		const back = await step({ type: 'switched', to: two });
		await finish(back.submitMessage('end'));
		assert.deepEqual(
			words(last()),
			['one', 'one', 'two', 'two', 'end', 'end', 'end'],
			'what was said there since is there',
		);
		assert.deepEqual(
			promptVersions(await stored(), TWO).map(({ active }) => active),
			[true, false],
		);
		assert.deepEqual(promptVersions(await stored(), 'none'), []);
	});
});

function withoutSum(entry: StoredEntry): StoredEntry {
	return entry.type === 'exchange_end' ? { type: entry.type, reason: entry.reason, time: entry.time } : entry;
}
