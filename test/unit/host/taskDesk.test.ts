// The panel's list of commands in the background, over conversations, and the status of a command that waits for the person.
import assert from 'node:assert/strict';
import { KeptTasks } from '../../../src/host/tasks/keptTasks.ts';
import { TaskDesk } from '../../../src/host/tasks/taskDesk.ts';
import { newProjection } from '../../../src/host/panel/projection.ts';
import { changedFields, waitsForInput } from '../../../src/host/session/stateChanges.ts';
import type { Row } from '../../../src/shared/view.ts';
import { fakeTasks } from '../../support/fakeWorkspace.ts';
import { HeldShell, turns } from '../../support/heldShell.ts';
import { bareState } from '../../support/viewState.ts';
import { FakeLater } from './support.ts';

async function begun(prefix: string) {
	let next = 0;
	const tasks = fakeTasks({ newId: () => `${prefix}${++next}` });
	const shell = new HeldShell();
	const start = async (command: string) => {
		const task = await tasks.start({ toolUseId: `call-${command}`, command, cwd: '/w' }, shell);
		tasks.toBackground(task);
		return task.id;
	};
	return { tasks, shell, start };
}

suite('task desk', () => {
	test('changes are told together, not one by one', async () => {
		const later = new FakeLater();
		const desk = new TaskDesk({ later: later.later, kept: new KeptTasks() });
		let told = 0;
		desk.onChange(() => told++);
		const { tasks, shell, start } = await begun('x');
		desk.follow(tasks);
		await start('serve');
		for (let line = 0; line < 1000; line++) shell.last.print(`${line}\n`);
		assert.equal(later.waiting, 1);
		later.run();
		assert.equal(told, 1);
		assert.deepEqual(
			desk.views.map(({ command, state, lastLine, description }) => ({ command, state, lastLine, description })),
			[{ command: 'serve', state: 'running', lastLine: '999', description: '' }],
		);
	});

	test('what an earlier conversation keeps stays until it ends, and can be stopped and shown', async () => {
		const later = new FakeLater();
		const desk = new TaskDesk({ later: later.later, kept: new KeptTasks() });
		const first = await begun('x');
		desk.follow(first.tasks);
		const kept = await first.start('serve');
		await first.start('watch');
		assert.equal(desk.ending.length, 2);
		desk.keep(kept, true);
		assert.deepEqual(
			desk.ending.map(({ command }) => command),
			['watch'],
		);
		await first.tasks.end();
		const second = await begun('y');
		desk.follow(second.tasks);
		assert.deepEqual(
			desk.views.map(({ command }) => command),
			['serve'],
		);
		desk.show(kept);
		assert.deepEqual(first.shell.commands[0]?.shown, [true]);
		await desk.stop(kept);
		await turns();
		assert.deepEqual(desk.views, []);
	});

	test('back in the conversation that has kept it, a command is its own again, and its end is told there', async () => {
		const desk = new TaskDesk({ later: new FakeLater().later, kept: new KeptTasks() });
		const first = await begun('x');
		desk.follow(first.tasks);
		const id = await first.start('serve');
		desk.keep(id, true);
		await first.tasks.end();
		desk.follow((await begun('y')).tasks);
		const [info] = first.tasks.list;
		const lost = { ...(info ?? assert.fail()), state: 'ended', outcome: 'lost' } as const;
		const resumed = fakeTasks({ earlier: [lost], untold: [id] });
		desk.follow(resumed);
		assert.deepEqual(
			desk.views.map(({ state }) => state),
			['running'],
		);
		assert.equal(resumed.finished.length, 0);
		first.shell.last.end();
		await turns();
		assert.deepEqual(
			resumed.finished.map(({ note }) => note.includes('exit code 0')),
			[true],
		);
		assert.deepEqual(
			desk.views.map(({ state }) => state),
			['ended'],
		);
	});

	test('of two conversations each has its own; what an ended one keeps is in the list of all, and stopped from any', async () => {
		const kept = new KeptTasks();
		const [one, two] = [0, 1].map(() => new TaskDesk({ later: new FakeLater().later, kept })) as [TaskDesk, TaskDesk];
		const [first, second] = [await begun('x'), await begun('y')];
		one.follow(first.tasks);
		two.follow(second.tasks);
		const serve = await first.start('serve');
		await second.start('watch');
		const commands = (desk: TaskDesk) => desk.views.map(({ command }) => command);
		assert.deepEqual([commands(one), commands(two)], [['serve'], ['watch']]);
		one.keep(serve, true);
		await first.tasks.end();
		one.leave();
		assert.deepEqual([one.running, commands(two)], [[], ['serve', 'watch']]);
		await two.stop(serve);
		await turns();
		assert.deepEqual(commands(two), ['watch']);
	});

	test('when the window goes, everything ends, kept or not', async () => {
		const desk = new TaskDesk({ later: new FakeLater().later, kept: new KeptTasks() });
		const first = await begun('x');
		desk.follow(first.tasks);
		desk.keep(await first.start('serve'), true);
		const second = await begun('y');
		desk.follow(second.tasks);
		await second.start('watch');
		await desk.dispose();
		assert.deepEqual([first.shell.last.stops, second.shell.last.stops], [1, 1]);
	});
});

suite('state of the panel', () => {
	test('only what differs is told', () => {
		assert.equal(changedFields(bareState, { todos: [], status: bareState.status }), undefined);
		assert.deepEqual(changedFields(bareState, { status: 'waiting', todos: [] }), { status: 'waiting' });
	});

	test('a running command that waits for input is something that waits for the person', () => {
		const row = (waiting: boolean): Row => ({
			kind: 'tool',
			id: 'a',
			toolUseId: 'a',
			tool: 'Bash',
			summary: 'read x',
			state: 'running',
			view: {
				kind: 'command',
				command: 'read x',
				output: '',
				omitted: 0,
				outcome: 'running',
				durationMs: 0,
				...(waiting ? { waiting } : {}),
			},
		});
		const view = (waiting: boolean, open: readonly string[]) => ({
			projected: { ...newProjection, open },
			row: () => row(waiting),
		});
		assert.equal(waitsForInput(view(true, ['a'])), true);
		assert.equal(waitsForInput(view(false, ['a'])), false);
		assert.equal(waitsForInput(view(true, [])), false);
		const of = (waiting: boolean): Row => ({
			kind: 'tool',
			id: 'b',
			toolUseId: 'b',
			tool: 'Agent',
			summary: 'ask',
			state: 'running',
			view: { kind: 'agent', log: [row(waiting)], omitted: 0, answer: '', toolUses: 0, tokens: 0 },
		});
		const inside = (waiting: boolean) => ({ ...view(waiting, ['b']), row: () => of(waiting) });
		assert.equal(waitsForInput(inside(true)), true);
		assert.equal(waitsForInput(inside(false)), false);
	});
});
