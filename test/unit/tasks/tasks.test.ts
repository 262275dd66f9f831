// Commands in the background: TaskOutput and TaskStop, who is told of what, what is kept, and how a session ends.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../src/core/limits.ts';
import type { CommandTask } from '../../../src/core/tasks/commandTask.ts';
import type { TaskInfo } from '../../../src/core/tasks/taskInfo.ts';
import { taskOutputTool } from '../../../src/core/tools/builtin/taskOutput.ts';
import { taskStopTool } from '../../../src/core/tools/builtin/taskStop.ts';
import { FakeClock } from '../../support/fakeTools.ts';
import { callTool, fakeContext, fakeTasks, FakeWorkspace } from '../../support/fakeWorkspace.ts';
import { HeldShell, turns } from '../../support/heldShell.ts';

function setup() {
	const shell = new HeldShell();
	const clock = new FakeClock();
	const tasks = fakeTasks({ clock });
	const context = fakeContext(new FakeWorkspace({}), { shell, clock, tasks });
	const begin = async (command: string): Promise<CommandTask> => {
		const task = await tasks.start({ toolUseId: `call-${command}`, command, cwd: '/w' }, shell);
		tasks.toBackground(task);
		return task;
	};
	const output = (input: Record<string, string | number | boolean>) => callTool(taskOutputTool, input, context);
	return { shell, clock, tasks, context, begin, output };
}

function earlierOf(id: string): TaskInfo {
	return { id, command: 'x', state: 'ended', outcome: 'lost', lastLine: '', startedAt: 0, kept: false };
}

suite('commands in the background', () => {
	test('TaskOutput: at once, or at the end, or when the time is up', async () => {
		const { shell, clock, tasks, begin, output } = setup();
		await begin('serve');
		shell.last.print('\u001b[32mready\u001b[0m\n10%\r20%\n');
		const now = await output({ task_id: 'b1', block: false });
		assert.match(
			now.text,
			/^The command b1 is still running\. All of its output so far is in \/out\/b1\.\nOutput:\nready\n20%$/,
		);
		const waits = output({ task_id: 'b1', timeout: 5 });
		await turns();
		clock.wake();
		assert.match((await waits).text, /still running/);
		const ends = output({ task_id: 'b1' });
		await turns();
		shell.last.end({ exitCode: 3, output: 'ready\nbye\n' });
		const end = await ends;
		assert.equal(end.text, 'The command b1 has ended: exit code 3.\nready\nbye');
		assert.ok(!end.isError);
		// It was just told.
		assert.deepEqual(tasks.finished, []);
	});

	test('TaskOutput of a long output is bounded, of a wait says so, of an unknown id names those there are', async () => {
		const { shell, begin, output } = setup();
		await begin('serve');
		for (let line = 0; line < 20_000; line++) shell.last.print(`line ${line}\n`);
		shell.last.wait(true);
		const { text } = await output({ task_id: 'b1', block: false });
		assert.ok(text.length < limits.bashOutputChars + 500);
		assert.match(text, /waits for input of the person/);
		assert.match(text, /the newest; \d+ characters came before/);
		assert.match(text, /line 19999$/);
		const unknown = await output({ task_id: 'b9' });
		assert.equal(unknown.isError, true);
		assert.equal(unknown.text, 'There is no command "b9" in the background. There are: b1 (waiting).');
	});

	test('TaskStop kills it, and says it again when it had ended; no note then', async () => {
		const { shell, tasks, context, begin } = setup();
		await begin('serve');
		const stop = () => callTool(taskStopTool, { task_id: 'b1' }, context);
		assert.match(
			(await stop()).text,
			/^The command b1 is stopped; nothing of it runs any more\. Its output is in \/out\/b1\./,
		);
		assert.equal(shell.last.stops, 1);
		assert.match((await stop()).text, /had ended already/);
		assert.deepEqual(tasks.finished, []);
		assert.equal((await callTool(taskStopTool, { task_id: 'nope' }, context)).isError, true);
	});

	test('notes: in the order of the ends, once; a stop by the person is told as such', async () => {
		const { shell, tasks, begin } = setup();
		for (const command of ['one', 'two', 'three']) await begin(command);
		shell.commands[1]?.end();
		await turns();
		await tasks.stop('b1', 'person');
		shell.commands[2]?.end({ outcome: 'killed_by_signal', signal: 'SIGHUP', message: 'The terminal was closed.' });
		await turns();
		assert.deepEqual(
			tasks.finished.map(({ note }) => note),
			[
				'The background command b2 (`two`) has ended after 5 s: exit code 0. Its output is in /out/b2.',
				'The background command b1 (`one`) has ended after 5 s: stopped by the person. Its output is in /out/b1.',
				'The background command b3 (`three`) has ended after 5 s: ended by the signal SIGHUP (The terminal was closed.). Its output is in /out/b3.',
			],
		);
		tasks.told('b2');
		tasks.told('b2');
		assert.deepEqual(
			tasks.finished.map(({ id }) => id),
			['b1', 'b3'],
		);
	});

	test('the session ends: what is not kept is stopped, what is kept goes on', async () => {
		const { shell, tasks, begin } = setup();
		await begin('one');
		await begin('two');
		const left = await tasks.start({ toolUseId: 'c', command: 'left &', cwd: '/w' }, shell);
		shell.last.end({ left: [{ pid: 1, command: 'left' }] });
		await left.finished;
		await tasks.answered(left, false);
		tasks.keep('b2', true);
		await tasks.end();
		assert.deepEqual(
			shell.commands.map(({ stops }) => stops),
			[1, 0, 1],
		);
		assert.deepEqual(
			tasks.running.map(({ id, kept }) => [id, kept]),
			[['b2', true]],
		);
		shell.commands[1]?.end();
		await tasks.allGone();
		assert.deepEqual(tasks.running, []);
	});

	test('ended ones are remembered up to a bound, and can be taken off the list', async () => {
		const { shell, tasks, begin } = setup();
		for (let count = 0; count < limits.taskEnded + 5; count++) {
			await begin(`c${count}`);
			shell.last.end();
		}
		await turns();
		assert.equal(tasks.list.length, limits.taskEnded);
		await begin('runs');
		const running = tasks.running[0]?.id ?? '';
		tasks.remove(running);
		assert.equal(tasks.running.length, 1);
		const [first] = tasks.list;
		tasks.remove(first?.id ?? '');
		assert.ok(!tasks.list.some(({ id }) => id === first?.id));
	});

	test('ids: a source that begins alike or repeats itself gives another one each time, also at once and after a removal', async () => {
		const sources = [
			(count: number) => `12345678-0000-4000-8000-00000000000${count}`,
			() => '12345678-0000-4000-8000-000000000000',
			() => '1',
		];
		for (const source of sources) {
			let count = 0;
			const tasks = fakeTasks({ newId: () => source(++count), earlier: [earlierOf('b12345678')] });
			const shell = new HeldShell();
			const start = () => tasks.start({ toolUseId: 'call', command: 'x', cwd: '/w' }, shell);
			const first = await start();
			tasks.toBackground(first);
			shell.last.end();
			await first.finished;
			await turns();
			tasks.remove(first.id);
			const ids = [first, ...(await Promise.all([start(), start(), start()]))].map(({ id }) => id);
			assert.equal(new Set(['b12345678', ...ids]).size, 5, ids.join(' '));
			for (const id of ids) assert.match(id, /^b[\w-]+$/);
		}
	});

	test('a running command is found by its call, to show its terminal or to stop it', async () => {
		const { shell, tasks } = setup();
		const task = await tasks.start({ toolUseId: 'toolu_1', command: 'read x', cwd: '/w' }, shell);
		tasks.find('toolu_1')?.show(true);
		assert.deepEqual(shell.last.shown, [true]);
		assert.equal(await tasks.stop('toolu_1', 'person'), true);
		assert.equal((await task.finished).outcome, 'stopped');
	});

	test('any sequence: each end in the background is told once or known, and nothing unkept outlives the session', async () => {
		const step = fc.record({
			what: fc.constantFrom('begin', 'end', 'wait', 'print', 'person', 'model', 'keep', 'told', 'remove'),
			which: fc.nat(4),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const { shell, tasks, begin } = setup();
				const started: CommandTask[] = [];
				const told: string[] = [];
				const stopped = new Set<string>();
				for (const { what, which } of steps) {
					const task = started[which % Math.max(1, started.length)];
					const command = shell.commands[which % Math.max(1, started.length)];
					if (what === 'begin') started.push(await begin(`c${started.length}`));
					else if (task && command) {
						if (what === 'end') command.end();
						if (what === 'wait') command.wait(which % 2 === 0);
						if (what === 'print') command.print('x\n');
						if (what === 'person') await tasks.stop(task.id, 'person');
						if (what === 'model' && task.result === undefined) {
							stopped.add(task.id);
							await tasks.stop(task.id, 'model');
						}
						if (what === 'keep') tasks.keep(task.id, which % 2 === 0);
						if (what === 'told') {
							for (const { id } of tasks.finished) {
								told.push(id);
								tasks.told(id);
							}
						}
						if (what === 'remove') tasks.remove(task.id);
					}
					await Promise.resolve();
				}
				await turns(3);
				told.push(...tasks.finished.map(({ id }) => id));
				const ended = started.filter(({ result, id }) => result !== undefined && !stopped.has(id)).map(({ id }) => id);
				assert.deepEqual(told.toSorted(), ended.toSorted());
				const kept = started.filter((task) => task.kept && task.result === undefined);
				await tasks.end();
				assert.deepEqual(
					tasks.running.map(({ id }) => id),
					kept.map(({ id }) => id),
				);
			}),
			{ numRuns: 150 },
		);
	});
});
