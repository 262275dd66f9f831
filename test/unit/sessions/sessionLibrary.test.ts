// The sessions of a store as a person manages them, on a real disk.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entry } from '../../../src/core/messages/journal.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { SessionTitles } from '../../../src/host/session/sessionTitles.ts';
import { SessionLibrary } from '../../../src/node/sessions/sessionLibrary.ts';
import { searchSessions, type SessionHit } from '../../../src/node/sessions/sessionSearch.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { projectSlug } from '../../../src/node/sessions/paths.ts';
import { formatLine } from '../../../src/node/sessions/transcriptFile.ts';

const cwd = '/home/ada/project';
const day = 24 * 60 * 60_000;
const usage = { inputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 };
const first = (sessionId: string): Entry => ({ type: 'session', version: 1, sessionId, cwd, app: '0' });
const prompt = (text: string): Entry => ({
	type: 'user',
	message: { role: 'user', id: `u-${text.slice(0, 10)}`, origin: 'prompt', content: [{ type: 'text', text }], time: 1 },
});
const end = (costUsd: number): Entry => ({ type: 'exchange_end', reason: 'completed', spent: { usage, costUsd } });

suite('session library', function () {
	this.timeout(30_000);
	let home: string;
	let store: SessionStore;
	let library: SessionLibrary;
	let now = Date.now();
	setup(async () => {
		home = await mkdtemp(path.join(tmpdir(), 'lw-library-'));
		store = new SessionStore(home);
		now = Date.now();
		library = new SessionLibrary(home, () => now);
	});
	teardown(() => rm(home, { recursive: true, force: true }));

	async function write(id: string, ...entries: Entry[]): Promise<string> {
		const { journal, path: file } = await store.create({ cwd, sessionId: id });
		for (const entry of [first(id), ...entries]) await journal.append(entry);
		await journal.close();
		return file;
	}
	const ids = async () => (await library.list(cwd)).map(({ id }) => id);

	test('title, time, folder, cost, state and size; newest first, pinned above', async () => {
		const old = await write('old', prompt('the  old\none'), end(0.5));
		const cut = await write('cut', prompt('x'.repeat(500)));
		await utimes(old, 100, 100);
		await utimes(cut, 300, 300);
		const open = await store.create({ cwd, sessionId: 'open' });
		await open.journal.append(first('open'));
		const list = await library.list(cwd);
		assert.deepEqual(
			list.map(({ id, title, costUsd, state, cwd: folder }) => ({ id, title, costUsd, state, folder })),
			[
				{ id: 'open', title: '', costUsd: 0, state: 'open', folder: cwd },
				{ id: 'cut', title: 'x'.repeat(200), costUsd: 0, state: 'interrupted', folder: cwd },
				{ id: 'old', title: 'the old one', costUsd: 0.5, state: 'ended', folder: cwd },
			],
		);
		assert.equal(list[1]?.mtime, 300_000);
		assert.equal(list[1]?.size, (await readFile(cut)).length);
		await library.pin(cwd, 'old', true);
		assert.deepEqual(await ids(), ['old', 'open', 'cut']);
		await open.journal.close();
	});

	test('cost of a large one from its end; without a sum there it is unknown, not wrong', async () => {
		const big = prompt('y'.repeat(300_000));
		await write('sum', big, big, end(1.25), prompt('more'), {
			type: 'answer',
			messageId: 'm',
			stopReason: null,
			usage,
			complete: true,
			costUsd: 0.25,
		});
		await write('none', big, big, big);
		const costs = new Map((await library.list(cwd)).map(({ id, costUsd }) => [id, costUsd]));
		assert.equal(costs.get('sum'), 1.5);
		assert.equal(costs.get('none'), null);
	});

	test('names: the person’s wins over the model’s, stays in one line without secrets, and survives a broken file', async () => {
		const file = await write('s', prompt('first words'));
		const before = await readFile(file);
		await library.suggestTitle(cwd, 's', 'From the model');
		assert.equal((await library.list(cwd))[0]?.title, 'From the model');
		await library.rename(cwd, 's', 'Mine,\n with ghp_0123456789abcdefghij0123');
		await library.suggestTitle(cwd, 's', 'Again');
		const [info] = await library.list(cwd);
		assert.deepEqual([info?.title, info?.titleBy], ['Mine, with [secret masked]', 'person']);
		await library.archive(cwd, 's', true);
		assert.equal((await library.list(cwd))[0]?.archived, true);
		await writeFile(path.join(home, 'projects', projectSlug(cwd), 's', 'about.json'), '{"title":');
		assert.equal((await library.list(cwd))[0]?.title, 'first words');
		assert.deepEqual(await readFile(file), before, 'the transcript is as it was');
	});

	test('cleared away once a day, whoever does it; a clock that was set back stops nothing', async () => {
		const old = (now - 40 * day) / 1000;
		const grow = async (id: string) => {
			const file = await write(id, prompt(id));
			await utimes(file, old, old);
		};
		await grow('one');
		assert.deepEqual(await library.cleanUpDaily(30), ['one']);
		await grow('two');
		assert.deepEqual(await new SessionLibrary(home, () => now).cleanUpDaily(30), []);
		now += day;
		assert.deepEqual(await library.cleanUpDaily(30), ['two']);
		await grow('three');
		now -= 3 * day;
		assert.deepEqual(await library.cleanUpDaily(30), ['three']);
	});

	test('deleted with all that is its own, and taken back', async () => {
		const file = await write('s', prompt('first'));
		await write('s2', prompt('another'));
		const own = path.join(path.dirname(file), 's', 'results');
		await mkdir(own, { recursive: true });
		await writeFile(path.join(own, 'r.txt'), 'result');
		await writeFile(`${file}.damaged`, 'x');
		const bytes = await readFile(file);
		assert.equal(await library.remove(cwd, 's'), 'removed');
		assert.deepEqual(await ids(), ['s2']);
		assert.equal(existsSync(own), false);
		assert.equal(await library.remove(cwd, 's'), 'missing');
		assert.equal(await library.restore(cwd, 's'), true);
		assert.deepEqual((await ids()).toSorted(), ['s', 's2']);
		assert.deepEqual(await readFile(file), bytes);
		assert.equal(await readFile(path.join(own, 'r.txt'), 'utf8'), 'result');
		assert.equal(existsSync(`${file}.damaged`), true);
		assert.equal(await library.restore(cwd, 's'), false);
	});

	test('cleared away after a time: not pinned ones, not open ones; out of the trash a week later', async () => {
		const old = (now - 40 * day) / 1000;
		for (const id of ['old', 'pinned', 'open', 'young']) {
			const file = await write(id, prompt(id));
			if (id !== 'young') await utimes(file, old, old);
		}
		await library.pin(cwd, 'pinned', true);
		const opened = await store.open(cwd, 'open');
		assert.deepEqual(await library.cleanUp(0), []);
		assert.deepEqual(await library.cleanUp(30), ['old']);
		assert.deepEqual((await ids()).toSorted(), ['open', 'pinned', 'young']);
		const trash = path.join(home, 'trash', projectSlug(cwd));
		assert.deepEqual(await readdir(trash), ['old']);
		now += 8 * day;
		await library.cleanUp(365);
		assert.deepEqual(await readdir(trash), []);
		now -= 100 * day;
		assert.deepEqual(await library.cleanUp(30), [], 'a clock that was set back deletes nothing');
		await opened?.journal.close();
	});

	test('everything of a workspace, unless one of its sessions is open', async () => {
		await write('a', prompt('a'));
		await write('b', prompt('b'));
		await library.remove(cwd, 'b');
		const opened = await store.open(cwd, 'a');
		assert.deepEqual(await library.deleteWorkspace(cwd), ['a']);
		assert.deepEqual(await ids(), ['a']);
		await opened?.journal.close();
		assert.deepEqual(await library.deleteWorkspace(cwd), []);
		assert.deepEqual(await readdir(path.join(home, 'projects')), []);
		assert.deepEqual(await readdir(path.join(home, 'trash')), []);
	});

	test('with a workspace go the versions of its files, but for what another one needs', async () => {
		const blobs = new BlobStore(home);
		const [own, shared, trashed] = ['own', 'shared', 'trashed'].map((text) => blobs.put(Buffer.from(text)));
		const list = async (folder: string, id: string, ...hashes: (string | undefined)[]) => {
			const { journal, path: file } = await store.create({ cwd: folder, sessionId: id });
			await journal.append(first(id));
			await journal.close();
			const lines = hashes.map((hash) => JSON.stringify({ type: 'before', path: 'a', image: { kind: 'file', hash } }));
			await writeFile(path.join(file.replace(/\.jsonl$/, ''), 'checkpoints.jsonl'), lines.join('\n'));
		};
		await list(cwd, 'a', own, shared);
		await list(cwd, 'b', trashed);
		await list('/home/ada/other', 'c', shared);
		await library.remove(cwd, 'b');
		assert.deepEqual(await library.deleteWorkspace(cwd), []);
		const left = await Promise.all([own, shared, trashed].map((hash) => blobs.get(hash ?? '')));
		assert.deepEqual(
			left.map((bytes) => bytes && Buffer.from(bytes).toString()),
			[undefined, 'shared', undefined],
		);
	});

	test('sessions of a folder that goes belong to another one: all of them but what is open', async () => {
		const file = await write('a', prompt('漢字 first'), prompt('second'));
		const own = path.join(path.dirname(file), 'a', 'results');
		await mkdir(own, { recursive: true });
		await writeFile(path.join(own, 'r.txt'), 'result');
		await write('open', prompt('x'));
		const opened = await store.open(cwd, 'open');
		const before = (await readFile(file, 'utf8')).split('\n');
		await library.adopt(cwd, '/home/ada/main');
		const after = (await readFile(path.join(home, 'projects', projectSlug('/home/ada/main'), 'a.jsonl'), 'utf8')).split(
			'\n',
		);
		assert.deepEqual(after.slice(1), before.slice(1));
		assert.deepEqual(await ids(), ['open']);
		assert.deepEqual(await store.find('a').then((found) => found?.cwd), '/home/ada/main');
		const moved = await store.open('/home/ada/main', 'a');
		assert.equal(moved?.openElsewhere, false);
		await moved?.journal.close();
		assert.ok(existsSync(path.join(home, 'projects', projectSlug('/home/ada/main'), 'a', 'results', 'r.txt')));
		await opened?.journal.close();
	});

	test('ids that would leave the folder are refused', async () => {
		await assert.rejects(library.remove(cwd, '../x'), /no session id/);
		assert.throws(() => library.pin(cwd, '..', true), /no session id/);
	});

	test('two thousand: only what changed is looked at again', async () => {
		const folder = path.join(home, 'projects', projectSlug(cwd));
		await mkdir(folder, { recursive: true });
		for (let index = 0; index < 2000; index++) {
			const id = `s${index}`;
			await writeFile(path.join(folder, `${id}.jsonl`), formatLine(first(id), 1) + formatLine(prompt(`p ${index}`), 2));
		}
		assert.equal((await library.list(cwd)).length, 2000);
		await appendFile(path.join(folder, 's7.jsonl'), formatLine(end(2), 3));
		const again = await library.list(cwd);
		assert.equal(again.find(({ id }) => id === 's7')?.costUsd, 2);
		assert.equal(again.find(({ id }) => id === 's8')?.title, 'p 8');
	});

	suite('search', () => {
		async function search(text: string, more: { most?: number; signal?: AbortSignal } = {}): Promise<SessionHit[]> {
			const hits: SessionHit[] = [];
			const signal = more.signal ?? new AbortController().signal;
			const sessions = await library.transcripts(cwd);
			for await (const hit of searchSessions({ sessions, text, ...more, signal })) hits.push(hit);
			return hits;
		}

		test('in what was said and done, whatever the case, with what stands around it', async () => {
			await write('a', prompt('Please fix the "Login"\npage'), {
				type: 'tool_result',
				toolUseId: 't',
				state: 'done',
				view: { kind: 'none' },
				result: { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'login.ts:3' }] },
			});
			await write('b', prompt('nothing of it'), {
				type: 'block',
				messageId: 'm',
				index: 0,
				model: 'login-model',
				block: { type: 'text', text: '漢字 Login 漢字' },
			});
			const hits = await search('login');
			assert.deepEqual(hits.map(({ sessionId, from }) => `${sessionId} ${from}`).toSorted(), [
				'a person',
				'a tool',
				'b model',
			]);
			for (const { snippet, at } of hits) assert.equal(snippet.slice(at, at + 5).toLowerCase(), 'login');
			assert.equal((await search('"login"\npage')).length, 1);
			assert.deepEqual(await search('exchange_end'), [], 'not in what the format says');
			assert.deepEqual(await search('  '), []);
		});

		test('bounded, and ended by whoever asked', async () => {
			for (const id of ['a', 'b', 'c']) await write(id, ...Array.from({ length: 20 }, () => prompt('word')));
			assert.equal((await search('word')).length, 15, 'five of each');
			assert.equal((await search('word', { most: 7 })).length, 7);
			assert.deepEqual(await search('word', { signal: AbortSignal.abort() }), []);
		});

		test('lines across the pieces that are read', async () => {
			const long = 'z'.repeat(1_200_000);
			const file = await write('a', prompt(`${long} needle one`), prompt('needle two'), prompt(`needle ${long}`));
			const hits = await search('needle');
			assert.equal(hits.length, 3);
			const bytes = await readFile(file);
			for (const { offset } of hits) assert.equal(bytes.toString('utf8', offset, offset + 8), '{"time":');
		});
	});

	test('what a conversation is called: by its prompt, then by the model, then by the person; who listens is told once', async () => {
		await write('named', prompt('fix the login'));
		const titles = new SessionTitles(library);
		let told = 0;
		titles.onChange(() => (told += 1));
		const look = async () => {
			await titles.look(cwd, 'named');
			return titles.of('named');
		};
		assert.equal(titles.of('named'), undefined);
		assert.equal(await look(), 'fix the login');
		assert.equal(await look(), 'fix the login');
		assert.equal(told, 1);
		await library.suggestTitle(cwd, 'named', 'Login fails on Mondays');
		assert.equal(await look(), 'Login fails on Mondays');
		await library.rename(cwd, 'named', 'Mondays');
		assert.equal(await look(), 'Mondays');
		await library.rename(cwd, 'named', '');
		assert.equal(await look(), 'fix the login');
		await titles.look(cwd, 'absent');
		assert.equal(titles.of('absent'), undefined);
		assert.equal(told, 4);
	});

	test('who follows a session has the name that another window gives it, until it is left', async () => {
		const titles = new SessionTitles(library);
		titles.follow(cwd, 'named');
		const told = new EventEmitter();
		titles.onChange(() => told.emit('told', titles.of('named')));
		const { journal } = await store.create({ cwd, sessionId: 'named' });
		await journal.append(first('named'));
		await journal.append(prompt('fix the login'));
		titles.follow(cwd, 'named');
		await titles.look(cwd, 'named');
		const other = new SessionLibrary(home);
		let next = once(told, 'told');
		await other.rename(cwd, 'named', 'Mondays');
		assert.deepEqual(await next, ['Mondays']);
		next = once(told, 'told');
		await other.rename(cwd, 'named', '');
		assert.deepEqual(await next, ['fix the login']);
		titles.leave('named');
		titles.leave('named');
		const { journal: second } = await store.create({ cwd, sessionId: 'second' });
		await second.append(first('second'));
		titles.follow(cwd, 'second');
		const heard: unknown[] = [];
		told.on('told', (title) => heard.push(title));
		titles.onChange(() => told.emit('second', titles.of('second')));
		next = once(told, 'second');
		await other.rename(cwd, 'named', 'Not heard');
		await other.rename(cwd, 'second', 'Heard');
		assert.deepEqual(await next, ['Heard']);
		assert.deepEqual(heard, ['fix the login'], 'what was left is not looked at again');
		titles.leave('second');
		await journal.close();
		await second.close();
	});
});
