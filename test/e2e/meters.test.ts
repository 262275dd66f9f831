// What the conversation takes: the meter, what fills the context (in the panel and as a list), tokens and cost; and the tour.
import assert from 'node:assert/strict';
import { turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';

stories('meters of the panel', (stories) => {
	test('the context by category, in the panel and as a list, by keyboard', async () => {
		stories.mock.setScript([turn('Fine.')]);
		const bench = await stories.open();
		await bench.ask('how are you');
		const panel = await bench.panel();
		assert.match((await panel.getByText(/^Cost /).textContent()) ?? '', /^Cost (\$\d|unknown)/);
		assert.match(
			(await panel.getByRole('meter', { name: 'Context used' }).getAttribute('aria-valuetext')) ?? '',
			/ of /,
		);
		await panel.getByRole('button', { name: 'What fills the context' }).focus();
		await bench.page.keyboard.press('Enter');
		const details = panel.getByRole('group', { name: 'Context', exact: true });
		await details.getByText('Tool definitions').waitFor();
		await bench.screenshot('context-details');
		await bench.page.keyboard.press('Escape');
		// The key for the next mode, while the panel has the focus.
		await (await bench.composer()).focus();
		await bench.page.keyboard.press('Control+.');
		await panel.locator('.composer').getByText('Accept edits').waitFor();
		await bench.runCommand('Loopwright: Show Context');
		const rows = bench.page.locator('.quick-input-list .monaco-list-row');
		await rows.filter({ hasText: 'Tool definitions' }).waitFor();
		await rows.filter({ hasText: 'Your messages' }).waitFor();
		await bench.screenshot('show-context');
		await bench.page.keyboard.press('Escape');
		await bench.runCommand('Loopwright: New Conversation');
		await panel.getByRole('button', { name: 'Take a tour in four steps' }).click();
		const step = bench.page.locator('.getting-started-step', { hasText: 'Decide what it may do' });
		await step.waitFor();
		await (await bench.composer()).focus();
		await bench.page.keyboard.press('Control+.');
		await step.locator('.codicon-getting-started-step-checked').waitFor();
		await bench.screenshot('tour');
	});
});
