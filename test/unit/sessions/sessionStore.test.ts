// Transcripts on a real disk: what is written comes back, damage costs the damaged line only, nobody else can read them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entry } from '../../../src/core/messages/journal.ts';
import { loopwrightHome, projectSlug } from '../../../src/node/sessions/paths.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';
import { formatLine } from '../../../src/node/sessions/transcriptFile.ts';

const cwd = '/home/me/my project';
const session = (sessionId: string): Entry => ({ type: 'session', version: 1, sessionId, cwd, app: '0.0.0' });
const prompt = (text: string): Entry => ({
	type: 'user',
	message: { role: 'user', id: 'u', origin: 'prompt', content: [{ type: 'text', text }], time: 1 },
});

suite('session store', () => {
	let home: string;
	let store: SessionStore;
	setup(async () => {
		home = path.join(await mkdtemp(path.join(tmpdir(), 'lw-sessions-')), 'home');
		store = new SessionStore(home, { now: () => 42 });
	});
	teardown(() => rm(path.dirname(home), { recursive: true, force: true }));

	async function write(id: string, ...entries: Entry[]): Promise<string> {
		const { journal, path } = await store.create({ cwd, sessionId: id });
		await Promise.all(entries.map((entry) => journal.append(entry)));
		await journal.close();
		return path;
	}

	test('what is written comes back in order, with lone surrogates, NULs and line ends', async () => {
		const texts = ['one\ntwo\r\n', 'NUL \0', 'lone \ud800 surrogate', '漢字 \u{1f600}', '\u2028'];
		await write('s1', session('s1'), ...texts.map(prompt));
		const opened = await store.open(cwd, 's1');
		assert.equal(opened?.damaged, 0);
		assert.deepEqual(
			opened.entries.slice(1).map((entry) => entry.type === 'user' && entry.message.content[0]),
			texts.map((text) => ({ type: 'text', text })),
		);
		assert.ok(opened.entries.every(({ time }) => time === 42));
	});

	test('files and folders are for their owner only', async function () {
		if (process.platform === 'win32') this.skip();
		const file = await write('s1', session('s1'));
		assert.equal((await stat(file)).mode & 0o777, 0o600);
		assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
		assert.equal((await stat(home)).mode & 0o777, 0o700);
	});

	test('B62 damage in the middle and at the end: good lines stay, bad ones are counted, the original is kept', async () => {
		const file = await write('s1', session('s1'), prompt('1'), prompt('2'), prompt('3'), prompt('4'));
		const cutLine = formatLine(prompt('5'), 1).slice(0, 40);
		const glued = cutLine + formatLine(prompt('6'), 1);
		const tail = formatLine(prompt('10'), 1).slice(0, 50);
		await appendFile(file, glued + [7, 8, 9].map((n) => formatLine(prompt(String(n)), 1)).join('') + tail);
		const before = await readFile(file);

		const opened = await store.open(cwd, 's1');
		assert.equal(opened?.damaged, 2);
		const texts = opened.entries.flatMap((entry) =>
			entry.type === 'user' ? entry.message.content.map((block) => block.type === 'text' && block.text) : [],
		);
		assert.deepEqual(texts, ['1', '2', '3', '4', '6', '7', '8', '9']);
		assert.deepEqual(await readFile(`${file}.damaged`), before);

		await opened.journal.append(prompt('11'));
		await opened.journal.close();
		const again = await store.open(cwd, 's1');
		assert.equal(again?.entries.length, opened.entries.length + 1);
		assert.equal(again.damaged, 0, 'told of once');
		await again.journal.close();
	});

	test('entries of a later version are kept, other JSON is damage', async () => {
		const file = await write('s1', session('s1'));
		await appendFile(file, '{"time":1,"type":"from_the_future","x":[1]}\n[1]\n"text"\n{"type":"user"}\n\n');
		const opened = await store.open(cwd, 's1');
		assert.equal(opened?.damaged, 3);
		assert.deepEqual(opened.entries[1], { time: 1, type: 'from_the_future', x: [1] });
	});

	test('latest and find', async () => {
		const old = await write('old', session('old'), prompt('the old one'));
		const young = await write('young', session('young'), prompt('second'));
		await utimes(old, 100, 100);
		await utimes(young, 300, 300);
		assert.equal(await store.latest(cwd), 'young');
		assert.equal((await store.find('old'))?.cwd, cwd);
		assert.equal(await store.find('none'), undefined);
	});

	test('nothing there: no session, no errors', async () => {
		assert.equal(await store.latest(cwd), undefined);
		assert.equal(await store.open(cwd, 's1'), undefined);
	});

	test('an id that is taken or would leave the folder is refused', async () => {
		await write('s1', session('s1'));
		const taken = await store.create({ cwd, sessionId: 's1' });
		await assert.rejects(taken.journal.append(prompt('x')), /already/);
		await taken.journal.close();
		await assert.rejects(store.create({ cwd, sessionId: '../../x' }), /no session id/);
		await assert.rejects(store.open(cwd, '..'), /no session id/);
		assert.equal(await store.find('../s1'), undefined);
	});

	test('a real disk that fills and has room again: said once each, and every line is there', async function () {
		const disk = await mkdtemp(path.join(tmpdir(), 'lw-disk-'));
		if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0) {
			await rm(disk, { recursive: true });
			this.skip();
		}
		try {
			const said: string[] = [];
			const small = new SessionStore(disk, {
				trouble: (kind) => said.push(kind),
				recovered: () => said.push('stored'),
			});
			const { journal, path: file } = await small.create({ cwd: '/w', sessionId: 'small' });
			const reasons = ['one', 'x'.repeat(20_000), 'three', 'four'];
			const append = (reason: string | undefined) => journal.append({ type: 'exchange_end', reason: reason ?? '' });
			await append(reasons[0]);
			await writeFile(path.join(disk, 'filler'), Buffer.alloc(1024 * 1024)).catch(() => undefined);
			for (const reason of reasons.slice(1, 3)) await append(reason);
			await rm(path.join(disk, 'filler'));
			await append(reasons[3]);
			await journal.close();
			const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
			assert.deepEqual(
				lines.map((line) => (JSON.parse(line) as { readonly reason: string }).reason),
				reasons,
			);
			assert.deepEqual(said, ['full', 'stored']);
		} finally {
			spawnSync('umount', ['-l', disk]);
			await rm(disk, { recursive: true, force: true });
		}
	});

	test('slugs', () => {
		assert.equal(projectSlug('/home/me/my project'), '-home-me-my-project');
		assert.equal(projectSlug('C:\\Work\\漢字'), 'C--Work---');
		const long = projectSlug(`/${'a'.repeat(300)}`);
		assert.equal(long.length, 213);
		assert.notEqual(long, projectSlug(`/${'a'.repeat(301)}`));
		assert.equal(loopwrightHome({ LOOPWRIGHT_HOME: '/x' }), path.resolve('/x'));
	});
});
