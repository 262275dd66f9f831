// Edits on the real workbench: what the card shows, what the file and the buffer hold afterwards, undo, and a denial.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const file = 'src/util/hash.ts';
const read = toolUse('Read', { file_path: file });
const edit = toolUse('Edit', { file_path: file, old_string: "'sha1'", new_string: "'sha256'" });

stories('edits', (stories) => {
	setup(() => {
		stories.mock.setScript([turn(read), turn(edit), turn('Done.')]);
	});
	const onDisk = (bench: Workbench) => readFileSync(path.join(bench.folder, file), 'utf8');
	const untilLines = (bench: Workbench, wanted: (lines: string[]) => boolean) =>
		poll(10_000, async () => {
			const lines = await bench.editorLines();
			return wanted(lines) ? lines : undefined;
		});

	test('allowed: the card shows the change, the file has it, the open and dirty buffer keeps what was typed, undo takes it back', async () => {
		const bench = await stories.open();
		await bench.openFile(file);
		await bench.typeInEditor(' // typed by a person', 1);
		await bench.submit('Use a better hash');
		const card = await bench.permission('Edit');
		await card.getByText("'sha256'").first().waitFor();
		await bench.screenshot('edit-permission');
		assert.match(onDisk(bench), /'sha1'/, 'nothing is written before the answer');
		await bench.answerPermission('Edit', 'Allow once');
		await bench.waitForEnd();
		await bench.waitForCard(`Edit: ${file}`, 'done');
		assert.match(onDisk(bench), /'sha256'/);
		const lines = await untilLines(bench, (shown) => shown.some((line) => line.includes("'sha256'")));
		assert.match(lines?.[0] ?? '', /typed by a person/);
		assert.deepEqual(stories.mock.violations, []);
		await bench.screenshot('edit-done');

		await bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
		await bench.page.keyboard.press('ControlOrMeta+Z');
		const undone = await untilLines(bench, (shown) => shown.some((line) => line.includes("'sha1'")));
		assert.ok(undone, 'Ctrl+Z takes the edit back');
		assert.match(undone[0] ?? '', /typed by a person/, 'and only the edit');
	});

	test('denied with a reason: file and buffer stay as they were, and the model reads the reason', async () => {
		const bench = await stories.open();
		await bench.openFile(file);
		const before = onDisk(bench);
		const shown = await bench.editorLines();
		await bench.submit('Use a better hash');
		await bench.answerPermission('Edit', 'Deny', 'we need sha1 for old accounts');
		await bench.waitForEnd();
		await bench.waitForCard(`Edit: ${file}`, 'denied');
		assert.equal(onDisk(bench), before);
		assert.deepEqual(await bench.editorLines(), shown);
		assert.equal(await bench.page.locator('.tab.active.dirty').count(), 0);
		const [result] = toolResults(stories.mock.requests[2] ?? assert.fail());
		assert.equal(result?.isError, true);
		assert.match(result?.text ?? '', /we need sha1 for old accounts/);
		assert.deepEqual(stories.mock.violations, []);
		await bench.screenshot('edit-denied');
	});

	test('always allowed for this session: the second edit of the file does not ask', async () => {
		stories.mock.setScript([
			turn(read),
			turn(edit),
			turn(toolUse('Edit', { file_path: file, old_string: "'sha256'", new_string: "'sha512'" })),
			turn('Done.'),
		]);
		const bench = await stories.open();
		await bench.submit('Use a better hash');
		const card = await bench.permission('Edit');
		await card.getByRole('button', { name: 'Always allow…', exact: true }).click();
		assert.match(
			await card.getByRole('textbox', { name: 'Rule', exact: true }).inputValue(),
			/^Edit\(src\/util\/\*\*\)$/,
		);
		await bench.screenshot('edit-always');
		await card.getByRole('button', { name: 'Save rule and allow', exact: true }).click();
		await card.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		assert.match(onDisk(bench), /'sha512'/);
		assert.deepEqual(stories.mock.violations, []);
	});
});
