// States before the first message, one after the other in one workbench: a folder that is not trusted, the first run, no key. Each has
// its look and what helps.
import { looksOf } from './harness/looks.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import type { Locale } from './harness/workbenchPage.ts';

/** As people do who write their settings by hand; these have application scope. */
async function setUserSettings(bench: Workbench, settings: Readonly<Record<string, unknown>>): Promise<void> {
	await bench.runCommand('Preferences: Open User Settings (JSON)');
	const editor = bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
	await editor.click();
	await bench.page.keyboard.press('Control+A');
	await bench.page.keyboard.insertText(JSON.stringify(settings));
	await bench.page.keyboard.press('Control+S');
	await bench.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}

stories('states of the panel', (stories) => {
	for (const locale of ['en', 'zh-cn'] as const)
		test(`each with its look and what helps, ${locale}`, () => walk(locale));

	async function walk(locale: Locale): Promise<void> {
		const bench = await stories.open({ locale, model: undefined, restricted: true });
		const { lookAt } = looksOf(bench);
		const note = async (english: string) =>
			(await bench.panel())
				.getByRole('note')
				.filter({ hasText: bench.text(english) })
				.waitFor();

		await note('This folder is not trusted: no command runs, edits always ask, and its own allow rules wait.');
		await lookAt('untrusted');
		await trust(bench);
		await lookAt('first-run');
		await setUserSettings(bench, { 'loopwright.provider': 'anthropic' });
		await note('No API key is set, so no model can be asked.');
		await lookAt('no-key');
	}
});

async function trust(bench: Workbench): Promise<void> {
	const panel = await bench.panel();
	await panel.getByRole('button', { name: bench.text('Manage trust') }).click();
	const dialog = bench.page.locator('.monaco-modal-editor-block');
	await bench.page
		.locator('.workspace-trust-editor')
		.getByRole('button', { name: 'Trust', exact: true })
		.first()
		.click();
	await panel.getByRole('button', { name: bench.text('Manage trust') }).waitFor({ state: 'detached' });
	await dialog.click({ position: { x: 5, y: 5 } });
	await dialog.waitFor({ state: 'hidden', timeout: 10_000 });
}
