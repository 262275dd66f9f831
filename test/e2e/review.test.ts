// Review of applied edits on the real workbench: marks in the live editor, the peek, the list, the diff of all, keys, a reload.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const hash = 'src/util/hash.ts';
const session = 'src/auth/session.ts';
const created = 'src/util/salt.ts';
const settings = { 'loopwright.permissionMode': 'acceptEdits' };
const edit = (file_path: string, old_string: string, new_string: string) =>
	toolUse('Edit', { file_path, old_string, new_string });

stories('review', (stories) => {
	setup(() => {
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: hash }), toolUse('Read', { file_path: session })),
			turn(edit(hash, "const ALGORITHM = 'sha1';", "const ALGORITHM = 'sha256';")),
			turn(
				edit(hash, "  const [salt = '', hash = ''] = stored.split(':');\n", '  const [salt, hash] = parse(stored);\n'),
			),
			turn(edit(session, '8 * 60', '4 * 60')),
			turn(toolUse('Write', { file_path: created, content: 'export const saltBytes = 16;\n' })),
			turn('Done.'),
			turn('Fine.'),
		]);
	});

	const onDisk = (bench: Workbench, file: string) => readFileSync(path.join(bench.folder, file), 'utf8');
	const lenses = (bench: Workbench, title: string) =>
		bench.page.locator('.editor-group-container.active .codelens-decoration a').filter({ hasText: title });
	const status = (bench: Workbench, words: string) => bench.page.locator('.statusbar-item').filter({ hasText: words });
	const until = async (what: string, holds: () => Promise<boolean> | boolean) =>
		assert.ok(await poll(15_000, async () => ((await holds()) ? true : undefined)), what);
	const key = (bench: Workbench, name: string) => bench.page.keyboard.press(name);
	const focusEditor = (bench: Workbench) =>
		bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();

	test('marked at once in the live editor without taking the focus; peek, list and diff of all; kept and undone', async () => {
		const bench = await stories.open({ settings });
		await bench.openFile(hash);
		await (await bench.composer()).focus();
		await bench.ask('Use a better hash');
		assert.ok(await (await bench.panel()).evaluate(() => document.hasFocus()), 'the panel keeps the focus');
		assert.equal(await bench.page.locator('.tab').count(), 1, 'no file was opened');
		await status(bench, '4 changes to review').waitFor();
		await lenses(bench, 'Keep').nth(1).waitFor();
		assert.equal(await lenses(bench, 'Keep').count(), 2);
		await bench.page.locator('.editor-group-container.active .dirty-diff-modified').first().waitFor();
		await bench.screenshot('review-editor');

		await focusEditor(bench);
		await key(bench, 'Alt+F3');
		const peek = bench.page.locator('.peekview-widget');
		await peek.getByText("'sha1'").first().waitFor();
		await bench.screenshot('review-peek');
		await peek.locator('.action-label[aria-label*="Keep"]').first().click();
		await status(bench, '3 changes to review').waitFor();
		await key(bench, 'Escape');
		await until('one lens is left', async () => (await lenses(bench, 'Keep').count()) === 1);

		await status(bench, '3 changes to review').click();
		const list = bench.page.locator('.scm-view');
		await list.getByText('session.ts').first().waitFor();
		await list.getByText('Use a better hash').first().waitFor();
		await bench.screenshot('review-list');
		await bench.runCommand('Loopwright: Review Open All');
		await bench.page.locator('.multiDiffEntry').first().waitFor();
		await bench.screenshot('review-all');

		await list.getByText('session.ts').first().click();
		await lenses(bench, 'Undo').first().waitFor();
		await lenses(bench, 'Undo').first().click();
		await until('the old text is on the disk', () => onDisk(bench, session).includes('8 * 60'));
		await status(bench, '2 changes to review').waitFor();
		await bench.runCommand('Loopwright: Review Undo All');
		await until('nothing is left to review', async () => (await status(bench, 'to review').count()) === 0);
		assert.ok(onDisk(bench, hash).includes("'sha256'"), 'what was kept stays');
		assert.ok(onDisk(bench, hash).includes("stored.split(':')"));
		assert.equal(existsSync(path.join(bench.folder, created)), false);
		assert.deepEqual(stories.mock.violations, []);
	});
});
