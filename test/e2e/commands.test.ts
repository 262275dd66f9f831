// Commands on the real workbench: permission, the visible terminal, output and exit code in the card, and a stop that
// leaves nothing running.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
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

stories('commands', (stories) => {
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
});
