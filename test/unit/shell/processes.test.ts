// Stop, timeout and the end of the host: nothing that a command started is left behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listProcesses, selectProcesses, type ProcessInfo } from '../../../src/node/shell/processes.ts';
import { MARK } from '../../../src/node/shell/protocol.ts';
import { runCommand } from '../../../src/core/ports/runCommand.ts';
import {
	bundle,
	nodeShell,
	processesWith,
	removeFolder,
	run,
	runnerBundle,
	temporaryFolder,
	unusualDuration,
	until,
} from './support.ts';

suite('NodeShell: nothing is left behind', () => {
	suiteSetup(function () {
		if (process.platform === 'win32') this.skip();
	});

	const shapes: Readonly<Record<string, (sleep: string) => string>> = {
		'a pipeline': (sleep) => `${sleep} | cat`,
		'a reparented child': (sleep) => `(${sleep} &) ; ${sleep}`,
		'a child of its own session': (sleep) => `setsid ${sleep} & ${sleep}`,
		'a child without environment': (sleep) => `(env -i ${sleep} &); ${sleep}`,
		nohup: (sleep) => `nohup ${sleep} >/dev/null 2>&1 & ${sleep}`,
		'a grandchild': (sleep) => `bash -c 'bash -c "${sleep}; true"; true'`,
		'a stopped child': (sleep) => `${sleep} & kill -STOP $!; ${sleep}`,
	};
	for (const [name, command] of Object.entries(shapes)) {
		test(`B64 stop: ${name}`, async () => {
			const shell = nodeShell();
			const mark = unusualDuration();
			const stop = new AbortController();
			const text = `echo begun; ${command(`sleep ${mark}`)}`;
			const running = runCommand(shell, { command: text, cwd: tmpdir(), timeoutMs: 60_000 }, stop.signal);
			await until(() => processesWith(`sleep\0${mark}`).length > 0, 'the sleep runs');
			await new Promise((resolve) => setTimeout(resolve, 100));
			stop.abort();
			const result = await running;
			assert.equal(result.outcome, 'stopped');
			assert.equal(result.output.startsWith('begun\n'), true);
			assert.ok(result.durationMs < 4000);
			assert.deepEqual(processesWith(mark), []);
			assert.equal((await run(shell, 'echo next')).output, 'next\n');
			await shell.dispose();
		});
	}

	test('B64 timeout: a child that ignores SIGTERM is killed after the grace, what it wrote is there', async () => {
		const shell = nodeShell();
		const mark = unusualDuration();
		const script = `process.on('SIGTERM', () => console.log('no')); console.log('up'); setInterval(() => {}, 1e6); // ${mark}`;
		const result = await run(shell, `node -e "${script}"; echo after`, { timeoutMs: 500 });
		assert.equal(result.outcome, 'timed_out');
		assert.match(result.output, /^up\nno\n/);
		assert.ok(result.durationMs >= 2400 && result.durationMs < 5000, `${result.durationMs} ms`);
		assert.deepEqual(processesWith(mark), []);
		await shell.dispose();
	});

	test('B64 a background job outlives its command and the stop of a later one, not the shell', async () => {
		const shell = nodeShell();
		const [job, later] = [unusualDuration(), unusualDuration()];
		assert.equal((await run(shell, `sleep ${job} & echo started`)).exitCode, 0);
		const result = await run(shell, `sleep ${later}`, { timeoutMs: 100 });
		assert.equal(result.outcome, 'timed_out');
		assert.deepEqual(processesWith(later), []);
		assert.equal(processesWith(`sleep\0${job}`).length, 1);
		await shell.dispose();
		assert.deepEqual(processesWith(job), []);
	});

	test('B64 a signal that is aborted already starts nothing', async () => {
		const shell = nodeShell();
		const result = await runCommand(shell, { command: 'echo x', cwd: tmpdir(), timeoutMs: 1000 }, AbortSignal.abort());
		assert.equal(result.outcome, 'stopped');
		await shell.dispose();
	});

	test('a stop at any moment ends the call', async () => {
		const shell = nodeShell();
		for (let delay = 0; delay < 24; delay += 2) {
			const stop = new AbortController();
			const running = runCommand(shell, { command: 'sleep 0.01; echo x', cwd: tmpdir(), timeoutMs: 5000 }, stop.signal);
			setTimeout(() => stop.abort(), delay);
			const result = await running;
			assert.ok(['stopped', 'exited'].includes(result.outcome), result.outcome);
		}
		assert.equal((await run(shell, 'echo next')).output, 'next\n');
		await shell.dispose();
	});

	test('a runner that is killed: the call ends, its children are ended, the next command gets a new one', async () => {
		const shell = nodeShell();
		const mark = unusualDuration();
		const result = await run(shell, `(sleep ${mark} &); kill -9 $PPID; sleep ${mark}`);
		assert.equal(result.outcome, 'killed_by_signal');
		assert.match(result.message ?? '', /process was ended/);
		assert.deepEqual(processesWith(mark), []);
		assert.equal((await run(shell, 'echo next')).output, 'next\n');
		await shell.dispose();
	});

	for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
		test(`a host that ends by ${signal} takes everything with it`, async () => {
			const folder = temporaryFolder();
			const mark = unusualDuration();
			const runner = runnerBundle();
			const modulePath = bundle('src/node/shell/nodeShell.ts', 'nodeShell');
			const script = path.join(folder, 'host.cjs');
			writeFileSync(
				script,
				`const { NodeShell } = require(${JSON.stringify(modulePath)});
				const shell = new NodeShell({ runnerPath: ${JSON.stringify(runner)}, nodePath: process.execPath, env: process.env });
				shell.start({ command: "(setsid sleep ${mark} &); trap '' TERM; sleep ${mark}", cwd: '/', timeoutMs: 60000 });`,
			);
			const host = spawn(process.execPath, [script], { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } });
			await until(() => processesWith(`sleep\0${mark}`).length === 2, 'the command runs');
			host.kill(signal);
			await until(() => processesWith(mark).length === 0, 'the processes are gone');
			await until(() => !readdirSync(folder).some((name) => name.startsWith('loopwright-')), 'the folder is gone');
			removeFolder(folder);
		});
	}

	test('a hundred commands leave no open files and no folders', async function () {
		if (process.platform !== 'linux') this.skip();
		const folder = temporaryFolder();
		const saved = process.env['TMPDIR'];
		process.env['TMPDIR'] = folder;
		const shell = nodeShell();
		try {
			const count = async () => Number((await run(shell, 'ls /proc/$PPID/fd | wc -l')).output);
			const before = await count();
			for (let i = 0; i < 100; i++) await run(shell, i % 2 ? 'cd /; echo x' : 'echo x');
			assert.ok((await count()) <= before + 2);
			await shell.dispose();
			assert.deepEqual(readdirSync(folder), []);
		} finally {
			if (saved === undefined) delete process.env['TMPDIR'];
			else process.env['TMPDIR'] = saved;
			removeFolder(folder);
		}
	});
});

suite('listProcesses', () => {
	test('a process that goes from program to program without end is seen with its mark each time', async function () {
		if (process.platform !== 'linux') this.skip();
		const folder = temporaryFolder();
		const script = path.join(folder, 'again.sh');
		writeFileSync(script, `exec sh '${script}'\n`);
		const child = spawn('sh', [script], { env: { ...process.env, [MARK]: 'again.1' }, stdio: 'ignore' });
		try {
			for (let look = 1; look <= 100; look++) {
				const found = selectProcesses(await listProcesses(), { roots: [], mark: 'again.1', spared: new Set() });
				assert.deepEqual(found, [child.pid], `look ${look}`);
			}
		} finally {
			child.kill('SIGKILL');
			removeFolder(folder);
		}
	});
});

suite('selectProcesses', () => {
	const info = (pid: number, parent: number, more: Partial<ProcessInfo> = {}): ProcessInfo => ({
		pid,
		parent,
		group: 50,
		session: 50,
		...more,
	});
	const none: ReadonlySet<number> = new Set();

	test('the tree of the roots, whatever its session', () => {
		const all = [info(60, 50), info(61, 60, { session: 61, group: 61 }), info(62, 61), info(70, 50)];
		assert.deepEqual(new Set(selectProcesses(all, { roots: [60], mark: 'm.1', spared: none })), new Set([60, 61, 62]));
	});

	test('marks of this command and not of one that begins alike', () => {
		const all = [info(60, 1, { mark: 'm.1' }), info(61, 1, { mark: 'm.10' }), info(62, 60)];
		assert.deepEqual(new Set(selectProcesses(all, { roots: [], mark: 'm.1', spared: none })), new Set([60, 62]));
		assert.deepEqual(new Set(selectProcesses(all, { roots: [], mark: 'm', spared: none })), new Set([60, 61, 62]));
	});

	test('the session without what is spared and its children', () => {
		const all = [info(50, 1), info(60, 1), info(61, 60), info(70, 1), info(80, 1, { session: 80, group: 80 })];
		const scope = { roots: [], mark: 'm.1', session: 50, spared: new Set([50, 60]) };
		assert.deepEqual(selectProcesses(all, scope), [70]);
	});

	test('never this process or the first one', () => {
		const all = [info(process.pid, 1), info(1, 0)];
		assert.deepEqual(selectProcesses(all, { roots: [1, process.pid], mark: 'm', spared: none }), []);
	});
});
