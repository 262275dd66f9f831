// Tasks of the command palette and references from the editor: what is sent, and that the editor keeps the focus.
import assert from 'node:assert/strict';
import type { MockServer } from '../support/mockServer.ts';
import { answer, lastUserText, startMockServer } from '../support/mockServer.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from './harness/workbench.ts';

suite('tasks', () => {
	let mock: MockServer;
	let workbench: Workbench | undefined;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => {
		mock.reset();
		mock.setScript(() => answer('Here it is.'));
	});
	teardown(() => workbench?.close());

	test('Explain sends the selection with its place, and the editor keeps the focus', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: mock.url } });
		await workbench.openFile('src/util/hash.ts');
		await workbench.typeInEditor('', 3);
		await workbench.page.keyboard.press('Home');
		await workbench.page.keyboard.press('Shift+End');
		await workbench.runCommand('Loopwright: Explain');
		await (await workbench.articles('Loopwright')).last().getByText('Here it is.').waitFor();
		const sent = lastUserText(mock.requests[0] ?? assert.fail());
		assert.match(sent, /`src\/util\/hash\.ts` \(line 3\)/);
		assert.match(sent, /const ALGORITHM/);
		const inEditor = await workbench.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null);
		assert.ok(inEditor, 'the editor keeps the focus');
		await workbench.screenshot('task-explain');
	});

	test('Write Tests takes the whole file by its path, in Chinese for a Chinese editor', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: mock.url }, locale: 'zh-cn' });
		await workbench.openFile('src/util/hash.ts');
		await workbench.runCommand('Loopwright: 编写测试');
		await (await workbench.articles('Loopwright')).last().getByText('Here it is.').waitFor();
		const sent = lastUserText(mock.requests[0] ?? assert.fail());
		assert.match(sent, /src\/util\/hash\.ts/);
		assert.match(sent, /测试/);
	});

	test('Add Selection puts a reference into the composer and sends nothing', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: mock.url } });
		await workbench.openFile('src/util/hash.ts');
		await workbench.typeInEditor('', 3);
		await workbench.page.keyboard.press('Shift+Home');
		await workbench.runCommand('Loopwright: Add Selection');
		const composer = await workbench.composer();
		await (
			await workbench.panel()
		).waitForFunction(() => document.querySelector('textarea')?.value.includes('hash.ts'));
		assert.match(await composer.inputValue(), /hash\.ts/);
		assert.equal(mock.requests.length, 0);
	});
});
