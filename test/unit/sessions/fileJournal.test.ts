// A journal on disks that fail: said once, nothing lost while the process lives, and never a line out of its order or half a line
// that a whole one is glued to.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Entry } from '../../../src/core/messages/journal.ts';
import { FileJournal, type JournalFs, type StorageTrouble } from '../../../src/node/sessions/fileJournal.ts';
import { parseTranscript } from '../../../src/node/sessions/transcriptFile.ts';

const end = (reason: string): Entry => ({ type: 'exchange_end', reason });

/** A disk in memory that takes what the test lets it take. */
class FaultyDisk implements JournalFs {
	bytes = Buffer.alloc(0);
	/** Bytes that it still has room for. */
	room = Infinity;
	code = 'ENOSPC';
	later = 0;
	delayMs = 0;

	open(): number {
		if (this.room <= 0) throw this.#error();
		return 1;
	}
	write(_: number, bytes: Buffer): number {
		if (this.delayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.delayMs);
		if (this.room <= 0) throw this.#error();
		const taken = Math.min(bytes.length, this.room);
		this.room -= taken;
		this.bytes = Buffer.concat([this.bytes, bytes.subarray(0, taken)]);
		return taken;
	}
	writeLater(descriptor: number, bytes: Buffer): Promise<number> {
		this.later++;
		this.delayMs = 0;
		return Promise.resolve().then(() => this.write(descriptor, bytes));
	}
	close(): void {}
	get reasons(): readonly string[] {
		const { entries } = parseTranscript(this.bytes.toString('utf8'));
		return entries.map((entry) => (entry.type === 'exchange_end' ? entry.reason : entry.type));
	}
	#error(): Error {
		return Object.assign(new Error(`${this.code}: the disk of the test`), { code: this.code });
	}
}

suite('file journal', () => {
	let folder: string;
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'lw-journal-'));
	});
	teardown(() => rm(folder, { recursive: true, force: true }));

	function journalOn(disk: JournalFs, now = () => 1) {
		const told: StorageTrouble[] = [];
		const back = { count: 0 };
		const journal = new FileJournal({
			file: 'x',
			now,
			fs: disk,
			trouble: (trouble) => told.push(trouble),
			recovered: () => back.count++,
		});
		return { journal, told, back };
	}

	test('a disk that fills and empties at any byte: each line once, in order; told once a time', async () => {
		const rooms = fc.array(fc.oneof(fc.constant(0), fc.nat(200), fc.constant(100_000)), {
			minLength: 1,
			maxLength: 20,
		});
		await fc.assert(
			fc.asyncProperty(rooms, async (steps) => {
				const disk = new FaultyDisk();
				const { journal, told } = journalOn(disk);
				for (const [index, room] of steps.entries()) {
					disk.room = room;
					await journal.append(end(`${index} ${'x'.repeat(index * 7)}`));
				}
				assert.ok(told.length <= steps.length && told.every((kind) => kind === 'full'));
				disk.room = Infinity;
				await journal.close();
				assert.deepEqual(
					disk.reasons.map((reason) => Number(reason.split(' ')[0])),
					steps.map((_, index) => index),
				);
			}),
		);
	});

	test('one message while it goes on failing', async () => {
		const disk = new FaultyDisk();
		disk.room = 0;
		const { journal, told } = journalOn(disk);
		for (let index = 0; index < 10; index++) await journal.append(end(String(index)));
		assert.deepEqual(told, ['full']);
		disk.code = 'EROFS';
		await journal.append(end('11'));
		assert.deepEqual(told, ['full']);
	});

	test('that all is stored again is said once, when nothing waits any more', async () => {
		const disk = new FaultyDisk();
		const { journal, back } = journalOn(disk);
		await journal.append(end('0'));
		disk.room = 0;
		for (let index = 1; index < 4; index++) await journal.append(end(String(index)));
		assert.equal(back.count, 0);
		disk.room = Infinity;
		await journal.append(end('4'));
		await journal.append(end('5'));
		assert.equal(back.count, 1);
		assert.deepEqual(disk.reasons, ['0', '1', '2', '3', '4', '5']);
	});

	for (const [code, kind] of [
		['EROFS', 'read_only'],
		['EACCES', 'read_only'],
		['EDQUOT', 'full'],
		['EIO', 'failed'],
	] as const) {
		test(`${code} is "${kind}"`, async () => {
			const disk = new FaultyDisk();
			Object.assign(disk, { room: 0, code });
			const { journal, told } = journalOn(disk);
			await journal.append(end('x'));
			assert.deepEqual(told, [kind]);
		});
	}

	test('a slow disk does not hold up the process, and keeps the order', async () => {
		const disk = new FaultyDisk();
		disk.delayMs = 120;
		const { journal, told } = journalOn(disk);
		await Promise.all(Array.from({ length: 20 }, (_, index) => journal.append(end(String(index)))));
		assert.equal(disk.later, 19, 'the first write was slow, the others take the pool');
		assert.deepEqual(
			disk.reasons,
			Array.from({ length: 20 }, (_, index) => String(index)),
		);
		assert.deepEqual(told, []);
		await journal.close();
	});

	test('closed: nothing more is written, somebody else may have it', async () => {
		const disk = new FaultyDisk();
		const { journal } = journalOn(disk);
		await journal.append(end('x'));
		await journal.close();
		await journal.close();
		await assert.rejects(journal.append(end('y')), /closed/);
		assert.deepEqual(disk.reasons, ['x']);
	});

	test('a clock that goes backwards: times never do', async () => {
		const disk = new FaultyDisk();
		const times = [5, 9, 3, 4, 12];
		const { journal } = journalOn(disk, () => times.shift() ?? 0);
		for (let index = 0; index < 5; index++) await journal.append(end('x'));
		const { entries } = parseTranscript(disk.bytes.toString('utf8'));
		assert.deepEqual(
			entries.map(({ time }) => time),
			[5, 9, 9, 9, 12],
		);
	});

	test('a real device without room', async function () {
		if (!existsSync('/dev/full')) this.skip();
		const file = path.join(folder, 'full.jsonl');
		await symlink('/dev/full', file);
		const told: string[] = [];
		const journal = new FileJournal({ file, now: () => 1, trouble: (trouble) => told.push(trouble) });
		await journal.append(end('x'));
		await journal.append(end('y'));
		assert.deepEqual(told, ['full']);
		await journal.close();
	});

	test('a real disk that can only be read: said as that, and written once it can be', async function () {
		const mount = (...args: readonly string[]) => spawnSync('mount', [...args, folder]).status === 0;
		if (!mount('-t', 'tmpfs', 'tmpfs')) this.skip();
		try {
			if (!mount('-o', 'remount,ro')) this.skip();
			const told: string[] = [];
			const file = path.join(folder, 'not', 'there', 'j.jsonl');
			const trouble = (kind: StorageTrouble) => told.push(kind);
			const journal = new FileJournal({ file, now: () => 1, trouble, recovered: () => told.push('stored') });
			await journal.append(end('1'));
			assert.deepEqual(told, ['read_only']);
			assert.ok(mount('-o', 'remount,rw'));
			await journal.append(end('2'));
			await journal.close();
			assert.deepEqual(told, ['read_only', 'stored']);
			assert.equal(parseTranscript(await readFile(file, 'utf8')).entries.length, 2);
		} finally {
			spawnSync('umount', ['-l', folder]);
		}
	});

	test('a folder that cannot be made: in memory, and told', async () => {
		const blocked = path.join(folder, 'file');
		const first = new FileJournal({ file: blocked, now: () => 1 });
		await first.append(end('x'));
		await first.close();
		const told: string[] = [];
		const journal = new FileJournal({
			file: path.join(blocked, 'x.jsonl'),
			now: () => 1,
			trouble: (t) => told.push(t),
		});
		await journal.append(end('y'));
		assert.deepEqual(told, ['failed']);
		await journal.close();
	});

	test('secrets are masked, by shape and by value, in files for their owner only', async () => {
		const file = path.join(folder, 'deep', 'x.jsonl');
		const journal = new FileJournal({ file, now: () => 1, secrets: () => ['my-own-gateway-key'] });
		await journal.append(end('plain'));
		await journal.append({
			type: 'tool_start',
			toolUseId: 't1',
			name: 'Bash',
			input: { command: 'curl -H "x: my-own-gateway-key" ghp_0123456789abcdefghij0123' },
		});
		await journal.close();
		const text = await readFile(file, 'utf8');
		assert.doesNotMatch(text, /my-own-gateway-key|ghp_/);
		assert.equal(text.match(/\[secret masked\]/g)?.length, 2);
		if (process.platform !== 'win32') {
			assert.equal((await stat(file)).mode & 0o777, 0o600);
			assert.equal((await stat(path.dirname(file))).mode & 0o777, 0o700);
		}
	});
});
