// Proposed edits on the real workbench: threads in the live editor, the card by hunk, the diff with a proposed side that can be
// changed, keys, a reload; B27: nothing of an unanswered proposal is ever in the file.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const file = 'src/util/hash.ts';
const created = 'src/util/salt.ts';
const settings = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 };

stories('proposals', (stories) => {
	let before: string;
	const onDisk = (bench: Workbench, name = file) => readFileSync(path.join(bench.folder, name), 'utf8');
	const threads = (bench: Workbench) => bench.page.locator('.review-widget:visible');
	const told = (index: number) => toolResults(stories.mock.requests[index] ?? assert.fail('no request'))[0]?.text ?? '';
	const until = async (what: string, holds: () => Promise<boolean> | boolean) =>
		assert.ok(await poll(15_000, async () => ((await holds()) ? true : undefined)), what);
	const rewritten = () =>
		before.replace("'sha1'", "'sha256'").replace('.update(salt).update(password)', '.update(password).update(salt)');

	/** The answer takes a moment from the editor to the panel. */
	async function ended(bench: Workbench): Promise<void> {
		await (await bench.permission('Write')).waitFor({ state: 'detached' });
		await bench.waitForEnd();
	}

	/** By the key, from wherever the keyboard is. */
	async function goToChange(bench: Workbench, line: number): Promise<void> {
		await bench.page.keyboard.press('Alt+F5');
		await bench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
		await bench.page
			.locator('.statusbar-item')
			.filter({ hasText: `Ln ${line}, Col 1` })
			.waitFor();
	}

	/** From the change to its thread, from where Tab leads to the reply and Shift+Tab to the buttons. */
	async function goToThread(bench: Workbench): Promise<void> {
		await bench.page.keyboard.press('Control+K');
		await bench.page.keyboard.press('Alt+F5');
		await threads(bench).locator('.comments-container:focus').waitFor();
	}

	/** A proposal of two hunks waits. */
	async function propose(more: Parameters<typeof stories.open>[0] = {}): Promise<Workbench> {
		const bench = await stories.open({ settings, ...more });
		before = onDisk(bench);
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: file })),
			turn(toolUse('Write', { file_path: file, content: rewritten() })),
			turn('Done.'),
		]);
		await (await bench.composer()).focus();
		await bench.submit('Use a better hash');
		await bench.permission('Write');
		return bench;
	}

	test('B27: threads in the live editor without the focus or the comments panel; accepted and denied with a reason, hunk by hunk', async () => {
		const bench = await propose();
		await threads(bench).nth(1).waitFor();
		assert.ok(await (await bench.panel()).evaluate(() => document.hasFocus()), 'the panel keeps the focus');
		assert.equal(await bench.page.locator('.tab').count(), 1);
		assert.equal(await bench.page.locator('.part.panel .comments-panel').count(), 0, 'the comments panel stays closed');
		await bench.screenshot('proposal-threads');
		await goToChange(bench, 3);
		await goToThread(bench);
		await bench.page.keyboard.press('Control+Alt+Enter');
		await (await bench.permission('Write')).getByText('accepted').first().waitFor();
		assert.equal(onDisk(bench), before, 'nothing is written before all is decided');
		await goToChange(bench, 18);
		await goToThread(bench);
		await bench.page.keyboard.press('Tab');
		await threads(bench).last().locator('.comment-form .monaco-editor.focused').waitFor();
		await bench.page.keyboard.type('the order matters');
		await bench.screenshot('proposal-reason');
		await bench.page.keyboard.press('Control+Enter');
		await ended(bench);
		assert.equal(onDisk(bench), before.replace("'sha1'", "'sha256'"));
		assert.match(told(2), /Change 2 \(line 18\): denied\. They said: the order matters/);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('B27: saving, closing the tab, the thread and the panel, and a reload answer nothing; denied, all is as before', async () => {
		const bench = await propose();
		await threads(bench).nth(1).waitFor();
		await threads(bench).first().locator('.action-label[aria-label*="Collapse"]').first().click();
		await bench.runCommand('File: Save');
		await bench.runCommand('View: Close All Editors');
		await bench.runCommand('View: Hide Secondary Side Bar');
		await bench.reloadWindow();
		const card = await bench.permission('Write');
		await card.waitFor();
		assert.equal(onDisk(bench), before);
		await bench.openFile(file);
		await bench.screenshot('proposal-reloaded');
		await threads(bench).nth(1).waitFor();
		await goToChange(bench, 3);
		await bench.page.keyboard.press('Control+K');
		await bench.page.keyboard.press('Control+Alt+Shift+Enter');
		await ended(bench);
		await until('the threads go', async () => (await threads(bench).count()) === 0);
		assert.equal(onDisk(bench), before);
		assert.equal(await bench.page.locator('.tab.dirty').count(), 0);
		const result = stories.mock.requests.at(-1);
		assert.match(JSON.stringify(result), /declined/);
	});

	test('B27: the proposed side of the diff can be changed and saved without touching the file; accepted in the title, what was written is applied', async () => {
		const bench = await propose({ theme: 'light' });
		const card = await bench.permission('Write');
		await card.getByRole('button', { name: 'Leave out change 2' }).click();
		await card.getByText('left out').waitFor();
		await card.getByRole('button', { name: 'Open as diff' }).click();
		const side = bench.page.locator('.editor.modified .view-lines');
		await side.getByText("'sha256'").click();
		await bench.page.keyboard.press('End');
		await bench.page.keyboard.type(' // better');
		await bench.runCommand('File: Save');
		await card.getByText('You changed the proposed text').waitFor();
		await bench.screenshot('proposal-diff-light');
		assert.equal(onDisk(bench), before);
		await bench.page.locator('.editor-actions .action-label[aria-label*="Accept File"]').first().click();
		await ended(bench);
		assert.equal(onDisk(bench), before.replace("'sha1';", "'sha256'; // better"));
		assert.match(told(2), /rewrote what you proposed/);
		await until(
			'the diff is closed',
			async () => (await bench.page.locator('.tab', { hasText: 'proposed' }).count()) === 0,
		);
	});

	test('a new file is shown before it exists, and is decided by keyboard alone; 简体中文', async () => {
		const bench = await stories.open({ settings, locale: 'zh-cn', theme: 'high-contrast' });
		stories.mock.setScript([
			turn(toolUse('Write', { file_path: created, content: 'export const saltBytes = 16;\n' })),
			turn('Done.'),
		]);
		await bench.submit('Make the salt');
		await threads(bench).first().waitFor();
		await bench.screenshot('proposal-new-file-zh-cn');
		assert.equal(existsSync(path.join(bench.folder, created)), false);
		await goToChange(bench, 1);
		await bench.page.keyboard.press('Control+K');
		await bench.page.keyboard.press('Control+Alt+Enter');
		await until('the file is there', () => existsSync(path.join(bench.folder, created)));
		await until('and has its text', () => onDisk(bench, created) === 'export const saltBytes = 16;\n');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('what was said of single hunks and written into the proposed side outlives a reload of the window; no tab is left', async () => {
		const bench = await propose({ theme: 'high-contrast-light' });
		await threads(bench).nth(1).waitFor();
		await goToChange(bench, 3);
		await goToChange(bench, 18);
		await bench.page.keyboard.press('Control+Alt+Shift+Enter');
		const card = await bench.permission('Write');
		await card.getByText('left out').first().waitFor();
		await card.getByRole('button', { name: 'Open as diff' }).click();
		await bench.page.locator('.editor.modified .view-lines').getByText("'sha256'").click();
		await bench.page.keyboard.press('End');
		await bench.page.keyboard.type(' // better');
		await card.getByText('You changed the proposed text').waitFor();
		// VS Code backs up an unsaved document a second after the last key, and a page has no other sign of it.
		await bench.page.waitForTimeout(2_500);
		await bench.reloadWindow();
		const again = await bench.permission('Write');
		await again.getByText('You changed the proposed text').waitFor();
		await again.getByText('left out').first().waitFor();
		await bench.screenshot('proposal-reloaded-marks');
		assert.equal(onDisk(bench), before);
		await until(
			'the old side is closed',
			async () => (await bench.page.locator('.tab', { hasText: 'proposed' }).count()) === 0,
		);
		assert.equal(await bench.page.locator('.monaco-dialog-box').count(), 0, 'nothing asks whether to save');
		await again.getByRole('button', { name: 'Allow once' }).click();
		await ended(bench);
		assert.equal(onDisk(bench), before.replace("'sha1';", "'sha256'; // better"));
		assert.equal(await bench.page.locator('.tab.dirty').count(), 0);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('lines that the person changes while they are asked: asked again on the card and in the editor, with their words in view', async () => {
		const bench = await propose({ settings: {} });
		await threads(bench).nth(1).waitFor();
		await bench.openFile(file);
		await bench.page.locator('.editor-instance .view-lines').getByText("'sha1'").first().click();
		await bench.page.keyboard.press('End');
		await bench.page.keyboard.type(' // mine');
		await bench.focusPanel();
		const card = await bench.permission('Write');
		await card.getByRole('button', { name: 'Allow once' }).click();
		await (await bench.panel()).getByText('changed in the same place').waitFor();
		await threads(bench).nth(1).waitFor();
		await bench.screenshot('proposal-asked-again');
		const again = await bench.permission('Write');
		assert.match(await again.innerText(), /\/\/ mine/);
		await again.getByRole('button', { name: 'Leave out change 1' }).click();
		await again.getByRole('button', { name: 'Allow once' }).click();
		await ended(bench);
		assert.equal(onDisk(bench), rewritten().replace("'sha256';", "'sha1'; // mine"));
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a cell of a notebook that is open: the card names the cell and shows its change; accepted below the cell, only that cell is another', async () => {
		const bench = await stories.open({ settings, theme: 'light', locale: 'zh-cn' });
		const notebook = 'n.ipynb';
		const cell = (id: string, source: string) => ({
			cell_type: 'code',
			execution_count: null,
			id,
			metadata: {},
			outputs: [],
			source,
		});
		const json = {
			cells: [
				cell('load', 'import csv\nrows = []'),
				cell('sum', 'total = 0\nfor row in rows:\n    total += 1\nprint(total)'),
			],
			metadata: { language_info: { name: 'python' } },
			nbformat: 4,
			nbformat_minor: 5,
		};
		writeFileSync(path.join(bench.folder, notebook), JSON.stringify(json, undefined, 1));
		await bench.openFile(notebook);
		await bench.page.locator('.notebookOverlay .cell-editor-container .monaco-editor').nth(1).waitFor();
		const source = 'total = len(rows)\nprint(total)';
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: notebook })),
			turn(toolUse('NotebookEdit', { notebook_path: notebook, cell_id: 'sum', new_source: source })),
			turn('Done.'),
		]);
		await (await bench.composer()).focus();
		await bench.submit('Make it short');
		const card = await bench.permission('NotebookEdit');
		await card.getByText('sum').first().waitFor();
		const below = bench.page.locator('.cell-statusbar-container:visible .cell-status-item');
		await below.filter({ hasText: bench.text('Accept') }).waitFor();
		assert.equal(await below.filter({ hasText: bench.text('Deny') }).count(), 1, 'the other cell has no proposal');
		await bench.screenshot('proposal-notebook-light');
		await below.filter({ hasText: bench.text('Proposed change') }).click();
		await bench.page.locator('.editor.modified .view-lines').getByText('len').first().waitFor();
		await bench.screenshot('proposal-notebook-diff');
		await bench.runCommand('View: Close Editor');
		await below.filter({ hasText: bench.text('Accept') }).click();
		await card.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		const after = JSON.parse(onDisk(bench, notebook)) as { cells: { source: string | string[] }[] };
		assert.equal([after.cells[1]?.source].flat().join(''), source);
		assert.deepEqual(stories.mock.violations, []);
	});
});
