// A conversation in a git worktree: begun by the command, seen in the chip, its work brought back as uncommitted changes, the worktree
// removed, and the conversation still in the history.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { answer, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace } from './harness/workbench.ts';

stories('worktrees', (stories) => {
	test('work in a worktree, brought back as uncommitted changes; the conversation stays in the history', async () => {
		const folder = sampleWorkspace();
		const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
		git('init', '-q', '-b', 'main');
		git('add', '-A');
		git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'first');
		stories.mock.setScript([
			turn(
				toolUse('Write', { file_path: 'notes.txt', content: 'from the worktree\n' }),
				toolUse('Bash', { command: 'pwd', description: 'Where am I' }),
			),
			answer('Written there.'),
		]);
		const bench = await stories.open({ folder, settings: { 'loopwright.permissionMode': 'acceptEdits' } });
		const input = bench.page.locator('.quick-input-widget .quick-input-box input');
		await bench.submit('/worktree');
		await bench.page.locator('.quick-input-widget', { hasText: 'New Conversation in a Git Worktree' }).waitFor();
		await input.fill('Notes for later');
		await bench.page.keyboard.press('Enter');
		await (await bench.panel()).getByText('loopwright/notes-for-later').first().waitFor();
		await bench.ask('write the notes');
		const worktree = path.join(path.dirname(folder), `${path.basename(folder)}.worktrees`, 'notes-for-later');
		await bench.screenshot('worktree');
		assert.equal(readFileSync(path.join(worktree, 'notes.txt'), 'utf8'), 'from the worktree\n');
		assert.equal(existsSync(path.join(folder, 'notes.txt')), false);
		assert.ok(toolResults(stories.mock.requests[1] ?? assert.fail()).some(({ text }) => text.includes(worktree)));

		await bench.runCommand('Loopwright: Git Worktree…');
		const rows = bench.page.locator('.quick-input-list .monaco-list-row');
		await rows.filter({ hasText: 'Merge into main' }).waitFor();
		await bench.screenshot('worktree-back');
		await rows.filter({ hasText: 'Bring back as uncommitted changes' }).click();
		await bench.runCommand('Notifications: Show Notifications');
		await bench.page.locator('.notification-list-item').getByRole('button', { name: 'Remove the Worktree' }).click();
		await bench.page.locator('.notification-list-item', { hasText: 'is gone' }).waitFor();
		assert.equal(git('status', '--porcelain'), '?? notes.txt');
		assert.equal(git('branch', '--format=%(refname:short)'), 'main');
		assert.equal(existsSync(worktree), false);
		await bench.page.keyboard.press('Escape');

		await bench.runCommand('Loopwright: History');
		await rows.filter({ hasText: 'write the notes' }).click();
		await (await bench.panel()).locator('[role=log]').getByText('Written there.').first().waitFor();
		assert.deepEqual(stories.mock.violations, []);
	});
});
