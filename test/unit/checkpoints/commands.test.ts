// What commands change: real commands in a real folder, with and without git, looked over afterwards.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandWatch } from '../../../src/core/checkpoints/commandWatch.ts';
import { changedSince, planRestore } from '../../../src/core/checkpoints/planRestore.ts';
import { RecordedShell } from '../../../src/core/checkpoints/recordedShell.ts';
import { RecordedWorkspace } from '../../../src/core/checkpoints/recordedWorkspace.ts';
import { CheckpointRecorder } from '../../../src/core/checkpoints/recorder.ts';
import { restoreFiles } from '../../../src/core/checkpoints/restoreFiles.ts';
import { limits } from '../../../src/core/limits.ts';
import { analyseCommand } from '../../../src/core/permissions/shell/analyseCommand.ts';
import type { FileImage } from '../../../src/core/ports/checkpoints.ts';
import type { Listing } from '../../../src/core/ports/projectScan.ts';
import type { RunningCommand, Shell, ShellResult } from '../../../src/core/ports/shell.ts';
import { BlobStore } from '../../../src/node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../../src/node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../../src/node/checkpoints/diskImages.ts';
import { NodeProjectScan } from '../../../src/node/checkpoints/projectScan.ts';
import { TreeSitterShellParser } from '../../../src/node/shellParser/treeSitterShellParser.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { grammars } from '../../support/shellAnalysis.ts';

function ended(result: ShellResult): RunningCommand {
	return { pid: undefined, finished: Promise.resolve(result), gone: Promise.resolve(), stop() {} };
}

suite('checkpoints of commands', () => {
	let base: string;
	let root: string;
	setup(async function () {
		if (process.platform === 'win32') this.skip();
		base = await realpath(await mkdtemp(path.join(tmpdir(), 'checkpoints-')));
		root = path.join(base, 'project');
		await mkdir(root);
	});
	teardown(() => rm(base, { recursive: true, force: true }));

	const at = (name: string) => path.join(root, name);
	const put = async (name: string, text: string) => {
		await mkdir(path.dirname(at(name)), { recursive: true });
		await writeFile(at(name), text);
	};
	const text = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root, stdio: 'pipe' });

	const touched = async (file: string) => {
		await writeFile(file, '');
		return (await stat(file)).mtimeMs;
	};

	async function session(options: { readonly open?: readonly string[]; readonly trusted?: boolean } = {}) {
		const images = new DiskImages(new BlobStore(path.join(base, 'home')));
		const index = new CheckpointFile(path.join(base, 'checkpoints.jsonl'), (error) => assert.fail(String(error)));
		const recorder = new CheckpointRecorder({ index, images });
		const parser = new TreeSitterShellParser(grammars);
		const saved = new Set<string>();
		const watch = new CommandWatch({
			recorder,
			images,
			keepBytes: (bytes) => images.keepBytes(bytes),
			scan: new NodeProjectScan({ roots: () => [root], trusted: () => options.trusted ?? true }),
			targets: async ({ command, cwd }) => {
				const { writes, readOnly } = await analyseCommand(command, { shell: 'bash', cwd, parser });
				return { paths: writes.flatMap((write) => write.path ?? []), readOnly };
			},
			openFiles: () => (options.open ?? []).map(at),
			savedByPerson: (file) => saved.has(file),
			now: Date.now,
		});
		const inner: Shell = {
			name: 'bash',
			start: ({ command }) => {
				execFileSync('bash', ['-c', command], { cwd: root, stdio: 'pipe' });
				return ended({ outcome: 'exited', exitCode: 0, output: '', omitted: 0, durationMs: 1 });
			},
			dispose: () => Promise.resolve(),
		};
		const shell = new RecordedShell(inner, watch);
		const workspace = new RecordedWorkspace(new NodeWorkspace({ roots: [root] }), recorder, (file) => watch.seen(file));
		recorder.promptTaken('p1');
		watch.begin();
		await watch.settled();
		return {
			recorder,
			watch,
			workspace,
			saved,
			run: async (command: string) => {
				await shell.start({ command, cwd: root, timeoutMs: 5_000 }).finished;
			},
			async plan(prompt = 'p1') {
				await watch.settled();
				const changed = changedSince(await index.read(), prompt) ?? [];
				const now = await Promise.all(changed.map(async (file) => [file.path, await images.look(file.path)] as const));
				return planRestore(changed, new Map<string, FileImage>(now));
			},
			async restoreAll() {
				const { files } = await this.plan();
				return restoreFiles({ files, to: 'p1', scope: 'files', redo: false }, { images, index });
			},
			async lines(prompt = 'p1') {
				const { files, lost } = await this.plan(prompt);
				return [
					...files.map((file) => `${path.relative(root, file.path)} ${file.effect}`),
					...lost.map((file) => `${path.relative(root, file.path)} lost: ${file.reason}`),
				].toSorted();
			},
		};
	}

	test('what the text names is kept before: redirections, sed -i, rm, mv; a folder with all that is in it', async () => {
		await put('a.txt', 'a\n');
		await put('b.txt', 'b\n');
		await put('old.txt', 'old\n');
		await put('dir/one.txt', 'one\n');
		await put('dir/sub/two.txt', 'two\n');
		const s = await session();
		await s.run('echo new > a.txt; sed -i s/b/B/ b.txt; mv old.txt moved.txt; rm -rf dir; echo x > made.txt');
		assert.deepEqual(await s.lines(), [
			'a.txt change',
			'b.txt change',
			'dir/one.txt create',
			'dir/sub/two.txt create',
			'made.txt delete',
			'moved.txt delete',
			'old.txt create',
		]);
		assert.deepEqual((await s.restoreAll()).failed, []);
		assert.deepEqual((await readdir(root)).toSorted(), ['a.txt', 'b.txt', 'dir', 'old.txt']);
		assert.deepEqual(
			[await text('a.txt'), await text('b.txt'), await text('dir/sub/two.txt')],
			['a\n', 'b\n', 'two\n'],
		);
	});

	/** A command whose text does not say what it does. */
	const surprise = async (script: string) => {
		await writeFile(path.join(base, 'script'), script);
		return `bash ${path.join(base, 'script')}`;
	};
	const overwrite = (name: string) => surprise(`echo surprise > ${name}`);

	test('a surprise comes back from what was read, from an open editor, or from git; else it is named', async () => {
		git('init', '-q');
		for (const name of ['read.txt', 'open.txt', 'tracked.txt', 'dirty.txt', 'unknown.txt', 'gone.txt'])
			await put(name, name);
		git('add', 'tracked.txt', 'dirty.txt', 'gone.txt');
		git('commit', '-qm', 'x');
		await put('dirty.txt', 'not as committed');
		const s = await session({ open: ['open.txt'] });
		await s.workspace.read(at('read.txt'));
		for (const name of ['read.txt', 'open.txt', 'tracked.txt', 'dirty.txt', 'unknown.txt']) {
			await s.run(await overwrite(name));
			await s.watch.settled();
		}
		await s.run(await surprise('rm gone.txt; echo x > fresh.txt'));
		assert.deepEqual(await s.lines(), [
			'dirty.txt lost: unexpected',
			'fresh.txt delete',
			'gone.txt create',
			'open.txt change',
			'read.txt change',
			'tracked.txt change',
			'unknown.txt lost: unexpected',
		]);
		assert.deepEqual((await s.restoreAll()).failed, []);
		for (const name of ['read.txt', 'open.txt', 'tracked.txt', 'gone.txt']) assert.equal(await text(name), name);
		assert.equal(await text('fresh.txt'), undefined);
	});

	test("git's folder is not touched by any of it, and git is not asked where the folder is not trusted", async () => {
		git('init', '-q');
		await put('tracked.txt', 'tracked');
		git('add', '.');
		git('commit', '-qm', 'x');
		await writeFile(path.join(base, 'monitor'), `#!/bin/sh\ntouch ${base}/started\n`, { mode: 0o755 });
		git('config', 'core.fsmonitor', path.join(base, 'monitor'));
		const marks = async () => {
			const files = (await readdir(at('.git'), { recursive: true })).toSorted();
			return Promise.all(files.map(async (file) => `${file} ${(await stat(path.join(at('.git'), file))).mtimeMs}`));
		};
		const before = await marks();
		const s = await session();
		await s.run(await overwrite('tracked.txt'));
		assert.deepEqual(await s.lines(), ['tracked.txt change']);
		await s.restoreAll();
		assert.deepEqual(await marks(), before);
		assert.ok(!(await readdir(base)).includes('started'), 'no monitor is started');
		const untrusted = await session({ trusted: false });
		untrusted.recorder.promptTaken('p2');
		await untrusted.run(await overwrite('tracked.txt'));
		assert.deepEqual(await untrusted.lines('p2'), ['tracked.txt lost: unexpected']);
	});

	test("what is ignored, the person's own saves and the agent's later edits are no surprises", async () => {
		await put('.gitignore', 'out/\n*.log\n');
		await put('keep.txt', 'zero\n');
		await put('mine.txt', 'zero\n');
		const s = await session();
		await s.run(await surprise('mkdir out node_modules; touch out/x a.log node_modules/x'));
		await s.watch.settled();
		await put('mine.txt', 'by the person\n');
		s.saved.add(at('mine.txt'));
		// An edit while a command runs.
		const settle = await s.watch.before({ command: await surprise('true'), cwd: root, timeoutMs: 1 });
		const { kind } = await s.workspace.change({
			path: at('keep.txt'),
			expected: 'zero\n',
			edits: [{ start: 0, end: 4, text: 'one' }],
		});
		assert.equal(kind, 'applied');
		await settle();
		assert.deepEqual(await s.lines(), ['keep.txt change']);
		assert.equal((await s.plan()).files[0]?.conflict, undefined);
	});

	test('what is too large is not kept, and said so', async () => {
		await put('huge.bin', 'x'.repeat(limits.checkpointFileBytes + 1));
		const s = await session();
		await s.run(await surprise('echo >> huge.bin'));
		assert.deepEqual(await s.lines(), ['huge.bin lost: too_large']);
		s.recorder.promptTaken('p2');
		await s.run('echo new > huge.bin');
		assert.deepEqual(await s.lines('p2'), ['huge.bin lost: too_large']);
	});

	test("what the person or a restore did between two commands is not the second one's", async () => {
		for (const name of ['a.txt', 'b.txt', 'gone/c.txt', 'here.txt']) await put(name, 'zero\n');
		const s = await session();
		await s.run(await surprise('echo agent > a.txt'));
		await s.watch.settled();
		s.recorder.promptTaken('p2');
		await put('a.txt', 'restored\n');
		await put('b.txt', 'by the person, with another editor\n');
		await put('new.txt', 'by the person\n');
		await rm(at('gone/c.txt'));
		// Until the file system's clock has gone on.
		const probe = path.join(base, 'probe');
		for (const until = Date.now() + 30; (await touched(probe)) < until;);
		await s.run(await surprise('echo agent > here.txt'));
		assert.deepEqual(await s.lines('p2'), ['here.txt lost: unexpected']);
	});

	test('what is found late belongs to the message whose command did it', async () => {
		await put('a.txt', 'a');
		const s = await session();
		await s.run(await surprise('touch late.txt'));
		s.recorder.promptTaken('p2');
		await s.watch.settled();
		assert.deepEqual(await s.lines('p2'), []);
		assert.deepEqual(await s.lines('p1'), ['late.txt delete']);
	});

	test('a folder made by its name: what is in it is found', async () => {
		await put('a.txt', 'a');
		const s = await session();
		await s.run('mkdir made && echo x > made/x.txt && cp -r made twin; echo > /dev/null; echo >/dev/zero');
		assert.deepEqual(await s.lines(), ['made/x.txt delete', 'twin/x.txt delete']);
	});

	test('a command runs whatever fails in keeping files', async () => {
		const s = await session();
		const broken = Object.assign(Object.create(s.watch) as CommandWatch, {
			before: () => Promise.reject(new Error('broken')),
		});
		const inner: Shell = {
			name: 'bash',
			start: () => ended({ outcome: 'exited', exitCode: 0, output: 'ran', omitted: 0, durationMs: 1 }),
			dispose: () => Promise.resolve(),
		};
		const shell = new RecordedShell(inner, broken);
		const result = await shell.start({ command: 'x', cwd: root }).finished;
		assert.equal(result.output, 'ran');
	});

	test('a command does not wait for a look; a look that it interrupts is made afterwards', async () => {
		const recorder = new CheckpointRecorder({
			index: { append: () => {}, read: () => Promise.resolve([]) },
			images: { keep: () => Promise.resolve({ kind: 'missing' }), look: () => Promise.resolve({ kind: 'missing' }) },
		});
		const looks: AbortSignal[] = [];
		const never = new Promise<Listing>(() => {});
		const watch = new CommandWatch({
			recorder,
			images: { keep: () => Promise.resolve({ kind: 'missing' }), look: () => Promise.resolve({ kind: 'missing' }) },
			keepBytes: () => Promise.resolve({ kind: 'missing' }),
			scan: {
				list: (signal) => (looks.push(signal), never),
				tracked: () => Promise.resolve({ bytes: () => Promise.resolve(undefined) }),
				filesOf: (file) => Promise.resolve([file]),
				mark: () => Promise.resolve(undefined),
				folderChanged: () => Promise.resolve(undefined),
			},
			targets: ({ command }) => Promise.resolve({ paths: ['/w/a'], readOnly: command === 'ls' }),
			openFiles: () => [],
			savedByPerson: () => false,
			now: () => 0,
		});
		watch.begin();
		await (
			await watch.before({ command: 'ls', cwd: '/w', timeoutMs: 1 })
		)();
		assert.deepEqual(
			looks.map(({ aborted }) => aborted),
			[false],
		);
		const settle = await watch.before({ command: 'x', cwd: '/w', timeoutMs: 1 });
		assert.deepEqual(
			looks.map(({ aborted }) => aborted),
			[true],
		);
		await settle();
		assert.deepEqual(
			looks.map(({ aborted }) => aborted),
			[true, false],
		);
		watch.stop();
		assert.ok(looks.every(({ aborted }) => aborted));
	});
});
