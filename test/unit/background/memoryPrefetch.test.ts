// Notes of the memory that concern a turn: found by words while the model answers, attached at the turn boundary behind
// everything that was sent, once each, never waited for. Through the real engine and client.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import { relevantNotes } from '../../../src/core/memory/relevantNotes.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { finish, startConversation, type TestConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockRequest, MockServer } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, toolUse, turn } from '../../support/mockServer.ts';
import { FakeMemoryStore } from './support.ts';

const look = fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
const notes = (files: Record<string, string>) => Object.entries(files).map(([name, text]) => ({ name, text }));
const names = (about: string, files: Record<string, string>) =>
	relevantNotes(about, notes(files)).map(({ name }) => name);

suite('relevant notes', () => {
	const files = {
		'deploy.md': 'Deploy with `make ship`, from the release branch only.',
		'testing.md': 'The slow suite needs a database; start it with docker first.',
		'style.md': 'Tabs, single quotes.',
		'people.md': 'Anna owns the parser, Ben the release branch.',
	};

	test('by a word of the name, or two of the text; the most relevant first', () => {
		assert.deepEqual(names('please run the tests', files), ['testing.md']);
		assert.deepEqual(names('deploying the release', files), ['deploy.md']);
		assert.deepEqual(names('who knows the parser that Anna wrote?', files), ['people.md']);
		assert.deepEqual(names('a release branch for the deploy', files), ['deploy.md', 'people.md']);
		assert.deepEqual(names('src/peopleList.ts', files), ['people.md']);
	});

	test('nothing for common words, for one shared word, for no words, for words that all notes have', () => {
		for (const about of ['do it with the file that you have', 'release it', '', '12 34', '?!']) {
			assert.deepEqual(names(about, files), [], about);
		}
		const alike = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.md`, 'server client']));
		assert.deepEqual(names('server and client', alike), []);
	});

	test('scripts without spaces: by pairs of signs', () => {
		const chinese = { 'one.md': '发布之前先运行全部测试。', 'two.md': '代码缩进使用制表符。' };
		assert.deepEqual(names('请运行测试', chinese), ['one.md']);
		assert.deepEqual(names('你好', chinese), []);
	});

	test('at most so many', () => {
		const note = (kind: string) => (_: unknown, at: number) => [`${kind}-${at}.md`, `text ${at}`] as const;
		const many = [...Array.from({ length: 5 }, note('parser')), ...Array.from({ length: 9 }, note('other'))];
		assert.deepEqual(names('parser', Object.fromEntries(many)), ['parser-0.md', 'parser-1.md', 'parser-2.md']);
	});
});

suite('memory prefetch', () => {
	let server: MockServer;
	let time = Date.UTC(2026, 0, 2);
	const clock: Clock = { now: () => time, sleep: (ms, signal) => systemClock.sleep(ms, signal) };
	setup(async () => {
		server = await startMockServer();
	});
	teardown(async () => {
		assert.deepEqual(server.violations, []);
		await server.close();
	});

	function start(
		store: FakeMemoryStore,
		from: Partial<Parameters<typeof startConversation>[0]> = {},
	): TestConversation {
		return startConversation({
			url: server.url,
			tools: [look],
			settings: { background: { memory: true }, smallModel: 'claude-haiku-4-5' },
			...from,
			ports: { memory: store, clock, ...from.ports },
		});
	}
	/** An exchange of two turns, with a call between them; its own requests. */
	async function exchange({ conversation }: TestConversation, prompt: string): Promise<readonly MockRequest[]> {
		time += limits.memoryLookEveryMs;
		const steps = [turn(toolUse('Look', { id: 'x' })), answer('done')];
		server.setScript((request) =>
			request.body['model'] === 'claude-haiku-4-5' ? answer('{}') : (steps.shift() ?? answer('ok')),
		);
		const before = server.requests.length;
		const { terminal } = await finish(conversation.submitMessage(prompt));
		assert.equal(terminal.reason, 'completed');
		return server.requests.slice(before).filter(({ body }) => body['model'] !== 'claude-haiku-4-5');
	}
	const lastOf = (request: MockRequest | undefined) => messagesOf(request ?? assert.fail()).at(-1)?.content ?? [];
	const told = (requests: readonly MockRequest[]) =>
		lastOf(requests.at(-1)).flatMap((block) =>
			String(block['text']).includes('<memory-notes>') ? [String(block['text'])] : [],
		);

	test('a note that changed since the start is attached at the boundary, behind the results, once; also after a resume', async () => {
		const store = new FakeMemoryStore({ 'deploy.md': 'Deploy with make.\n', 'style.md': 'Tabs.\n' });
		const first = start(store);
		assert.deepEqual(told(await exchange(first, 'deploy it')), [], 'it stands in the first message');
		store.files.set('deploy.md', 'Deploy with make ship.\n');
		const requests = await exchange(first, 'deploy it again');
		const [note] = told(requests);
		assert.match(
			note ?? '',
			/^<system-note>\n<memory-notes>\n[^]*## deploy\.md\nDeploy with make ship\.\n<\/memory-notes>/,
		);
		assert.ok(!note?.includes('style.md'));
		assert.deepEqual(
			lastOf(requests[1]).map(({ type }) => type),
			['tool_result', 'text'],
		);
		const plain = (request: MockRequest) =>
			JSON.stringify(messagesOf(request)).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
		const [one = assert.fail(), two = assert.fail()] = requests;
		assert.ok(plain(two).startsWith(plain(one).slice(0, -1)), 'what was sent before stands unchanged in front');
		const kinds = first.entries.map(({ type }) => type);
		assert.ok(
			first.entries.findIndex((entry) => JSON.stringify(entry).includes('memory-notes')) < kinds.lastIndexOf('request'),
		);
		assert.deepEqual(told(await exchange(first, 'deploy it once more')), []);
		const resumed = start(store, { transcript: first.entries });
		assert.deepEqual(told(await exchange(resumed, 'deploy it after a restart')), []);
		store.files.set('deploy.md', 'Never deploy on Fridays.\n');
		assert.equal(told(await exchange(resumed, 'deploy it now')).length, 1);
		await first.conversation.dispose();
		await resumed.conversation.dispose();
	});

	test('a note that had no room in the first message comes when it is needed; a compaction puts back what it then need not tell', async () => {
		const long = Object.fromEntries(
			Array.from({ length: 4 }, (_, at) => [`a${at}.md`, `filler ${at} ${'word '.repeat(1900)}`]),
		);
		const store = new FakeMemoryStore({ ...long, 'zoo.md': 'The zebra parser is generated.' });
		const talk = start(store);
		const requests = await exchange(talk, 'look at the zoo');
		assert.ok(JSON.stringify(messagesOf(requests[0] ?? assert.fail())).includes('left out: the memory is too large'));
		assert.match(told(requests)[0] ?? '', /## zoo\.md\nThe zebra parser/);
		for (const name of Object.keys(long)) store.files.delete(name);
		const { kind } = await talk.conversation.compact(undefined, new AbortController().signal);
		assert.equal(kind, 'compacted');
		assert.deepEqual(told(await exchange(talk, 'the zoo again')), []);
		await talk.conversation.dispose();
	});

	test('what came of this conversation is not told back to it', async () => {
		const store = new FakeMemoryStore();
		const talk = start(store);
		server.setScript((request) =>
			request.body['model'] === 'claude-haiku-4-5'
				? answer('{"write":[{"name":"deploy.md","text":"Deploy with make ship."}]}')
				: answer('I will remember.'),
		);
		const written = new Promise<void>((resolve) =>
			talk.conversation.onEvent(({ type }) => type === 'memory_changed' && resolve()),
		);
		await finish(talk.conversation.submitMessage('deploy with make ship, always'));
		await written;
		assert.deepEqual(told(await exchange(talk, 'deploy it')), []);
		store.files.set('deploy.md', 'Deploy with make ship --safe.\n');
		assert.equal(told(await exchange(talk, 'deploy it')).length, 1, 'somebody else changed it');
		await talk.conversation.dispose();
	});

	test('late is left out, and nothing waits for it; the next turn may find it', async () => {
		const store = new FakeMemoryStore();
		const talk = start(store);
		await exchange(talk, 'hello');
		store.files.set('deploy.md', 'Deploy with make ship.\n');
		const list = store.list.bind(store);
		let release = () => {};
		store.list = () => new Promise((resolve) => (release = () => void list().then(resolve)));
		assert.deepEqual(told(await exchange(talk, 'deploy it')), []);
		release();
		store.list = list;
		assert.equal(told(await exchange(talk, 'deploy it')).length, 1);
		store.list = () => Promise.reject(new Error('no disk'));
		await exchange(talk, 'deploy it');
		await talk.conversation.dispose();
	});

	test('off, or without a memory: nothing is looked for', async () => {
		const store = new FakeMemoryStore({ 'deploy.md': 'Deploy with make ship.\n' });
		let looks = 0;
		store.list = () => Promise.resolve((looks++, []));
		const off = start(store, { settings: {} });
		await exchange(off, 'deploy it');
		assert.equal(looks, 0);
		await off.conversation.dispose();
	});
});
