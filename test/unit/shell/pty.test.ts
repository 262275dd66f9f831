// The runner as the process of a terminal: `script` gives it a pseudo-terminal, whose screen and keys are at hand here.
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { ShellCommand } from '../../../src/core/ports/shell.ts';
import type { RunnerConnection } from '../../../src/node/shell/runnerConnection.ts';
import { RunnerHost } from '../../../src/node/shell/runnerHost.ts';
import { processesWith, runnerBundle, unusualDuration, until } from './support.ts';

const SCRIPT = 'script';

suite('the runner in a terminal', () => {
	let host: RunnerHost;
	let terminal: ChildProcessWithoutNullStreams;
	let connection: RunnerConnection;
	let screen: string;

	suiteSetup(function () {
		const hasScript = spawnSync(SCRIPT, ['--version'], { stdio: 'ignore' }).status === 0;
		if (process.platform !== 'linux' || !hasScript) this.skip();
	});
	setup(async () => {
		host = await RunnerHost.listen();
		const invitation = host.invite();
		terminal = spawn(SCRIPT, ['-q', '-f', '-c', `exec "${process.execPath}" "${runnerBundle()}"`, '/dev/null'], {
			env: { ...process.env, ...invitation.env, SHELL: '/bin/sh', TERM: 'xterm' },
		});
		screen = '';
		terminal.stdout.on('data', (bytes: Buffer) => (screen += bytes.toString()));
		connection = await invitation.connection;
	});
	teardown(async () => {
		await host?.dispose();
		terminal?.kill('SIGKILL');
	});
	const start = (command: string, more: Partial<ShellCommand> = {}) =>
		connection.start({ command, cwd: tmpdir(), timeoutMs: 15_000, ...more }, '/bin/bash');
	const run = (command: string, more: Partial<ShellCommand> = {}) => start(command, more).finished;

	test('the person sees the command, its output and a failure; the host gets the bytes only', async () => {
		const result = await run("printf '\\033[31mred\\033[0m'; exit 3");
		assert.deepEqual([result.output, result.exitCode], ['red', 3]);
		await until(() => screen.includes('[exit 3]'), 'the status');
		const [dim, plain] = ['\u001b[2m', '\u001b[0m'];
		assert.ok(screen.startsWith(`${dim}$ printf '\\033[31mred\\033[0m'; exit 3${plain}`));
		assert.ok(screen.includes(`\n\u001b[31mred${plain}`));
		await run('echo fine');
		await until(() => screen.includes('fine\r\n'), 'the output');
		assert.ok(!screen.includes('exit 0'));
		await run("echo '\u001b]0;evil\u0007'");
		assert.ok(screen.includes("$ echo '^[]0;evil^G'"));
	});

	test('B40 a question is answered by typing', async () => {
		let asked = '';
		const running = run("read -p 'ok? ' answer; echo got $answer", { onOutput: (text) => (asked += text) });
		await until(() => asked.includes('ok?'), 'the question');
		terminal.stdin.write('yes\n');
		assert.equal((await running).output, 'ok? got yes\n');
	});

	const waits: readonly (readonly [string, string])[] = [
		['bash', "read -p 'ok? ' answer"],
		['cat', 'cat >/dev/null; true'],
		['python3', "python3 -c 'input()'"],
		['node', `"${process.execPath}" -e "process.stdin.once('data', () => process.exit())"`],
		['zsh', "zsh -c 'read x'"],
		['fish', "fish --no-config -c 'read x'"],
	];
	for (const [program, command] of waits) {
		test(`B40 ${program}: that it waits for the person is noticed, and that it goes on`, async function () {
			if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error) this.skip();
			const told: boolean[] = [];
			const running = start(command, { onWaiting: (waiting) => told.push(waiting) });
			await until(() => told.length > 0, 'it waits');
			assert.deepEqual(told, [true]);
			terminal.stdin.write('yes\n');
			terminal.stdin.write('\u0004');
			await running.finished;
			assert.deepEqual(told, [true, false]);
		});
	}

	test('B40 what is only slow does not wait for anyone', async () => {
		const told: boolean[] = [];
		await run('printf "Downloading? "; sleep 5.5 | cat', { onWaiting: (waiting) => told.push(waiting) });
		assert.deepEqual(told, []);
	});

	test('Ctrl+C is for the command; Ctrl+Z stops nothing', async () => {
		const mark = unusualDuration();
		const running = run(`sleep ${mark}`);
		await until(() => processesWith(`sleep\0${mark}`).length > 0, 'it runs');
		terminal.stdin.write('\u001a');
		await new Promise((resolve) => setTimeout(resolve, 100));
		terminal.stdin.write('\u0003');
		const result = await running;
		assert.deepEqual([result.outcome, result.signal], ['killed_by_signal', 'SIGINT']);
		assert.equal((await run('echo next')).output, 'next\n');
	});

	test('B64 stop ends the command’s processes, not an earlier background job; the end of the runner ends all', async () => {
		const [job, bare, later] = [unusualDuration(), unusualDuration(), unusualDuration()];
		await run(`sleep ${job} & (env -i sleep ${bare} &)`);
		const running = start(`(env -i sleep ${later} &); setsid sleep ${later} & sleep ${later} | cat`);
		await until(() => processesWith(`sleep\0${later}`).length === 3, 'it runs');
		running.stop();
		assert.equal((await running.finished).outcome, 'stopped');
		assert.deepEqual(processesWith(later), []);
		assert.equal(processesWith(`sleep\0${job}`).length, 1);
		assert.equal(processesWith(`sleep\0${bare}`).length, 1);
		await connection.dispose();
		assert.deepEqual([...processesWith(job), ...processesWith(bare)], []);
	});

	test('a terminal that is closed takes everything with it', async () => {
		const mark = unusualDuration();
		const running = run(`trap '' HUP TERM; (setsid sleep ${mark} &); sleep ${mark}`);
		await until(() => processesWith(`sleep\0${mark}`).length === 2, 'it runs');
		terminal.kill('SIGKILL');
		const result = await running;
		assert.equal(result.outcome, 'killed_by_signal');
		assert.deepEqual(processesWith(mark), []);
	});

	test('a terminal that does not read holds up neither output nor stop', async () => {
		terminal.stdout.pause();
		terminal.kill('SIGSTOP');
		const result = await run('yes 0123456789 | head -c 20000000; echo; echo last');
		assert.ok(result.output.endsWith('\nlast\n'));
		assert.ok(result.durationMs < 3000, `${result.durationMs} ms`);
		assert.equal((await run('yes', { timeoutMs: 200 })).outcome, 'timed_out');
		terminal.kill('SIGCONT');
		terminal.stdout.resume();
	});

	test('B42 a flood is thinned out on the screen, its end is shown', async () => {
		const start = screen.length;
		await run('seq 1 3000000');
		await until(() => screen.includes('3000000\r\n'), 'the last line');
		assert.ok(screen.length - start < 10_000_000, `${screen.length - start}`);
	});
});
