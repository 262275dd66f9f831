// The memory folder and the lock on a real disk: links that lead out, other writers, locks that were left behind.
import assert from 'node:assert/strict';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileDreamPort } from '../../../src/node/memory/fileDreamPort.ts';
import { FolderMemoryStore } from '../../../src/node/memory/folderMemoryStore.ts';

suite('memory on disk', () => {
	let base: string;
	setup(() => {
		base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lw-memory-')));
	});
	teardown(() => rmSync(base, { recursive: true, force: true }));
	const folder = () => path.join(base, '.loopwright', 'memory');

	test('files are listed, written, taken away; nothing half-written stays', async () => {
		const store = new FolderMemoryStore(base);
		assert.deepEqual(await store.list(), []);
		assert.equal(existsSync(folder()), false);
		assert.equal(await store.change('b.md', undefined, 'B\n'), true);
		assert.equal(await store.change('a.md', undefined, 'A\n'), true);
		writeFileSync(path.join(folder(), 'notes.txt'), 'no memory');
		assert.deepEqual(await store.list(), [
			{ name: 'a.md', text: 'A\n' },
			{ name: 'b.md', text: 'B\n' },
		]);
		assert.equal(await store.change('a.md', 'A\n', undefined), true);
		assert.deepEqual(readdirSync(folder()).toSorted(), ['b.md', 'notes.txt']);
	});

	test('what somebody else wrote is never overwritten', async () => {
		const store = new FolderMemoryStore(base);
		await store.change('a.md', undefined, 'A\n');
		writeFileSync(path.join(folder(), 'a.md'), 'mine\n');
		assert.equal(await store.change('a.md', 'A\n', 'theirs'), false);
		assert.equal(await store.change('a.md', undefined, 'theirs'), false);
		assert.equal(readFileSync(path.join(folder(), 'a.md'), 'utf8'), 'mine\n');
	});

	test('links do not lead out of the project', async function () {
		if (process.platform === 'win32') this.skip();
		const outside = path.join(base, 'outside');
		const project = path.join(base, 'project');
		mkdirSync(outside);
		mkdirSync(path.join(project, '.loopwright'), { recursive: true });
		writeFileSync(path.join(outside, 'secret.md'), 'secret');
		symlinkSync(outside, path.join(project, '.loopwright', 'memory'));
		const linked = new FolderMemoryStore(project);
		assert.deepEqual(await linked.list(), []);
		await assert.rejects(linked.change('new.md', undefined, 'x'), /leads out/);
		rmSync(path.join(project, '.loopwright', 'memory'));
		mkdirSync(path.join(project, '.loopwright', 'memory'));
		symlinkSync(path.join(outside, 'secret.md'), path.join(project, '.loopwright', 'memory', 'link.md'));
		assert.deepEqual(await linked.list(), []);
		assert.equal(await linked.change('link.md', undefined, 'x'), false);
		assert.equal(readFileSync(path.join(outside, 'secret.md'), 'utf8'), 'secret');
		await assert.rejects(linked.change('../../evil.md', undefined, 'x'), /no name/);
	});

	test('the time of the last run, and sessions since', async () => {
		let now = 5_000_000;
		const port = new FileDreamPort(path.join(base, 'p'), () => now);
		assert.equal(await port.lastRun(), undefined);
		assert.equal(await port.sessionsSince(0, 5), 0);
		const lock = await port.lock();
		await lock?.release(true);
		assert.equal(await port.lastRun(), 5_000_000);
		for (const [name, seconds] of [
			['a.jsonl', 4000],
			['b.jsonl', 6000],
			['c.jsonl', 7000],
			['d.json', 7000],
		] as const) {
			writeFileSync(path.join(base, 'p', name), '');
			utimesSync(path.join(base, 'p', name), seconds, seconds);
		}
		assert.equal(await port.sessionsSince(5_000_000, 5), 2);
		assert.equal(await port.sessionsSince(0, 2), 2);
		now = 6_000_000;
		await (await port.lock())?.release(false);
		assert.equal(await port.lastRun(), 5_000_000);
	});

	test('one lock at a time; one that its process left behind is taken over', async () => {
		const port = new FileDreamPort(base);
		const file = path.join(base, 'memory.lock');
		const first = await port.lock();
		assert.ok(first);
		assert.equal(await new FileDreamPort(base).lock(), undefined);
		await first.release(false);
		assert.equal(existsSync(file), false);
		// A process that is gone, then one that is alive but holds it for too long.
		writeFileSync(file, '2147483646 gone');
		const second = await port.lock();
		assert.ok(second);
		await second.release(false);
		writeFileSync(file, `${process.pid} old`);
		utimesSync(file, 1, 1);
		const third = await port.lock();
		assert.ok(third);
		// Taken over in the meantime: it belongs to somebody else.
		writeFileSync(file, `${process.pid} other`);
		await third.release(false);
		assert.equal(readFileSync(file, 'utf8'), `${process.pid} other`);
		assert.deepEqual(readdirSync(base), ['memory.lock']);
	});

	test('of many that try at once, one gets it', async () => {
		writeFileSync(path.join(base, 'memory.lock'), '2147483646 gone');
		const locks = await Promise.all(Array.from({ length: 8 }, () => new FileDreamPort(base).lock()));
		assert.ok(locks.filter(Boolean).length <= 1);
	});
});
