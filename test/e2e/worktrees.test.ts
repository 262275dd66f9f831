// A conversation in a git worktree: begun by the command, seen in the chip, its work brought back as uncommitted changes, the worktree
// removed, and the conversation still in the history; merged, squashed, thrown away, and what stops each.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace } from './harness/workbench.ts';

stories('worktrees', (stories) => {
	test('work in a worktree, brought back as uncommitted changes; the conversation stays in the history', async () => {
		const folder = sampleWorkspace();
		const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
		stories.mock.setScript([
			turn(
				toolUse('Write', { file_path: 'notes.txt', content: 'from the worktree\n' }),
				toolUse('Bash', { command: 'pwd', description: 'Where am I' }),
			),
			answer('Written there.'),
		]);
		const bench = await stories.open({ folder, settings: { 'loopwright.permissionMode': 'acceptEdits' } });
		const input = bench.page.locator('.quick-input-widget .quick-input-box input');
		const told = (words: string) => bench.page.locator('.notification-list-item', { hasText: words });
		/** Shows what was told, and takes it away. */
		const waitForNotice = async (words: string) => {
			await bench.runCommand('Notifications: Show Notifications');
			await told(words).first().waitFor();
			await bench.runCommand('Notifications: Clear All Notifications');
		};
		const begin = async (name: string) => {
			await bench.submit('/worktree');
			await bench.page.locator('.quick-input-widget', { hasText: 'New Conversation in a Git Worktree' }).waitFor();
			await input.fill(name);
			await bench.page.keyboard.press('Enter');
		};
		await begin('Nowhere');
		await waitForNotice('This folder is in no git repository that can be used');

		git('init', '-q', '-b', 'main');
		git('config', 'user.name', 'Ada');
		git('config', 'user.email', 'ada@example.com');
		git('add', '-A');
		git('commit', '-q', '-m', 'first');
		await begin('Notes for later');
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

		git('add', '-A');
		git('commit', '-q', '-m', 'notes');
		await begin('Second');
		await (await bench.panel()).getByText('loopwright/second').first().waitFor();
		stories.mock.setScript([
			turn(toolUse('Write', { file_path: 'draft.txt', content: 'of the second\n' })),
			answer('Written, too.'),
		]);
		await bench.ask('write the draft');
		const toReview = bench.page.locator('.statusbar-item', { hasText: 'to review' });
		await toReview.waitFor();
		const second = path.join(path.dirname(worktree), 'second');
		const bring = async (way: string) => {
			await bench.runCommand('Loopwright: Git Worktree…');
			await rows.filter({ hasText: way }).click();
			await bench.page.locator('.quick-input-widget', { hasText: 'Message of the Commit' }).waitFor();
			await bench.page.keyboard.press('Enter');
		};
		writeFileSync(path.join(second, 'notes.txt'), 'theirs\n');
		writeFileSync(path.join(folder, 'notes.txt'), 'ours\n');
		await bring('Merge into main');
		await waitForNotice('Nothing was merged: the folder has changes that are not committed (notes.txt)');
		git('commit', '-q', '-a', '-m', 'ours');
		await bring('Merge into main');
		await bench.runCommand('Notifications: Show Notifications');
		await told('Nothing was changed: both sides changed the same places (notes.txt)').first().waitFor();
		await bench.screenshot('worktree-conflict');
		await bench.runCommand('Notifications: Clear All Notifications');
		assert.deepEqual(
			[folder, second].map((place) => readFileSync(path.join(place, 'notes.txt'), 'utf8')),
			['ours\n', 'theirs\n'],
		);
		assert.equal(git('status', '--porcelain'), '');

		writeFileSync(path.join(second, 'notes.txt'), 'from the worktree\n');
		writeFileSync(path.join(second, 'merged.txt'), 'merged\n');
		await bring('Merge into main');
		await waitForNotice('The changes of loopwright/second are in');
		assert.equal(readFileSync(path.join(folder, 'merged.txt'), 'utf8'), 'merged\n');
		assert.equal(readFileSync(path.join(folder, 'notes.txt'), 'utf8'), 'ours\n');
		writeFileSync(path.join(second, 'squashed.txt'), 'squashed\n');
		const commits = Number(git('rev-list', '--count', 'main'));
		await bring('Bring back as one commit on main');
		await waitForNotice('The changes of loopwright/second are in');
		assert.equal(Number(git('rev-list', '--count', 'main')), commits + 1);
		assert.equal(git('show', 'main:squashed.txt'), 'squashed');
		assert.equal(git('status', '--porcelain'), '');

		writeFileSync(path.join(second, 'lost.txt'), 'lost\n');
		await bench.runCommand('Loopwright: Git Worktree…');
		await rows.filter({ hasText: 'Throw the worktree away' }).click();
		const dialog = bench.page.getByRole('dialog').filter({ hasText: 'Throw away the worktree loopwright/second' });
		await dialog.waitFor();
		await bench.screenshot('worktree-discard');
		await dialog.getByRole('button', { name: 'Throw Away', exact: true }).click();
		await waitForNotice('The worktree loopwright/second is gone');
		assert.deepEqual([existsSync(second), git('branch', '--format=%(refname:short)')], [false, 'main']);
		await toReview.waitFor({ state: 'detached' });
		assert.deepEqual(stories.mock.violations, []);
	});
});
