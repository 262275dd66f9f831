// Things of the workbench dragged into the composer with Shift held, as VS Code wants it: a file, an editor's tab, a problem.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { stories } from './harness/stories.ts';
import { sampleWorkspace, type Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

stories('drags into the composer', (stories) => {
	test('a file of the explorer, the tab of an editor, a problem with its line', async () => {
		// Before the window opens: the explorer may miss what comes in while it is about to watch the folder.
		const folder = sampleWorkspace();
		writeFileSync(path.join(folder, 'dragged.ts'), 'export const one = 1;\n');
		writeFileSync(path.join(folder, 'broken.json'), '{\n\t"a": 1,\n\t"b": \n}\n');
		const bench = await stories.open({ folder });
		const { page } = bench;
		await bench.runCommand('View: Show Explorer');
		const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'dragged.ts' });
		await row.waitFor();
		await drag(bench, row, '@dragged.ts ');
		await bench.openFile('dragged.ts');
		await drag(bench, page.locator('.tab.active[data-resource-name="dragged.ts"]').first(), '@dragged.ts ');
		await bench.openFile('broken.json');
		await bench.runCommand('Problems: Focus on Problems View');
		const problem = page.locator('.markers-panel .monaco-list-row', { hasText: 'expected' }).first();
		await problem.waitFor();
		await drag(bench, problem, '@broken.json:4 ');
		await bench.screenshot('dragged');
	});
});

/** Drags to the composer, which is empty before and after, and has `expected` between. */
async function drag(bench: Workbench, from: Locator, expected: string): Promise<void> {
	const { page } = bench;
	const composer = await bench.composer();
	// Both have to have come to rest: what a view or an editor opens moves what is beside it.
	await composer.hover();
	await from.hover();
	const [start, end] = [await from.boundingBox(), await composer.boundingBox()];
	assert.ok(start && end);
	await page.mouse.move(start.x + 30, start.y + start.height / 2);
	await page.mouse.down();
	await page.mouse.move(start.x + 60, start.y + start.height / 2 + 10, { steps: 3 });
	await page.keyboard.down('Shift');
	await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 });
	await page.mouse.move(end.x + end.width / 2 + 4, end.y + end.height / 2 + 2, { steps: 3 });
	await page.mouse.up();
	await page.keyboard.up('Shift');
	let text = '';
	const dropped = await poll(5_000, async () => {
		text = await composer.inputValue();
		return text === expected || undefined;
	});
	assert.ok(dropped, `"${text}" instead of "${expected}"`);
	await bench.write(composer, '');
}
