// Tasks of the command palette and references from the editor: what is sent, and that the editor keeps the focus.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, lastUserText } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';

storiesInOneWindow('tasks', (stories) => {
	setup(() => {
		stories.mock.setScript(() => answer('Here it is.'));
	});

	test('Explain sends the selection with its place, and the editor keeps the focus', async () => {
		const workbench = await stories.open();
		await workbench.openFile('src/util/hash.ts');
		await workbench.typeInEditor('', 3);
		await workbench.page.keyboard.press('Home');
		await workbench.page.keyboard.press('Shift+End');
		await workbench.runCommand('Loopwright: Explain');
		await (await workbench.articles('Loopwright')).last().getByText('Here it is.').waitFor();
		const sent = lastUserText(stories.mock.requests[0] ?? assert.fail());
		assert.match(sent, /`src\/util\/hash\.ts` \(line 3\)/);
		assert.match(sent, /const ALGORITHM/);
		const inEditor = await workbench.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
		assert.ok(inEditor, 'the editor keeps the focus');
		await workbench.screenshot('task-explain');
	});

	test('Add Selection puts a reference into the composer and sends nothing', async () => {
		const workbench = await stories.open();
		await workbench.openFile('src/util/hash.ts');
		await workbench.typeInEditor('', 3);
		await workbench.page.keyboard.press('Shift+Home');
		await workbench.runCommand('Loopwright: Add Selection');
		const composer = await workbench.composer();
		await (
			await workbench.panel()
		).waitForFunction(() => document.querySelector('textarea')?.value.includes('hash.ts'));
		assert.match(await composer.inputValue(), /hash\.ts/);
		assert.equal(stories.mock.requests.length, 0);
		// What may hold secrets is asked about each time.
		writeFileSync(path.join(workbench.folder, '.env'), 'TOKEN=secret\n');
		await workbench.openFile('.env');
		await workbench.page.keyboard.press('ControlOrMeta+a');
		for (const button of ['Cancel', 'Send Once']) {
			await workbench.runCommand('Loopwright: Add Selection');
			const dialog = workbench.page.getByRole('dialog').filter({ hasText: '.env may hold secrets' });
			await dialog.waitFor();
			await workbench.screenshot('selection-secret');
			await dialog.getByRole('button', { name: button, exact: true }).click();
			await dialog.waitFor({ state: 'detached' });
			if (button === 'Cancel') assert.doesNotMatch(await composer.inputValue(), /TOKEN/);
		}
		await (
			await workbench.panel()
		).waitForFunction(() => document.querySelector('textarea')?.value.includes('TOKEN=secret'));
	});

	test('the last command of a terminal goes into the composer; one that reads secrets is asked about', async () => {
		const workbench = await stories.open();
		const composer = await workbench.composer();
		const typed = async (line: string, printed: string) => {
			await workbench.page.keyboard.type(`${line}\n`);
			await workbench.page.locator('.terminal-wrapper .xterm-rows').getByText(printed).last().waitFor();
		};
		await workbench.runCommand('Terminal: Create New Terminal');
		await workbench.page.locator('.terminal-wrapper .xterm-rows').first().waitFor();
		await typed('echo from-$((40 + 2))', 'from-42');
		await workbench.runCommand('Loopwright: Add Last Terminal Command to Chat');
		await (
			await workbench.panel()
		).waitForFunction(() => document.querySelector('textarea')?.value.includes('from-42'));
		assert.match(
			await composer.inputValue(),
			/From the terminal \(Exit code 0\):\n```console\n\$ echo from-\$\(\(40 \+ 2\)\)\nfrom-42\n```/,
		);
		await workbench.screenshot('terminal-output');
		assert.equal(stories.mock.requests.length, 0);
		writeFileSync(path.join(workbench.folder, '.env'), 'TOKEN=secret\n');
		await workbench.runCommand('Terminal: Focus Terminal');
		await typed('cat .env', 'TOKEN=secret');
		await workbench.runCommand('Loopwright: Add Last Terminal Command to Chat');
		const dialog = workbench.page.getByRole('dialog').filter({ hasText: '.env may hold secrets' });
		await dialog.waitFor();
		await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
		assert.doesNotMatch(await composer.inputValue(), /TOKEN/);
	});

	test('Write Tests takes the whole file by its path, in Chinese for a Chinese editor', async () => {
		const workbench = await stories.open({ locale: 'zh-cn' });
		await workbench.openFile('src/util/hash.ts');
		await workbench.runCommand('Loopwright: 编写测试');
		await (await workbench.articles('Loopwright')).last().getByText('Here it is.').waitFor();
		const sent = lastUserText(stories.mock.requests[0] ?? assert.fail());
		assert.match(sent, /src\/util\/hash\.ts/);
		assert.match(sent, /测试/);
	});
});
