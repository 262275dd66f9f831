// The list of checkpoints on disks that are slow or full: whole lines in order, and nobody waits for them but who depends on one.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CheckpointRecorder } from '../../../src/core/checkpoints/recorder.ts';
import type { FileImage } from '../../../src/core/ports/checkpoints.ts';
import { CheckpointFile, type ListFs } from '../../../src/node/checkpoints/checkpointFile.ts';

suite('list of checkpoints', () => {
	let base: string;
	let file: string;
	setup(async () => {
		base = await mkdtemp(path.join(tmpdir(), 'lw-list-'));
		file = path.join(base, 'session', 'checkpoints.jsonl');
	});
	teardown(() => rm(base, { recursive: true, force: true }));
	const prompt = (id: string) => ({ type: 'prompt', id }) as const;
	const ids = (records: readonly { readonly type: string }[]) =>
		records.map((record) => ('id' in record ? record.id : record.type));

	test('a slow disk holds up nothing but the first line; what a change depends on is awaited', async () => {
		let waited = 0;
		const order: string[] = [];
		const slow: ListFs = {
			append(target, text) {
				waited++;
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
				appendFileSync(target, text);
			},
			async appendLater(target, text) {
				await new Promise((resolve) => setTimeout(resolve, 20));
				await appendFile(target, text);
				order.push(text.includes('before') ? 'before is written' : 'written');
			},
		};
		const index = new CheckpointFile(file, (error) => assert.fail(String(error)), slow);
		const image: FileImage = { kind: 'missing' };
		const images = {
			keep: () => Promise.resolve(image),
			look: () => Promise.resolve(image),
			bytes: () => Promise.resolve(undefined),
			put: () => assert.fail('nothing is put'),
		};
		const recorder = new CheckpointRecorder({ index, images });
		recorder.promptTaken('one');
		recorder.promptTaken('two');
		const after = await recorder.before('/a');
		order.push('changed');
		await after(true);
		assert.equal(waited, 1);
		assert.deepEqual(order, ['written', 'before is written', 'changed', 'written']);
		await index.append(prompt('three'));
		assert.deepEqual(ids(await index.read()), ['one', 'two', 'before', 'after', 'three']);
	});

	test('a line that a full disk cut costs that line only', async () => {
		let full = false;
		const failed: string[] = [];
		const cut: ListFs = {
			append(target, text) {
				appendFileSync(target, full ? text.slice(0, 9) : text);
				if (full) throw new Error('ENOSPC');
			},
			appendLater: () => assert.fail('it is not slow'),
		};
		const index = new CheckpointFile(file, (error) => failed.push(String(error)), cut);
		await index.append(prompt('one'));
		full = true;
		await index.append(prompt('two'));
		full = false;
		await index.append(prompt('three'));
		await index.append(prompt('four'));
		assert.deepEqual(ids(await index.read()), ['one', 'three', 'four']);
		assert.equal(failed.length, 1);
		assert.match(await readFile(file, 'utf8'), /\n{"type":"prompt","id":"four"}\n$/);
	});
});
