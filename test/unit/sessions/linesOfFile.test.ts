// Lines of a file larger than the pieces that are read: each once, whole and in its place, forwards and backwards.
import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eachLine, linesBackward } from '../../../src/node/sessions/linesOfFile.ts';

const megabyte = 1024 * 1024;

suite('lines of a file', () => {
	let folder: string;
	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'lw-lines-'));
	});
	teardown(() => rm(folder, { recursive: true, force: true }));

	for (const end of ['\n', '']) {
		test(`short ones, one that is longer than two pieces, and ${end === '' ? 'no end of the last' : 'an end of all'}`, async () => {
			const lines = Array.from({ length: 3000 }, (_, at) => `${at} ${'x'.repeat((at * 7919) % 5000)} é`);
			lines.splice(2000, 0, 'y'.repeat(9 * megabyte), '', 'z'.repeat(4 * megabyte));
			const text = lines.join('\n') + end;
			const file = path.join(folder, 'f');
			await writeFile(file, text);
			const handle = await open(file, 'r');
			try {
				const { size } = await handle.stat();
				const forward: string[] = [];
				await eachLine(handle, size, (bytes, start, to) => forward.push(bytes.toString('utf8', start, to)));
				assert.ok(forward.length === lines.length && forward.every((line, at) => line === lines[at]));
				const backward: string[] = [];
				for await (const line of linesBackward(handle, size)) backward.push(line.text);
				const filled = lines.filter((line) => line !== '');
				assert.ok(backward.length === filled.length && backward.every((line, at) => line === filled.at(-1 - at)));
			} finally {
				await handle.close();
			}
		});
	}
});
