// Drives the panel's states: each says what is the matter and offers what helps; the meter tells what fills the context.
// Usage: node --import tsx test/support/panelPreview/checkStates.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startChecks } from './checkKit.mts';
import { root } from './serve.ts';

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
	['wentBack', 'Take back', { type: 'command_requested', command: 'redoRestore' }],
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

/** Colours of themes that keep less than 4.5:1 themselves. */
const faint: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'a light one on a coloured ground': {
		foreground: '#616161',
		descriptionForeground: '#717171',
		'sideBar-background': '#eee8d5',
		'editor-background': '#fdf6e3',
		'textLink-foreground': '#006ab1',
		'toolbar-hoverBackground': 'rgba(184, 184, 184, 0.31)',
		'diffEditor-removedLineBackground': 'rgba(255, 0, 0, 0.2)',
		'debugTokenExpression-number': '#98c379',
	},
	'a dark one': {
		foreground: '#7f7f7f',
		descriptionForeground: '#606060',
		'sideBar-background': '#2b2b2b',
		'editor-background': '#2b2b2b',
		'textLink-foreground': '#3a5f8a',
		'gitDecoration-deletedResourceForeground': '#803030',
		'debugTokenExpression-string': '#604030',
	},
};
const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
for (const [name, variables] of Object.entries(faint)) {
	for (const scene of ['answer', 'tools', 'edit']) {
		await check(`texts can be read in a theme that is too faint, ${name}: ${scene}`, scene, async (panel) => {
			const { tab } = panel;
			await tab.evaluate(
				([kind, colours]) => {
					window.preview.theme(kind);
					const { style } = document.documentElement;
					for (const [key, value] of Object.entries(colours)) style.setProperty(`--vscode-${key}`, value);
				},
				[name.startsWith('a dark') ? 'dark' : 'light', variables] as const,
			);
			await panel.frames();
			await tab.evaluate(axe);
			const found = await tab.evaluate(async () => {
				const { violations } = await window.axe.run(document, { runOnly: ['color-contrast'] });
				return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)));
			});
			assert.deepEqual(found, []);
		});
	}
}

await end();
