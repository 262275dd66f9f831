// Memory that is used again for one file after the other must never show in what is kept of them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../../src/core/limits.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { DiskImages } from '../../../src/node/checkpoints/diskImages.ts';

suite('images of files on the disk', () => {
	let base: string;
	let images: DiskImages;
	setup(() => {
		base = mkdtempSync(path.join(tmpdir(), 'images-'));
		images = new DiskImages(new BlobStore(path.join(base, 'home')));
	});
	teardown(() => rmSync(base, { recursive: true, force: true }));

	const room = 2 * 1024 * 1024;
	const sizes = [3 * room, room + 1, 0, room, 1, room - 1, 4_000, room - 2, 2 * room, 60_000];
	const bytesOf = (size: number, seed: number) => Buffer.alloc(size, `${seed}: ä\r\n`);

	test('files of all sizes, larger and smaller ones in turn and all at once: each has its own bytes', async () => {
		const files = sizes.map((size, index) => ({ file: path.join(base, `${index}`), bytes: bytesOf(size, index) }));
		for (const { file, bytes } of files) writeFileSync(file, bytes);
		const [kept, looked] = await Promise.all([
			Promise.all(files.map(({ file }) => images.keep(file))),
			Promise.all(files.map(({ file }) => images.look(file))),
		]);
		assert.deepEqual(looked, kept);
		for (const { file } of files) writeFileSync(file, 'changed');
		for (const [index, { file, bytes }] of files.entries()) {
			const image = kept[index] ?? assert.fail();
			assert.ok(image.kind === 'file');
			assert.equal(image.size, bytes.length);
			assert.equal(image.hash, createHash('sha256').update(bytes).digest('hex'));
			assert.deepEqual(await images.bytes(image), bytes);
			assert.deepEqual(await images.put(file, image), { kind: 'done' });
			assert.ok(readFileSync(file).equals(bytes));
		}
	});

	test('files that say a wrong size are kept as they are', async function () {
		// The system's own files say 0 and have more.
		if (process.platform !== 'linux') return this.skip();
		const image = await images.keep('/proc/self/status');
		assert.ok(image.kind === 'file' && image.size > 100);
	});

	test('the bound is for what a file has', async () => {
		const file = path.join(base, 'large');
		writeFileSync(file, Buffer.alloc(limits.checkpointFileBytes));
		const image = await images.look(file);
		assert.ok(image.kind === 'file' && image.size === limits.checkpointFileBytes);
		appendFileSync(file, 'x');
		assert.deepEqual(await images.look(file), { kind: 'unkept', reason: 'too_large' });
	});
});
