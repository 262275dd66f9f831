// Bounds of what is kept around commands, and of looks over a project.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandWatch } from '../../../src/core/checkpoints/commandWatch.ts';
import { CheckpointRecorder } from '../../../src/core/checkpoints/recorder.ts';
import { limits } from '../../../src/core/limits.ts';
import type { CheckpointRecord, FileImage } from '../../../src/core/ports/checkpoints.ts';
import type { FileMark, Listing } from '../../../src/core/ports/projectScan.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { NodeProjectScan } from '../../../src/node/checkpoints/projectScan.ts';

suite('bounds of checkpoints', () => {
	/** A watch over files that only exist as marks; `after` is what looks see from the second one on. */
	async function bounded(before: Listing, after: Listing) {
		const records: CheckpointRecord[] = [];
		const keeps: string[] = [];
		const image = (path: string): FileImage => ({ kind: 'file', hash: path, size: 1 });
		const images = {
			keep: (path: string) => (keeps.push(path), Promise.resolve(image(path))),
			look: (path: string) => Promise.resolve(image(`${path} changed`)),
		};
		const recorder = new CheckpointRecorder({
			index: { append: (record) => void records.push(record), read: () => Promise.resolve([]) },
			images,
		});
		let looks = 0;
		const watch = new CommandWatch({
			recorder,
			images,
			keepBytes: () => Promise.resolve({ kind: 'missing' }),
			scan: {
				list: () => Promise.resolve(looks++ === 0 ? before : after),
				tracked: () => Promise.resolve({ bytes: () => Promise.resolve(undefined) }),
				filesOf: (file) => Promise.resolve([file]),
				mark: (file) => Promise.resolve(before.files.get(file)),
				folderChanged: () => Promise.resolve(undefined),
			},
			targets: ({ command }) => Promise.resolve({ paths: command.split(' '), readOnly: false }),
			openFiles: () => [],
			savedByPerson: () => false,
			now: () => 100,
		});
		watch.begin();
		await watch.settled();
		return {
			watch,
			keeps,
			async run(command: string) {
				const settle = await watch.before({ command, cwd: '/w', timeoutMs: 1 });
				await settle();
				await watch.compared();
			},
			found: () => records.flatMap((record) => (record.type === 'found' ? [record] : [])),
		};
	}
	const listing = (count: number, mark: Partial<FileMark> = {}, complete = true): Listing => {
		const files = Array.from({ length: count }, (_, file) => `/w/${file}`);
		return { files: new Map(files.map((file) => [file, { size: 1, mtime: 1, changed: 1, ...mark }])), complete };
	};
	const touchedThen = { mtime: 2, changed: 200 };

	test('bounds: finds, files that a command names, files that were read and their sizes', async () => {
		const many = limits.checkpointFinds + 10;
		const finds = await bounded(listing(many), listing(many, touchedThen));
		await finds.run('x');
		assert.equal(finds.found().length, limits.checkpointFinds);
		const named = await bounded(listing(0), listing(0));
		await named.run(Array.from({ length: limits.checkpointCommandFiles + 10 }, (_, file) => `/w/n${file}`).join(' '));
		assert.equal(named.keeps.length, limits.checkpointCommandFiles);
		const large = Math.floor(limits.checkpointCommandBytes / 4);
		const sized = await bounded(listing(9, { size: large }), listing(9, { size: large }));
		await sized.run(Array.from({ length: 9 }, (_, file) => `/w/${file}`).join(' '));
		assert.equal(sized.keeps.length, 4);

		const most = limits.checkpointReads + 10;
		const reads = await bounded(listing(most), listing(most));
		for (let file = 0; file < most; file++) reads.watch.seen(`/w/${file}`);
		assert.equal(reads.keeps.length, 0, 'reading keeps nothing');
		await reads.run('x');
		assert.deepEqual(
			reads.keeps.filter((path) => path !== 'x'),
			Array.from({ length: limits.checkpointReads }, (_, file) => `/w/${most - 1 - file}`),
		);
		await reads.run('y');
		assert.equal(reads.keeps.filter((path) => path.startsWith('/w/')).length, limits.checkpointReads, 'kept once');
		const heavy = await bounded(listing(100, { size: limits.checkpointReadBytes }), listing(0));
		for (let file = 0; file < 100; file++) heavy.watch.seen(`/w/${file}`);
		await heavy.run('x');
		assert.equal(heavy.keeps.length - 1, limits.checkpointCommandBytes / limits.checkpointReadBytes);
		const tooLarge = await bounded(listing(1, { size: limits.checkpointReadBytes + 1 }), listing(0));
		tooLarge.watch.seen('/w/0');
		await tooLarge.run('x');
		assert.deepEqual(tooLarge.keeps, ['x']);
	});

	test('a look that was cut takes nothing for removed, and after it nothing is taken for new', async () => {
		const removed = await bounded(listing(2), listing(1, {}, false));
		await removed.run('x');
		assert.deepEqual(removed.found(), []);
		const fresh = await bounded(listing(1, {}, false), listing(2, touchedThen));
		await fresh.run('x');
		assert.deepEqual(
			fresh.found().map(({ before }) => before.kind),
			['unkept', 'unkept'],
		);
		const known = await bounded(listing(1), listing(2, touchedThen));
		await known.run('x');
		assert.deepEqual(
			known.found().map(({ before }) => before.kind),
			['unkept', 'missing'],
		);
	});

	test('a look ends at its number of files, at its time, and when it is called off; then it is not complete', async () => {
		const root = await mkdtemp(path.join(tmpdir(), 'checkpoints-'));
		try {
			await mkdir(path.join(root, 'deep'));
			for (const name of ['a', 'b', 'c', 'deep/d', 'deep/e']) await writeFile(path.join(root, name), name);
			const look = async (
				options: { readonly maxFiles?: number; readonly now?: () => number },
				signal?: AbortSignal,
			) => {
				const scan = new NodeProjectScan({ roots: () => [root], trusted: () => false, ...options });
				const { files, complete } = await scan.list(signal ?? new AbortController().signal);
				return [files.size, complete];
			};
			let now = 0;
			assert.deepEqual(await look({}), [5, true]);
			assert.deepEqual(await look({ maxFiles: 2 }), [2, false]);
			assert.deepEqual(await look({ maxFiles: 3 }), [3, false]);
			assert.deepEqual(await look({ maxFiles: 4 }), [4, false]);
			assert.deepEqual(await look({ now: () => (now += 1_500) }), [3, false]);
			assert.deepEqual(await look({}, AbortSignal.abort()), [0, false]);
		} finally {
			await rm(root, { recursive: true });
		}
	});

	test('the bounds of an editor hold for a run without one, once a day', async () => {
		const home = await mkdtemp(path.join(tmpdir(), 'checkpoints-'));
		try {
			const day = 24 * 60 * 60_000;
			let now = Date.now();
			const store = new BlobStore(home, () => now);
			await store.pruneDaily({ maxBytes: 1, days: 1 });
			const hashes = ['one', 'two', 'six'].map((text) => store.put(Buffer.from(text)));
			const left = async () => (await Promise.all(hashes.map((hash) => store.get(hash)))).filter(Boolean).length;
			await store.prune({ maxBytes: 1_000, days: 400 });
			await store.pruneDaily({ maxBytes: 1_000, days: 1 });
			now += 30 * day;
			await store.pruneDaily({ maxBytes: 1_000, days: 1 });
			assert.equal(await left(), 3, "the editor's 400 days hold");
			await store.prune({ maxBytes: 3, days: 400 });
			assert.equal(await left(), 1);
			hashes.push(store.put(Buffer.from('ten')), store.put(Buffer.from('abc')));
			await store.pruneDaily({ maxBytes: 1, days: 1 });
			assert.equal(await left(), 3, 'not twice a day');
			now += 2 * day;
			await store.pruneDaily({ maxBytes: 1_000, days: 400 });
			assert.equal(await left(), 1, "the editor's 3 bytes hold");
			now += 40 * day;
			await store.prune({ maxBytes: 1_000, days: 30 });
			assert.equal(await left(), 0, 'too old, though there is room');
		} finally {
			await rm(home, { recursive: true });
		}
	});
});
