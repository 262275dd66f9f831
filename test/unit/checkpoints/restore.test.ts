// Checkpoints from the agent's change to the file as it was: real files, a real store, real lists.
import assert from 'node:assert/strict';
import {
	chmod,
	link,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	rm,
	stat,
	symlink,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileImage } from '../../../src/core/ports/checkpoints.ts';
import { changedByRestore, changedSince, planRestore, redoable } from '../../../src/core/checkpoints/planRestore.ts';
import type { ChangedFile, PlannedFile } from '../../../src/core/checkpoints/planRestore.ts';
import { CheckpointRecorder } from '../../../src/core/checkpoints/recorder.ts';
import { RecordedWorkspace } from '../../../src/core/checkpoints/recordedWorkspace.ts';
import { restoreFiles } from '../../../src/core/checkpoints/restoreFiles.ts';
import { limits } from '../../../src/core/limits.ts';
import { editTool } from '../../../src/core/tools/builtin/edit.ts';
import { writeTool } from '../../../src/core/tools/builtin/write.ts';
import { readTool } from '../../../src/core/tools/builtin/read.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../../src/node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../../src/node/checkpoints/diskImages.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { callTool, fakeContext } from '../../support/fakeWorkspace.ts';

suite('checkpoints', () => {
	let base: string;
	let root: string;
	setup(async () => {
		base = await mkdtemp(path.join(tmpdir(), 'checkpoints-'));
		root = path.join(base, 'project');
		await mkdir(root);
	});
	teardown(() => rm(base, { recursive: true, force: true }));

	/** What one session has, as after its start or a reload. */
	function session() {
		const store = new BlobStore(path.join(base, 'home'));
		const images = new DiskImages(store);
		const index = new CheckpointFile(path.join(base, 'session', 'checkpoints.jsonl'), (error) =>
			assert.fail(String(error)),
		);
		const recorder = new CheckpointRecorder({ index, images });
		const workspace = new RecordedWorkspace(new NodeWorkspace({ roots: [root] }), recorder);
		const context = fakeContext(workspace);
		return {
			store,
			images,
			index,
			recorder,
			write: async (file: string, content: string) => {
				await callTool(readTool, { file_path: file }, context);
				const { isError, text } = await callTool(writeTool, { file_path: file, content }, context);
				assert.ok(!isError, text);
			},
			edit: (file: string, old_string: string, new_string: string) =>
				callTool(editTool, { file_path: file, old_string, new_string }, context),
			plan: async (prompt: string) => {
				const changed = changedSince(await index.read(), prompt);
				assert.ok(changed);
				return planRestore(changed, await now(changed));
			},
			restore: (files: readonly PlannedFile[], to = 'p1') =>
				restoreFiles({ files, to, scope: 'files', redo: false }, { images, index }),
			redo: async () => {
				const last = redoable(await index.read());
				assert.ok(last, 'nothing to redo');
				const changed = changedByRestore(last);
				const { files } = planRestore(changed, await now(changed));
				return restoreFiles({ files, to: last.to, scope: last.scope, redo: true }, { images, index });
			},
		};
		async function now(changed: readonly ChangedFile[]) {
			const found = await Promise.all(changed.map(async (file) => [file.path, await images.look(file.path)] as const));
			return new Map<string, FileImage>(found);
		}
	}
	const at = (name: string) => path.join(root, name);
	const put = (name: string, text: string | Uint8Array) => writeFile(at(name), text);
	const text = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);
	const summary = (files: readonly PlannedFile[]) =>
		files.map(
			({ path: file, effect, conflict }) => `${path.basename(file)} ${effect}${conflict ? ` ${conflict}` : ''}`,
		);

	test('files go back to before the first change of a message, byte for byte; what did not exist is gone', async () => {
		const bytes = Buffer.from('\uFEFFone\r\ntwo\nthree', 'utf8');
		await put('a.txt', bytes);
		const s = session();
		s.recorder.promptTaken('p1');
		await s.write('a.txt', 'first\n');
		await s.write('a.txt', 'second\n');
		await s.write('new/deep/b.txt', 'created\n');
		const plan = await s.plan('p1');
		assert.deepEqual(summary(plan.files), ['a.txt change', 'b.txt delete']);
		const outcome = await s.restore(plan.files);
		assert.deepEqual(outcome.failed, []);
		assert.deepEqual(await readFile(at('a.txt')), bytes);
		assert.equal(await text('new/deep/b.txt'), undefined);
		// And the folders that were made for it, unless somebody else has put something there.
		assert.deepEqual(await readdir(root), ['a.txt']);
		await s.redo();
		assert.equal(await text('new/deep/b.txt'), 'created\n');
		await put('new/mine.txt', 'mine');
		await s.restore((await s.plan('p1')).files);
		assert.deepEqual(await readdir(at('new')), ['mine.txt']);
	});

	test('each message has its own place to go back to, also after a reload', async () => {
		await put('a.txt', 'zero\n');
		const before = session();
		before.recorder.promptTaken('p1');
		await before.write('a.txt', 'one\n');
		before.recorder.promptTaken('p2');
		before.recorder.promptTaken('p3');
		await before.write('a.txt', 'three\n');
		const s = session();
		assert.deepEqual((await s.plan('p3')).files.length, 1);
		await s.restore((await s.plan('p2')).files, 'p2');
		assert.equal(await text('a.txt'), 'one\n');
		await s.restore((await s.plan('p1')).files);
		assert.equal(await text('a.txt'), 'zero\n');
		// Forward again: a restore is a change like any other.
		await s.restore((await s.plan('p2')).files, 'p2');
		assert.equal(await text('a.txt'), 'one\n');
		assert.equal(changedSince(await s.index.read(), 'unknown'), undefined);
	});

	test('a restore can be taken back, once', async () => {
		await put('a.txt', 'zero\n');
		const s = session();
		s.recorder.promptTaken('p1');
		await s.write('a.txt', 'one\n');
		await s.write('b.txt', 'made\n');
		await s.restore((await s.plan('p1')).files);
		await s.redo();
		assert.equal(await text('a.txt'), 'one\n');
		assert.equal(await text('b.txt'), 'made\n');
		assert.equal(redoable(await s.index.read()), undefined);
		assert.deepEqual(summary((await s.plan('p1')).files), ['a.txt change', 'b.txt delete']);
	});

	test("the person's own later changes are conflicts, after the agent's and between", async () => {
		for (const name of ['since.txt', 'between.txt', 'clean.txt']) await put(name, 'zero\n');
		const s = session();
		s.recorder.promptTaken('p1');
		await s.write('since.txt', 'agent\n');
		await s.write('between.txt', 'agent\n');
		await s.write('clean.txt', 'agent\n');
		await put('since.txt', 'person\n');
		await put('between.txt', 'agent and person\n');
		await s.edit('between.txt', 'agent', 'AGENT');
		const plan = await s.plan('p1');
		assert.deepEqual(summary(plan.files), [
			'since.txt change changed_since',
			'between.txt change changed_between',
			'clean.txt change',
		]);
		// What the agent has changed again after them counts from there for a later message.
		s.recorder.promptTaken('p2');
		await s.write('since.txt', 'again\n');
		assert.deepEqual(summary((await s.plan('p2')).files), ['since.txt change']);
	});

	test('a change that failed, or that made no difference, is none', async () => {
		await put('a.txt', 'zero\n');
		const s = session();
		s.recorder.promptTaken('p1');
		const settle = await s.recorder.before(at('a.txt'));
		await put('a.txt', 'typed by the person\n');
		await settle(false);
		assert.deepEqual(summary((await s.plan('p1')).files), []);
		await s.write('a.txt', 'agent\n');
		await s.restore((await s.plan('p1')).files);
		assert.equal(await text('a.txt'), 'typed by the person\n');
	});

	test('a crash between keeping and writing leaves nothing to guess', async () => {
		await put('a.txt', 'zero\n');
		const s = session();
		s.recorder.promptTaken('p1');
		await s.recorder.before(at('a.txt'));
		assert.deepEqual(summary((await s.plan('p1')).files), []);
		await put('a.txt', 'nobody knows who\n');
		assert.deepEqual(summary((await s.plan('p1')).files), ['a.txt change changed_since']);
	});

	test('a file that changes while the person decides is left alone', async () => {
		await put('a.txt', 'zero\n');
		const s = session();
		s.recorder.promptTaken('p1');
		await s.write('a.txt', 'one\n');
		const { files } = await s.plan('p1');
		await put('a.txt', 'person\n');
		const { restored, failed } = await s.restore(files);
		assert.deepEqual([restored, failed.length], [[], 1]);
		assert.equal(await text('a.txt'), 'person\n');
	});

	test('modes, hard links and binary files come back as they were', async () => {
		if (process.platform === 'win32') return;
		await put('run.sh', 'echo\n');
		await chmod(at('run.sh'), 0o755);
		await put('twin', 'same');
		await link(at('twin'), at('twin2'));
		await put('data.bin', Buffer.from([0, 255, 0, 1]));
		const s = session();
		s.recorder.promptTaken('p1');
		for (const name of ['run.sh', 'twin', 'data.bin']) {
			const settle = await s.recorder.before(at(name));
			if (name === 'twin') await writeFile(at(name), 'other');
			else await rm(at(name));
			await settle(true);
		}
		await s.restore((await s.plan('p1')).files);
		assert.equal((await stat(at('run.sh'))).mode & 0o777, 0o755);
		assert.equal(await text('twin2'), 'same');
		assert.equal((await stat(at('twin'))).nlink, 2);
		assert.deepEqual(await readFile(at('data.bin')), Buffer.from([0, 255, 0, 1]));
	});

	test('what is not kept is named with its reason: git, links, too large', async () => {
		await mkdir(at('.git'));
		await put('.git/config', 'mine');
		await put('target', 'text');
		await symlink(at('target'), at('link'));
		const handle = at('big');
		await writeFile(handle, Buffer.alloc(limits.checkpointFileBytes + 1));
		const s = session();
		s.recorder.promptTaken('p1');
		for (const name of ['.git/config', 'link', 'big']) {
			const settle = await s.recorder.before(at(name));
			await settle(true);
		}
		const { files, lost } = await s.plan('p1');
		assert.deepEqual(files, []);
		assert.deepEqual(
			lost.map(({ path: file, reason }) => `${path.basename(file)} ${reason}`),
			['config git', 'link link', 'big too_large'],
		);
		assert.equal((await s.images.put(at('.git/config'), { kind: 'missing' })).kind, 'failed');
		assert.equal(await text('.git/config'), 'mine');
		assert.ok((await lstat(at('link'))).isSymbolicLink());
	});

	test('contents lie once, for the owner only, and a damaged one is none', async () => {
		const s = session();
		const one = s.store.put(Buffer.from('same'));
		assert.equal(s.store.put(Buffer.from('same')), one);
		const file = path.join(s.store.folder, one.slice(0, 2), one.slice(2));
		assert.deepEqual(await readdir(path.dirname(file)), [one.slice(2)]);
		if (process.platform !== 'win32') {
			assert.equal((await stat(file)).mode & 0o777, 0o600);
			assert.equal((await stat(s.store.folder)).mode & 0o777, 0o700);
		}
		await writeFile(file, 'evil');
		assert.equal(await s.store.get(one), undefined);
		assert.equal(await s.store.get('../../etc/passwd'), undefined);
	});

	test('the store keeps within its days and its size, the oldest go first', async () => {
		const s = session();
		const hashes: string[] = [];
		for (const [index, age] of [40, 3, 2, 1].entries()) {
			const hash = s.store.put(Buffer.alloc(1000, index));
			const time = Date.now() / 1000 - age * 86_400;
			await utimes(path.join(s.store.folder, hash.slice(0, 2), hash.slice(2)), time, time);
			hashes.push(hash);
		}
		assert.equal(await s.store.prune({ maxBytes: 2_500, days: 30 }), 2);
		const left = await Promise.all(hashes.map(async (hash) => (await s.store.get(hash)) !== undefined));
		assert.deepEqual(left, [false, false, true, true]);
		// Used again counts as young.
		s.store.put(Buffer.alloc(1000, 2));
		assert.equal(await s.store.prune({ maxBytes: 1_500, days: 30 }), 1);
		assert.ok(await s.store.get(hashes[2] ?? ''));
	});

	test('lines that are broken, or of another version, cost themselves only', async () => {
		const s = session();
		s.recorder.promptTaken('p1');
		await writeFile(
			path.join(base, 'session', 'checkpoints.jsonl'),
			'{"type":"prompt","id":"p0"}\n{"type":"from later"}\n{"ty',
		);
		session().recorder.promptTaken('p2');
		assert.deepEqual(await s.index.read(), [
			{ type: 'prompt', id: 'p0' },
			{ type: 'prompt', id: 'p2' },
		]);
	});

	test('a turn that touches twenty files reads each twice and writes each once', async () => {
		const s = session();
		const calls: string[] = [];
		const counted = new CheckpointRecorder({
			index: { append: (record) => void calls.push(record.type), read: () => Promise.resolve([]) },
			images: {
				keep: (file) => (calls.push('keep'), s.images.keep(file)),
				look: (file) => (calls.push('look'), s.images.look(file)),
			},
		});
		for (let file = 0; file < 20; file++) await put(`f${file}.ts`, `${file}\n`.repeat(2_000));
		counted.promptTaken('p1');
		const started = performance.now();
		for (let file = 0; file < 20; file++) await (await counted.before(at(`f${file}.ts`)))(true);
		const took = performance.now() - started;
		if (process.env['LOOPWRIGHT_TEST_TIMES']) console.log(`checkpoints of 20 files: ${took.toFixed(1)} ms`);
		const count = (what: string) => calls.filter((call) => call === what).length;
		assert.deepEqual([count('keep'), count('look'), count('before'), count('after')], [20, 20, 20, 20]);
	});
});
