// Commands in the agent's integrated terminal, in a real VS Code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ShellCommand } from '../../src/core/ports/shell.ts';
import { runCommand } from '../../src/core/ports/runCommand.ts';
import { TerminalShell } from '../../src/host/terminal/terminalShell.ts';

suite('TerminalShell', () => {
	const extension = vscode.extensions.getExtension('loopwright.loopwright');
	const runnerPath = path.join(extension?.extensionPath ?? '', 'dist/shellRunner.js');
	let shell: TerminalShell;
	let log: string[];
	setup(() => {
		log = [];
		shell = new TerminalShell({ runnerPath, log: (message) => log.push(message) });
	});
	teardown(async () => {
		await shell.dispose();
		await until(() => ours().length === 0, 'the terminals are closed');
	});

	const ours = () => vscode.window.terminals.filter((terminal) => terminal.name === 'Loopwright');
	const run = (command: string, more: Partial<ShellCommand> = {}, signal = new AbortController().signal) =>
		runCommand(shell, { command, cwd: tmpdir(), timeoutMs: 20_000, ...more }, signal);
	const processes = (text: string) =>
		execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
			.split('\n')
			.filter((line) => line.includes(text) && !line.includes('ps -A')).length;

	test('B36 output and exit code, in a visible terminal that is used again and takes no focus', async () => {
		const before = new Set(vscode.window.terminals);
		for (let i = 0; i < 2; i++) {
			const result = await run('echo hi; echo oh >&2; exit 3');
			assert.equal(result.message, undefined);
			assert.deepEqual([result.outcome, result.exitCode, result.output], ['exited', 3, 'hi\noh\n']);
		}
		// One that another suite has closed may go at any time.
		assert.equal(vscode.window.terminals.filter((terminal) => !before.has(terminal)).length, 1);
		assert.equal(vscode.window.activeTerminal?.name, 'Loopwright');
		assert.equal((await run('test -t 0 && ! test -t 1 && cd / && echo yes')).output, 'yes\n');
	});

	test('commands at the same time have a terminal each', async () => {
		const results = await Promise.all([run('sleep 0.5; echo 1'), run('sleep 0.5; echo 2')]);
		assert.deepEqual(
			results.map((result) => result.output),
			['1\n', '2\n'],
		);
		assert.equal(ours().length, 2);
	});

	test('B40 a question is answered in the terminal; what was typed before is no answer', async () => {
		await run('true');
		ours()[0]?.sendText('typed too early');
		await new Promise((resolve) => setTimeout(resolve, 300));
		let asked = '';
		const running = run('printf "name? "; read name; echo "hello $name"', { onOutput: (text) => (asked += text) });
		await until(() => asked.includes('name?'), 'the question');
		ours()[0]?.sendText('Ada');
		const result = await running;
		assert.equal(result.output, 'name? hello Ada\n');
	});

	test('B64 stop and timeout end the command with all its children', async () => {
		const stop = new AbortController();
		const running = run('sleep 7311.5 | cat & (sleep 7311.5 &); sleep 7311.5', {}, stop.signal);
		await until(() => processes('sleep 7311.5') >= 3, 'the command runs');
		stop.abort();
		assert.equal((await running).outcome, 'stopped');
		assert.equal(processes('sleep 7311.5'), 0);
		assert.equal((await run("trap '' TERM; sleep 7311.6", { timeoutMs: 300 })).outcome, 'timed_out');
		assert.equal(processes('sleep 7311.6'), 0);
		assert.equal((await run('echo next')).output, 'next\n');
		assert.equal(ours().length, 1);
	});

	test('Ctrl+C typed by the person ends the command, not the terminal', async () => {
		await run('true');
		const running = run('sleep 7312.5');
		await until(() => processes('sleep 7312.5') > 0, 'the command runs');
		ours()[0]?.sendText('\u0003', false);
		const result = await running;
		assert.deepEqual([result.outcome, result.signal], ['killed_by_signal', 'SIGINT']);
		assert.equal((await run('echo next')).output, 'next\n');
		assert.equal(ours().length, 1);
	});

	test('a terminal closed by the person: the command ends with all children, the next gets a new one', async () => {
		const running = run('(setsid sleep 7313.5 &); sleep 7313.5');
		await until(() => processes('sleep 7313.5') >= 2, 'the command runs');
		ours()[0]?.dispose();
		const result = await running;
		assert.equal(result.outcome, 'killed_by_signal');
		assert.match(result.message ?? '', /terminal was closed/);
		assert.equal(processes('sleep 7313.5'), 0);
		const next = await run('echo next');
		assert.deepEqual([next.output, log], ['next\n', []]);
	});

	test('a terminal closed while nothing runs is replaced', async () => {
		await run('true');
		ours()[0]?.dispose();
		assert.equal((await run('echo at once')).output, 'at once\n');
		assert.deepEqual(log, []);
	});

	test('a runner that is killed: the command is told, the next gets a new terminal', async () => {
		let seen = '';
		const running = run('(setsid sleep 7314.5 &); echo seen; sleep 7314.5', { onOutput: (text) => (seen += text) });
		await until(() => seen !== '' && processes('sleep 7314.5') >= 2, 'the command runs');
		const pid = await ours()[0]?.processId;
		assert.ok(pid !== undefined && pid > 1);
		process.kill(pid, 'SIGKILL');
		const result = await running;
		assert.deepEqual([result.outcome, result.output], ['killed_by_signal', 'seen\n']);
		assert.match(result.message ?? '', /process was ended/);
		assert.equal(processes('sleep 7314.5'), 0);
		assert.equal((await run('echo next')).output, 'next\n');
	});

	test('B39 a background process holds nothing up, is named, and ends with the session', async () => {
		const result = await run(
			'(while :; do echo tick; sleep 0.2; done) & sleep 7315.5 >/dev/null & sleep 1; echo front',
		);
		assert.deepEqual([result.outcome, result.exitCode], ['exited', 0]);
		assert.match(result.output, /tick\n/);
		assert.match(result.output, /front\n/);
		assert.ok(result.durationMs < 4000, `${result.durationMs} ms`);
		assert.ok(result.left?.some(({ command }) => command === 'sleep 7315.5'));
		const next = await run('sleep 0.5; echo mine');
		assert.deepEqual([next.output, next.left], ['mine\n', undefined]);
		assert.ok(processes('sleep 7315.5') > 0);
		await shell.dispose();
		assert.equal(processes('sleep 7315.5'), 0);
	});

	test('B40 a command that waits for the person is noticed, and goes on when the person types', async () => {
		const told: boolean[] = [];
		const running = run('read -s -p "Password: " word; echo; echo "length ${#word}"', {
			onWaiting: (waiting) => told.push(waiting),
		});
		await until(() => told.length > 0, 'it waits');
		ours()[0]?.sendText('four');
		assert.equal((await running).output, 'Password: \nlength 4\n');
		assert.deepEqual(told, [true, false]);
		assert.equal((await run('git --no-pager config --get core.pager; echo $PAGER $GIT_EDITOR')).output, 'cat true\n');
	});

	test('B41 the folder is the one asked for, whatever was typed; one that is gone is said', async () => {
		await run('cd /');
		ours()[0]?.sendText('cd ..');
		assert.equal((await run('pwd -P', { cwd: '/usr' })).output, '/usr\n');
		assert.equal((await run('cd bin && true', { cwd: '/usr' })).cwd, '/usr/bin');
		const gone = await run('rm -rf x', { cwd: '/no/such/folder' });
		assert.equal(gone.outcome, 'not_started');
		assert.match(gone.message ?? '', /\/no\/such\/folder does not exist/);
		assert.equal((await run('echo next')).output, 'next\n');
	});

	test('B42 300 MB: bounded, in a file with a cap, and the editor stays free', async function () {
		this.timeout(60_000);
		const folder = mkdtempSync(path.join(tmpdir(), 'flood-'));
		const outputFile = path.join(folder, 'out.txt');
		await run('true');
		const memory = process.memoryUsage().rss;
		let last = performance.now();
		let longest = 0;
		let live = 0;
		const timer = setInterval(() => {
			const now = performance.now();
			longest = Math.max(longest, now - last - 5);
			last = now;
		}, 5);
		const result = await run('yes 0123456789 | head -c 300000000; echo; echo last; exit 6', {
			outputFile,
			timeoutMs: 55_000,
			onOutput: (text) => (live += text.length),
		});
		clearInterval(timer);
		const grown = Math.round((process.memoryUsage().rss - memory) / 1e6);
		console.log(
			`  300 MB: ${result.durationMs} ms, longest stall ${Math.round(longest)} ms, ${grown} MB, live ${live}`,
		);
		rmSync(folder, { recursive: true, force: true });
		assert.equal(result.exitCode, 6);
		assert.ok(result.output.endsWith('\nlast\n'));
		assert.equal(result.omitted, 300_000_006 - 1_000_000);
		assert.deepEqual(result.saved, { bytes: 64 * 1024 * 1024, complete: false });
		assert.ok(longest < 500, `${longest} ms`);
		assert.ok(grown < 150, `${grown} MB`);
	});

	test('B44 the environment of the terminal settings and of extensions, without the provider’s keys', async () => {
		const setting = vscode.workspace.getConfiguration('terminal.integrated.env');
		try {
			await run('true');
			await setting.update('linux', { MINE: 'one', ANTHROPIC_API_KEY: 'leaked' }, vscode.ConfigurationTarget.Global);
			assert.equal((await run('echo $MINE $ANTHROPIC_API_KEY; env | grep -c leaked')).output, 'one\n0\n');
			assert.equal(ours().length, 1);
			// Git's extension contributes this one.
			assert.notEqual((await run('echo $VSCODE_GIT_IPC_HANDLE$GIT_ASKPASS')).output, '\n');
		} finally {
			await setting.update('linux', undefined, vscode.ConfigurationTarget.Global);
		}
		assert.equal((await run('echo "[$MINE]"')).output, '[]\n');
	});

	test('without a terminal the command runs all the same, and says so', async () => {
		const create = vscode.window.createTerminal;
		Object.defineProperty(vscode.window, 'createTerminal', {
			configurable: true,
			value: () => {
				throw new Error('no more terminals');
			},
		});
		try {
			const result = await run('echo hi; exit 4');
			assert.deepEqual([result.exitCode, result.output], [4, 'hi\n']);
			assert.match(result.message ?? '', /without one/);
		} catch (error) {
			if (vscode.window.createTerminal === create) throw new Error('could not be replaced', { cause: error });
			throw error;
		} finally {
			Object.defineProperty(vscode.window, 'createTerminal', { configurable: true, value: create });
		}
	});

	async function until(condition: () => boolean, what: string): Promise<void> {
		const end = Date.now() + 10_000;
		while (!condition()) {
			if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
});
