import assert from 'node:assert/strict';
import { openWorkbench, sampleWorkspace, type Workbench } from './harness/workbench.ts';

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
