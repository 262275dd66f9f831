// Bash with commands that take their time: in the foreground, moved to the background, in it from the start, waiting for the
// person, leaving something behind.
import assert from 'node:assert/strict';
import { limits } from '../../../src/core/limits.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import type { BackgroundTasks, TaskSetup } from '../../../src/core/tasks/backgroundTasks.ts';
import { bashTool, powershellTool } from '../../../src/core/tools/builtin/bash.ts';
import { builtinTools, builtinToolsFor } from '../../../src/core/tools/builtin/builtinTools.ts';
import type { ToolProgress } from '../../../src/core/tools/tool.ts';
import { FakeClock } from '../../support/fakeTools.ts';
import { callTool, fakeContext, fakeTasks, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import { HeldShell, turns } from '../../support/heldShell.ts';

function setup(setupOfTasks: Partial<TaskSetup> = {}) {
	const shell = new HeldShell();
	const clock = new FakeClock();
	const waits: number[] = [];
	const watched: Clock = {
		now: () => clock.now(),
		sleep: (ms, signal) => {
			waits.push(ms);
			return clock.sleep(ms, signal);
		},
	};
	const removed: string[] = [];
	const files = {
		outputFile: (id: string) => Promise.resolve(`/out/${id}`),
		removeOutput: (path: string) => Promise.resolve(void removed.push(path)),
	};
	const tasks: BackgroundTasks = fakeTasks({ clock, files, ...setupOfTasks });
	const context = fakeContext(new FakeWorkspace({ 'sub/a.txt': 'x' }), { shell, clock: watched, tasks });
	const start = async (input: Record<string, string | number | boolean>, signal?: AbortSignal) => {
		const progress: ToolProgress[] = [];
		const done = callTool(bashTool, input, context, {
			onProgress: (update) => progress.push(update),
			...(signal ? { signal } : {}),
		});
		await turns();
		return { done, progress };
	};
	return { shell, clock, waits, removed, tasks, context, start };
}

suite('Bash and time', () => {
	test('the time: default, setting, given, clamped', async () => {
		const { shell, waits, context, start } = setup();
		const times: (number | undefined)[] = [];
		for (const input of [{}, { timeout: 5 }, { timeout: 9_999_999 }]) {
			const { done } = await start({ command: 'x', ...input });
			times.push(waits.at(-1));
			shell.last.end();
			await done;
		}
		const slow = { ...context, commandTimeoutMs: () => 7_000 };
		const done = callTool(bashTool, { command: 'x' }, slow);
		await turns();
		shell.last.end();
		await done;
		assert.deepEqual([...times, waits.at(-1)], [limits.bashTimeoutMs, 5, limits.bashTimeoutMaxMs, 7_000]);
		// The shell itself has no clock: time is up here, or never.
		assert.ok(shell.commands.every(({ order }) => order.timeoutMs === undefined));
	});

	test('the time begins with the command, not with the terminal that it waits for', async () => {
		const { shell, waits, start } = setup();
		let open = () => {};
		shell.begun = new Promise((resolve) => (open = resolve));
		const { done } = await start({ command: 'x', timeout: 5 });
		assert.deepEqual(waits, []);
		open();
		await turns();
		assert.deepEqual(waits, [5]);
		shell.last.end();
		await done;
	});

	test('what takes longer goes on in the background, and says how to follow it', async () => {
		const { shell, clock, tasks, start } = setup();
		const { done } = await start({ command: 'npm test', timeout: 1000 });
		shell.last.print('one\u001b[1m two\n');
		clock.wake();
		const result = await done;
		assert.ok(!result.isError);
		assert.match(result.text, /takes longer than 1000 ms and goes on in the background with the id b1\./);
		assert.match(result.text, /\/out\/b1: Read it, or use TaskOutput\("b1"\); stop it with TaskStop\("b1"\)/);
		assert.match(result.text, /Output so far:\none two$/);
		assert.deepEqual(result.view, {
			kind: 'command',
			command: 'npm test',
			output: 'one two',
			omitted: 0,
			outcome: 'background',
			durationMs: 0,
			taskId: 'b1',
			file: '/out/b1',
		});
		assert.equal(shell.last.stops, 0);
		assert.deepEqual(
			tasks.running.map(({ id, state, lastLine }) => ({ id, state, lastLine })),
			[{ id: 'b1', state: 'running', lastLine: 'one two' }],
		);
		shell.last.end({ exitCode: 2 });
		await turns();
		assert.deepEqual(tasks.finished, [
			{
				id: 'b1',
				note: 'The background command b1 (`npm test`) has ended after 5 s: exit code 2. Its output is in /out/b1.',
			},
		]);
	});

	for (const [why, input, tasks] of [
		['a run without a person', { command: 'npm test' }, { movesOnTimeout: false }],
		['a command that only waits', { command: 'sleep 1000 && echo x' }, {}],
		['a call that forbids it', { command: 'npm test', run_in_background: false }, {}],
	] as const) {
		test(`${why}: ended when its time is up`, async () => {
			const { shell, clock, tasks: list, start } = setup(tasks);
			const { done } = await start({ ...input, timeout: 1000 });
			shell.last.print('part\n');
			clock.wake();
			const result = await done;
			assert.equal(result.isError, true);
			assert.match(result.text, /^Ended after 1000 ms, its time limit/);
			assert.equal(result.view.kind === 'command' && result.view.outcome, 'timed_out');
			assert.deepEqual(list.list, []);
		});
	}

	test('run_in_background answers at once', async () => {
		const { shell, tasks, start } = setup();
		const { done } = await start({ command: 'npm run dev', description: 'Dev server', run_in_background: true });
		const result = await done;
		assert.match(result.text, /^The command runs in the background with the id b1\. Its output goes to \/out\/b1/);
		assert.equal(shell.last.order.outputFile, '/out/b1');
		assert.equal(tasks.running[0]?.description, 'Dev server');
		assert.deepEqual(tasks.finished, []);
	});

	test('without a place for files, TaskOutput is the way', async () => {
		const { start } = setup({
			files: { outputFile: () => Promise.reject(new Error('full')), removeOutput: async () => {} },
		});
		const { done } = await start({ command: 'x', run_in_background: true });
		assert.match((await done).text, /Read its output with TaskOutput\("b1"\)/);
	});

	test('Stop ends a command in the foreground, and leaves those in the background alone', async () => {
		const { shell, tasks, start } = setup();
		const controller = new AbortController();
		await start({ command: 'npm run dev', run_in_background: true }, controller.signal);
		const { done } = await start({ command: 'npm test' }, controller.signal);
		controller.abort({ kind: 'stopped' });
		assert.match((await done).text, /Stopped by the user/);
		assert.deepEqual(
			shell.commands.map(({ stops }) => stops),
			[0, 1],
		);
		assert.equal(tasks.running.length, 1);
	});

	test('the file of an output that fits goes, the one of an output that does not stays', async () => {
		const { shell, removed, start } = setup();
		const short = await start({ command: 'x' });
		shell.last.end({ output: 'short\n', saved: { bytes: 6, complete: true } });
		assert.equal((await short.done).text, 'short');
		assert.deepEqual(removed, ['/out/b1']);
		const long = await start({ command: 'y' });
		const output = 'a line of output\n'.repeat(5_000);
		shell.last.end({ output, saved: { bytes: output.length, complete: true } });
		const result = await long.done;
		assert.ok(result.text.length <= limits.bashOutputChars + 300, String(result.text.length));
		assert.match(result.text, /\[\d+ characters left out\. All of the output is in \/out\/b2: use Read/);
		assert.deepEqual(removed, ['/out/b1']);
		const capped = await start({ command: 'z' });
		shell.last.end({ output, omitted: 9_000_000, saved: { bytes: 64, complete: false } });
		assert.match((await capped.done).text, /The first 64 bytes of the output are in \/out\/b3/);
	});

	test('a command that waits for the person: the card says so, the result says what became of it', async () => {
		const { shell, clock, start } = setup();
		const { done, progress } = await start({ command: 'read x' });
		shell.last.print('name? ');
		shell.last.wait(true);
		const waiting = progress.at(-1);
		assert.ok(waiting?.kind === 'view' && waiting.view.kind === 'command');
		assert.equal(waiting.view.waiting, true);
		assert.equal(waiting.view.output, 'name? ');
		shell.last.wait(false);
		const going = progress.at(-1);
		assert.ok(going?.kind === 'view' && going.view.kind === 'command' && going.view.waiting === undefined);
		shell.last.end({ output: 'name? you\n' });
		assert.match((await done).text, /name\? you\n\[It waited for input, and the person answered in the terminal\.\]/);
		// Nobody answers: it does not go to the background, where nobody would look for it.
		const silent = await start({ command: 'read x', timeout: 1000 });
		shell.last.wait(true);
		clock.wake();
		const result = await silent.done;
		assert.equal(result.isError, true);
		assert.match(result.text, /Ended after 1000 ms.*\n\[It waited for input in the terminal, and nobody answered\./);
	});

	test('what a command leaves behind is named, listed, and can be stopped', async () => {
		const { shell, tasks, removed, start } = setup();
		const { done } = await start({ command: 'server & echo front' });
		shell.last.end({ output: 'front\n', left: [{ pid: 7, command: 'server' }] });
		const result = await done;
		assert.equal(result.text, 'front\n[It left running in the background: 7 (server). TaskStop("b1") ends that.]');
		assert.deepEqual(
			tasks.running.map(({ id, state }) => `${id} ${state}`),
			['b1 left'],
		);
		assert.deepEqual(removed, []);
		assert.equal(await tasks.stop('b1', 'person'), true);
		await turns();
		assert.deepEqual(tasks.list, []);
		assert.deepEqual(tasks.finished, []);
	});

	test('a flood reaches the card as its newest part, now and then', async () => {
		const { shell, clock, start } = setup();
		const { done, progress } = await start({ command: 'yes' });
		for (let count = 0; count < 200; count++) shell.last.print(`${count} `.repeat(1_000));
		clock.wake();
		await turns();
		const sent = progress.reduce(
			(sum, update) =>
				sum +
				(update.kind === 'output'
					? update.text.length
					: update.view.kind === 'command'
						? update.view.output.length
						: 0),
			0,
		);
		assert.ok(sent <= limits.bashViewChars + 2 * limits.bashFloodChars, String(sent));
		const last = progress.at(-1);
		assert.ok(last?.kind === 'view' && last.view.kind === 'command');
		assert.match(last.view.output, /199 199 $/);
		assert.ok(last.view.omitted > 500_000);
		shell.last.end();
		await done;
	});

	test('a folder of its own for each agent; one that lies outside is not started in', async () => {
		const { shell, context } = setup();
		const other = { ...context, cwd: '/w/sub' };
		const run = async (cwd: string | undefined, where: typeof context) => {
			const done = callTool(bashTool, { command: 'pwd' }, where);
			await turns();
			shell.last.end(cwd === undefined ? {} : { cwd });
			return done;
		};
		await run('/w', context);
		await run('/w/sub', other);
		assert.deepEqual(
			shell.commands.map(({ order }) => order.cwd),
			['/w', '/w/sub'],
		);
		const outside = await run(undefined, { ...context, cwd: '/etc/..' });
		assert.equal(shell.last.order.cwd, '/w');
		assert.match(outside.text, /reset to \/w/);
		assert.equal(outside.context?.cwd, '/w');
	});

	test('the tool is called as the shell', () => {
		for (const shell of ['pwsh', 'powershell.exe', 'C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'PowerShell']) {
			assert.ok(builtinToolsFor(shell).includes(powershellTool), shell);
			assert.ok(!builtinToolsFor(shell).includes(bashTool), shell);
		}
		for (const shell of ['bash', 'zsh', 'fish', 'cmd.exe', 'bash.exe'])
			assert.equal(builtinToolsFor(shell), builtinTools);
		assert.notEqual(bashTool.description, powershellTool.description);
	});
});
