// Drives the panel's states: each says what is the matter and offers what helps; the meter tells what fills the context.
// Usage: node --import tsx test/support/panelPreview/checkStates.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import { startChecks } from './checkKit.mts';

const { check, end } = await startChecks();

await check('the meter says what fills the context; Esc closes it and stops nothing', 'meters', async (panel) => {
	const meter = panel.tab.getByRole('meter', { name: 'Context used' });
	assert.equal(await meter.getAttribute('aria-valuenow'), '16');
	assert.match((await meter.getAttribute('aria-valuetext')) ?? '', /^31\.2K of 200K tokens \(16%\)$/);
	await panel.tab.getByText('Cost $0.049 of $5.00').waitFor();
	const button = panel.tab.getByRole('button', { name: 'What fills the context' });
	await button.focus();
	await panel.tab.keyboard.press('Enter');
	const details = panel.tab.getByRole('group', { name: 'Context', exact: true });
	await details.getByText('Tool definitions').waitFor();
	assert.match((await details.textContent()) ?? '', /Tool definitions9\.4K.*From the cache, of the last request87%/);
	await panel.tab.keyboard.press('Tab');
	await panel.tab.keyboard.press('Enter');
	assert.deepEqual(await panel.sent('command_requested'), [{ type: 'command_requested', command: 'compact' }]);
	await panel.tab.keyboard.press('Escape');
	assert.equal(await details.count(), 0);
	assert.ok(await button.evaluate((element) => element === document.activeElement));
	assert.deepEqual(await panel.sent('stop_requested'), []);
});

await check('the details come with the pointer and go with it; a new answer asks again', 'meters', async (panel) => {
	const details = panel.tab.getByRole('group', { name: 'Context', exact: true });
	await panel.tab.locator('.meter').hover();
	await details.waitFor();
	await panel.play([{ type: 'state_changed', state: { contextTokens: 40_000 } }]);
	await panel.frames();
	assert.equal((await panel.sent('context_requested')).length, 2);
	await panel.tab.mouse.move(5, 5);
	await details.waitFor({ state: 'detached' });
});

const states = [
	['noKey', 'Set API key', { type: 'command_requested', command: 'setApiKey' }],
	['noKey', 'Try the demo model', { type: 'demo_chosen' }],
	['badAddress', 'Open settings', { type: 'command_requested', command: 'openSettings' }],
	['noFolder', 'Open a folder', { type: 'command_requested', command: 'openFolder' }],
	['updated', "What's new", { type: 'update_seen', show: true }],
	['updated', 'Dismiss', { type: 'update_seen', show: false }],
	['updated', 'Take a tour in four steps', { type: 'command_requested', command: 'openWalkthrough' }],
	['offline', 'Open settings', { type: 'command_requested', command: 'openSettings' }],
	['limited', 'Choose another model', { type: 'command_requested', command: 'selectModel' }],
	['full', 'Compact', { type: 'command_requested', command: 'compact' }],
	['stopped', 'Go on', { type: 'retry_requested' }],
	['untrusted', 'Manage trust', { type: 'command_requested', command: 'manageTrust' }],
	['untrusted', 'Continue', { type: 'continue_requested' }],
] as const;

for (const [scene, name, message] of states) {
	await check(`${scene}: "${name}" does what it says`, scene, async (panel) => {
		const button = panel.tab.getByRole('button', { name, exact: true });
		await button.focus();
		await panel.tab.keyboard.press('Enter');
		assert.deepEqual(await panel.sent(message.type), [message]);
	});
}

await check('the dot before "Waiting for you" is there', 'bash', async (panel) => {
	const dot = await panel.tab.locator('.status-dot').boundingBox();
	assert.equal(dot?.width, 6);
});

await check(
	'a limit that is over is told no more; one that was stopped neither once something follows',
	'stopped',
	async (panel) => {
		const goOn = panel.tab.getByRole('button', { name: 'Go on', exact: true });
		const sums = { durationMs: 1, model: 'm', inputTokens: 1, outputTokens: 1, costUsd: 0, time: 0 };
		await panel.play([{ type: 'row_added', row: { kind: 'summary', id: 'sums', ...sums } }]);
		await panel.frames();
		await goOn.waitFor();
		await panel.play([{ type: 'row_added', row: { kind: 'prompt', id: 'next', text: 'Now this', time: 0 } }]);
		await panel.frames();
		assert.equal(await goOn.count(), 0);
		const other = panel.tab.getByRole('button', { name: 'Choose another model', exact: true });
		await panel.play([{ type: 'state_changed', state: { rateLimit: { until: null } } }]);
		await other.waitFor();
		await panel.play([{ type: 'state_changed', state: { rateLimit: { until: 1000 } } }]);
		await panel.frames();
		assert.equal(await other.count(), 0);
	},
);

await end();
