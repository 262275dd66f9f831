// Commands on the real workbench: permission, the visible terminal, output and exit code in the card, a stop that leaves
// nothing running, what goes on in the background, and what waits for the person.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';
import { poll } from './harness/workbenchPage.ts';

/** Whether a process with these words in its command line runs. */
function runs(words: string): boolean {
	return readdirSync('/proc').some((pid) => {
		if (!/^\d+$/.test(pid)) return false;
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').startsWith(words);
		} catch {
			return false;
		}
	});
}

storiesInOneWindow('commands', (stories) => {
	test('a command asks, runs in a visible terminal, and its output and exit code are in the card and with the model', async () => {
		stories.mock.setScript([turn(toolUse('Bash', { command: 'echo one; echo two >&2; exit 3' })), turn('It failed.')]);
		const workbench = await stories.open();
		await workbench.submit('run it');
		const permission = await workbench.permission('Bash');
		await permission.getByText('echo one; echo two >&2; exit 3').first().waitFor();
		await workbench.screenshot('command-permission');
		await workbench.answerPermission('Bash', 'Allow once');
		await workbench.waitForEnd();
		const card = await workbench.waitForCard(/^Bash: /, 'error');
		await card.getByRole('button').first().click();
		await card.getByText('two').first().waitFor();
		await workbench.page.locator('.terminal-wrapper .xterm-rows').getByText('two').first().waitFor();
		await workbench.screenshot('command-done');
		const [result] = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.match(result?.text ?? '', /one\ntwo/);
		assert.match(result?.text ?? '', /3/);
		assert.equal(result?.isError, true);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a read-only command does not ask', async () => {
		stories.mock.setScript([turn(toolUse('Bash', { command: 'ls src' })), turn('Two folders.')]);
		const workbench = await stories.open();
		await workbench.ask('what is in src?');
		assert.match(toolResults(stories.mock.requests[1] ?? assert.fail())[0]?.text ?? '', /auth\ni18n\nutil/);
	});

	test('Stop kills a running command and its children, and the next prompt works', async () => {
		const seconds = 4000 + (process.pid % 900);
		stories.mock.setScript([
			turn(toolUse('Bash', { command: `(sleep ${seconds} &); sleep ${seconds} | cat` })),
			turn('Understood.'),
		]);
		const workbench = await stories.open();
		await workbench.submit('wait');
		// It only waits, so it needs no permission.
		await workbench.waitForCard(/^Bash: /, 'running');
		assert.ok(await poll(10_000, async () => runs(`sleep ${seconds}`) || undefined));
		await workbench.screenshot('command-running');
		await (await workbench.button('Stop')).click();
		await workbench.waitForCard(/^Bash: /, 'stopped');
		await workbench.waitForStatus('Stopped');
		assert.ok(await poll(10_000, async () => !runs(`sleep ${seconds}`) || undefined), 'nothing of it runs any more');
		await workbench.ask('go on');
		const [result] = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.match(result?.text ?? '', /[Ii]nterrupted/);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a command in the background does not hold the turn; it is listed, and stopped from there, and the model is told', async () => {
		const seconds = 5000 + (process.pid % 900);
		const command = `echo listening on 4711; sleep ${seconds}`;
		stories.mock.setScript([
			turn(toolUse('Bash', { command, description: 'Dev server', run_in_background: true })),
			turn('The server runs.'),
			turn('So it is gone.'),
		]);
		const workbench = await stories.open();
		await workbench.ask('start the server');
		const card = await workbench.waitForCard(/^Bash: /, 'done');
		await card.getByText('in the background').first().waitFor();
		const list = (await workbench.panel()).locator('details.tasks');
		await list.locator('summary').click();
		const task = list.getByRole('group', { name: 'Dev server' });
		await task.getByText('listening on 4711').waitFor();
		await task.getByText(/^running/).waitFor();
		assert.ok(runs(`sleep ${seconds}`));
		await workbench.screenshot('background-running');
		const [told] = toolResults(stories.mock.requests[1] ?? assert.fail());
		const file = /Its output goes to (\S+): Read it/.exec(told?.text ?? '')?.[1] ?? assert.fail(told?.text);
		assert.equal(readFileSync(file, 'utf8'), 'listening on 4711\n');
		await task.getByRole('button', { name: 'Stop command' }).click();
		await task.getByText(/^stopped/).waitFor();
		assert.ok(await poll(10_000, async () => !runs(`sleep ${seconds}`) || undefined), 'nothing of it runs any more');
		await workbench.screenshot('background-stopped');
		await workbench.ask('and now?');
		const sent = JSON.stringify(stories.mock.requests[2]?.body ?? assert.fail());
		assert.equal(sent.split('stopped by the person').length, 2, 'told once');
		await task.getByRole('button', { name: 'Remove from the list' }).click();
		await list.waitFor({ state: 'detached' });
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a command that takes too long goes on in the background, and its end is told with the next prompt', async () => {
		stories.mock.setScript([
			turn(toolUse('Bash', { command: 'echo begun; sleep 14; echo done', timeout: 6000 })),
			turn('It takes a while.'),
			turn(toolUse('TaskOutput', { task_id: 'unknown' })),
			turn('It is done.'),
		]);
		const workbench = await stories.open();
		await workbench.ask('build it');
		const [told] = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.match(told?.text ?? '', /takes longer than 6000 ms and goes on in the background with the id b\w+/);
		assert.match(told?.text ?? '', /Output so far:\nbegun$/);
		const list = (await workbench.panel()).locator('details.tasks');
		await list.locator('summary').click();
		await list.getByText(/^succeeded/).waitFor({ timeout: 30_000 });
		await workbench.screenshot('background-ended');
		await workbench.ask('and?');
		for (const request of stories.mock.requests.slice(2)) {
			assert.equal(JSON.stringify(request.body).split('has ended after').length, 2, 'told once');
		}
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a command that waits for input says so; what the person types into the terminal reaches it', async () => {
		stories.mock.setScript([
			turn(toolUse('Bash', { command: 'printf "name? "; read -r name; echo "hello $name"' })),
			turn('Said hello.'),
		]);
		const workbench = await stories.open();
		await workbench.submit('ask me');
		await workbench.answerPermission('Bash', 'Allow once');
		const card = await workbench.waitForCard(/^Bash: /, 'running');
		await card.getByText('Waits for your input in the terminal.').waitFor({ timeout: 20_000 });
		await workbench.waitForStatus('Waiting for you');
		await workbench.screenshot('command-waits');
		await card.getByRole('button', { name: 'Show terminal' }).click();
		await poll(10_000, async () =>
			(await workbench.page.evaluate(() => document.activeElement?.closest('.xterm') !== null)) ? true : undefined,
		);
		await workbench.page.keyboard.type('Ada\n');
		await workbench.waitForStatus('Ready');
		const [result] = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.match(result?.text ?? '', /hello Ada\n\[It waited for input, and the person answered in the terminal\.\]/);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('closing the terminal of a command in the background ends it, and the model is told', async () => {
		const seconds = 6000 + (process.pid % 900);
		stories.mock.setScript([
			turn(toolUse('Bash', { command: `echo up; sleep ${seconds}`, run_in_background: true })),
			turn('It runs.'),
			turn('It was closed.'),
		]);
		const workbench = await stories.open();
		await workbench.ask('start it');
		assert.ok(await poll(10_000, async () => runs(`sleep ${seconds}`) || undefined));
		const list = (await workbench.panel()).locator('details.tasks');
		await list.locator('summary').click();
		await workbench.runCommand('Terminal: Kill All Terminals');
		assert.ok(await poll(10_000, async () => !runs(`sleep ${seconds}`) || undefined), 'nothing of it runs any more');
		// The host knows it a moment after the system.
		await list.getByText(/^killed/).waitFor();
		await workbench.ask('and?');
		assert.match(
			JSON.stringify(stories.mock.requests[2]?.body),
			/ended by the signal SIGHUP \(The terminal was closed/,
		);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a command goes on with its conversation; deleting that asks, and what is kept is in the list of the next one', async () => {
		const seconds = 7000 + (process.pid % 900);
		stories.mock.setScript([
			turn(toolUse('Bash', { command: `echo up; sleep ${seconds}`, run_in_background: true })),
			turn('It runs.'),
		]);
		const workbench = await stories.open();
		await workbench.ask('keep it up');
		assert.ok(await poll(10_000, async () => runs(`sleep ${seconds}`) || undefined));
		await workbench.runCommand('Loopwright: New Conversation');
		await (
			await workbench.panel()
		).waitForFunction(
			() => document.querySelector('[role=article]') === null && document.activeElement?.tagName === 'TEXTAREA',
		);
		assert.ok(runs(`sleep ${seconds}`));
		const row = workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'keep it up' });
		await workbench.runCommand('Loopwright: History');
		await row.filter({ hasText: 'commands running' }).waitFor();
		await row.hover();
		await row.getByRole('button', { name: 'Delete' }).click();
		const dialog = workbench.page.getByRole('dialog').filter({ hasText: 'is still running' });
		await dialog.waitFor();
		await workbench.screenshot('leaving-question');
		await dialog.getByRole('button', { name: 'Keep Running', exact: true }).click();
		await row.waitFor({ state: 'detached' });
		await workbench.page.keyboard.press('Escape');
		const list = (await workbench.panel()).locator('details.tasks');
		await list.locator('summary').click();
		await list.getByText('keeps running').waitFor();
		assert.ok(runs(`sleep ${seconds}`));
		await list.getByRole('button', { name: 'Stop command' }).click();
		assert.ok(await poll(10_000, async () => !runs(`sleep ${seconds}`) || undefined), 'nothing of it runs any more');
		await list.waitFor({ state: 'detached' });
	});
});
