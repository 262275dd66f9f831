import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

suite('the panel opens', () => {
	let workbench: Workbench | undefined;
	teardown(() => workbench?.close());

	test('by itself, ready for a first prompt', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace() });
		await workbench.waitForStatus('Ready');
		await (await workbench.composer()).waitFor();
		assert.equal(await (await workbench.articles('You')).count(), 0);
		await workbench.screenshot('panel-empty');
	});

	test('with Chinese texts when that is the display language', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace(), locale: 'zh-cn' });
		assert.notEqual(workbench.text('Send'), 'Send');
		await workbench.waitForStatus('Ready');
		await (await workbench.button('Send')).waitFor();
		await workbench.screenshot('panel-empty-zh-cn');
	});
});

stories('what an answer holds', (stories) => {
	test('formulas, diagrams, and code that is proposed as a change of its file', async () => {
		const answer = [
			'With $p = 0.1$:',
			'$$\n\\frac{1}{p}\n$$',
			'```mermaid\nflowchart LR\n\tA --> B\n```',
			'```md notes.md\n# Notes\n\nLocked after five.\n```',
			'See `src/gone.ts:3`.',
		].join('\n\n');
		stories.mock.setScript([turn(text(answer))]);
		const workbench = await stories.open();
		await workbench.submit('how often?');
		await workbench.waitForEnd();
		const panel = await workbench.panel();
		await panel.locator('.katex-display').waitFor();
		await panel.locator('.diagram-picture img').waitFor();
		await workbench.screenshot('answer-rich');
		await panel.getByRole('button', { name: 'Apply…' }).click();
		await workbench.page.getByRole('button', { name: 'Apply Code to the File' }).first().click();
		await workbench.page
			.getByRole('tab', { name: /^notes\.md(?! \()/ })
			.first()
			.waitFor();
		assert.match(readFileSync(path.join(workbench.folder, 'notes.md'), 'utf8'), /Locked after five/);

		await workbench.waitForEditorFocus();
		const box = panel.getByRole('textbox', { name: 'Message' });
		await box.click();
		await box.press('Control+f');
		await workbench.write(panel.getByRole('textbox', { name: 'Find in conversation' }), 'often');
		await panel.getByText('1 of 1').waitFor();
		await workbench.screenshot('answer-find');
		await workbench.page.keyboard.press('Escape');

		// All of it, by the keys of VS Code's own page around the panel.
		await panel.getByRole('log', { name: 'Conversation' }).focus();
		await workbench.page.keyboard.press('ControlOrMeta+a');
		await workbench.page.keyboard.press('ControlOrMeta+c');
		await panel.getByText('The whole conversation was copied.').waitFor({ state: 'attached' });
		await box.press('ControlOrMeta+v');
		const pasted = /how often\?[^]*Locked after five\.|\[Pasted text/;
		assert.ok(await poll(5_000, async () => pasted.test(await box.inputValue()) || undefined), await box.inputValue());

		await panel.getByRole('link', { name: 'src/gone.ts:3' }).click();
		await workbench.runCommand('Notifications: Show Notifications');
		await workbench.page.locator('.notification-list-item', { hasText: 'There is no file' }).waitFor();
		assert.deepEqual(stories.mock.violations, []);
	});
});
