// Does with the keyboard alone what a person can do in the panel: each thing is reached by Tab, can be seen once it has the focus,
// and does its work. Plans, questions, find and the outline have such checks beside their others.
// Usage: node --import tsx test/support/panelPreview/checkKeys.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { ToHost } from '../../../src/shared/protocol.ts';
import type { Row } from '../../../src/shared/view.ts';
import { startChecks } from './checkKit.mts';
import type { Panel } from './checkKit.mts';

const { check, end } = await startChecks();

/** Presses Tab (or another key) until that has the focus whose name begins so; it has to be seen then. */
async function reach({ tab }: Panel, name: string, key = 'Tab', exact = false): Promise<void> {
	for (let presses = 0; presses < 80; presses += 1) {
		await tab.keyboard.press(key);
		const found = await tab.evaluate(() => {
			const at = document.activeElement;
			if (!at) return { name: '', seen: false };
			const seen = at.checkVisibility({ opacityProperty: true, visibilityProperty: true });
			return { name: (at.getAttribute('aria-label') ?? at.textContent ?? '').trim(), seen };
		});
		if (exact ? found.name !== name : !found.name.startsWith(name)) continue;
		assert.ok(found.seen, `"${name}" has the focus and cannot be seen`);
		return;
	}
	assert.fail(`${key} does not lead to "${name}"`);
}

/** From the beginning of the page: to it, and there a key that does something; what that told the host. */
async function use<T extends ToHost['type']>(panel: Panel, name: string, told: T, key = 'Enter') {
	const before = (await panel.sent(told)).length;
	await reach(panel, name);
	await panel.tab.keyboard.press(key);
	await panel.tab.waitForFunction(
		({ type, count }) => window.preview.sent.filter((message) => message.type === type).length > count,
		{ type: told, count: before },
	);
	return (await panel.sent(told)).at(-1) ?? assert.fail(`nothing of ${told}`);
}

const restart = ({ tab }: Panel) =>
	tab.evaluate(() => {
		if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
	});

await check('an answer: its links, files and folded parts, its copy, what it used', 'answer', async (panel) => {
	const { tab } = panel;
	await restart(panel);
	await reach(panel, 'Thought for');
	await tab.keyboard.press('Enter');
	assert.equal(await tab.locator('details.thinking').getAttribute('open'), '');
	await tab.keyboard.press('Enter');
	assert.equal(await tab.locator('details.thinking').getAttribute('open'), null);
	await reach(panel, 'Searched');
	await tab.keyboard.press('Enter');
	const match = await use(panel, 'src/', 'file_opened');
	assert.ok(match.path.startsWith('src/') && match.line !== undefined, 'a match opens at its line');
	assert.deepEqual(await use(panel, 'src/auth/login.ts:7', 'file_opened'), {
		type: 'file_opened',
		path: 'src/auth/login.ts',
		line: 7,
	});
	assert.match((await use(panel, 'OWASP', 'link_opened')).url, /^https:\/\/owasp\.org/);
	await reach(panel, 'Took');
	await tab.keyboard.press('Enter');
	await tab.getByText('812 out').waitFor();
	assert.match((await use(panel, 'Copy answer', 'text_copied')).text, /two problems/);
});

await check('the code of an answer: copied, inserted, opened, applied', 'rich', async (panel) => {
	await restart(panel);
	await panel.tab.locator('.code').first().waitFor();
	assert.notEqual((await use(panel, 'Copy', 'text_copied')).text, '');
	assert.notEqual((await use(panel, 'Insert', 'code_inserted')).text, '');
	await use(panel, 'Open as', 'code_opened');
	await use(panel, 'Apply…', 'code_applied', 'Space');
});

await check('a message of one’s own: copied, said anew, its versions, taken back', 'answer', async (panel) => {
	const row: Row = { kind: 'prompt', id: 'v2', text: 'Once more', time: 0, versions: ['v1', 'v2', 'v3'] };
	await panel.play([{ type: 'row_added', row }]);
	await panel.frames();
	// From the composer back: the last message comes first.
	await panel.tab.getByRole('textbox', { name: 'Message', exact: true }).focus();
	const back = async <T extends ToHost['type']>(name: string, told: T) => {
		await reach(panel, name, 'Shift+Tab');
		await panel.tab.keyboard.press('Enter');
		return (await panel.sent(told)).at(-1);
	};
	assert.deepEqual(await back('Restore…', 'restore_requested'), { type: 'restore_requested', promptId: 'v2' });
	assert.deepEqual(await back('Edit and send again', 'edit_requested'), { type: 'edit_requested', promptId: 'v2' });
	assert.deepEqual(await back('Copy message', 'text_copied'), { type: 'text_copied', text: 'Once more' });
	const next = await back('Next version', 'version_selected');
	assert.deepEqual(next, { type: 'version_selected', promptId: 'v3' });
	const previous = await back('Previous version', 'version_selected');
	assert.deepEqual(previous, { type: 'version_selected', promptId: 'v1' });
});

await check('the bar above: focus view, export, find; below: meters and their details', 'answer', async (panel) => {
	const { tab } = panel;
	await restart(panel);
	await reach(panel, 'Focus view');
	await tab.keyboard.press('Space');
	assert.equal(await tab.getByRole('group', { name: 'Grep: login', exact: true }).count(), 0);
	await tab.keyboard.press('Space');
	assert.equal((await use(panel, 'Export conversation', 'command_requested')).command, 'exportConversation');
	await reach(panel, 'Find');
	await tab.keyboard.press('Enter');
	await tab.getByRole('textbox', { name: 'Find in conversation' }).waitFor();
	await tab.keyboard.press('Escape');
	const focused = () => tab.evaluate(() => document.activeElement?.getAttribute('aria-label'));
	assert.equal(await focused(), 'Find', 'the keys are where they were');
	await use(panel, 'What fills the context', 'context_requested');
});

await check(
	'the composer: mode, model, attach; how a message reaches an agent that works; stop',
	'composerQueue',
	async (panel) => {
		const { tab } = panel;
		await tab.getByRole('textbox', { name: 'Message', exact: true }).focus();
		await tab.keyboard.type('go on');
		const choose = async (menu: string, keys: readonly string[]) => {
			await reach(panel, menu);
			for (const key of ['Enter', ...keys, 'Enter']) await tab.keyboard.press(key);
		};
		await reach(panel, 'Attach');
		await choose('Mode', ['ArrowDown']);
		assert.equal((await panel.sent('mode_selected')).length, 1);
		await choose('Model', ['ArrowDown']);
		assert.equal((await panel.sent('model_selected')).length, 1);
		await choose('While it works', ['End']);
		await use(panel, 'Send', 'prompt_submitted');
		assert.equal((await panel.sent('prompt_submitted'))[0]?.delivery, 'now');
		await tab.getByRole('textbox', { name: 'Message', exact: true }).focus();
		await use(panel, 'Stop', 'stop_requested');
	},
);

await check('the queue: moved by buttons, taken back, taken away', 'composerQueue', async (panel) => {
	await restart(panel);
	await reach(panel, 'Edit queued message: Summarise');
	assert.deepEqual(await use(panel, 'Move up', 'prompt_moved'), { type: 'prompt_moved', id: 'q2', to: 0 });
	assert.deepEqual(await use(panel, 'Move down', 'prompt_moved'), { type: 'prompt_moved', id: 'q2', to: 2 });
	assert.deepEqual(await use(panel, 'Remove from queue', 'prompt_unqueued'), { type: 'prompt_unqueued', id: 'q2' });
	assert.deepEqual(await use(panel, 'Edit queued message: 1 attachment', 'prompt_edited', 'Space'), {
		type: 'prompt_edited',
		id: 'q3',
	});
});

await check('what goes with a message: the selection left out', 'composer', async (panel) => {
	await restart(panel);
	const left = await use(panel, '12 lines of login.ts', 'selection_shared', 'Space');
	assert.deepEqual(left, { type: 'selection_shared', shared: false });
});

await check('a request: looked into, changed, allowed for good, denied with a reason', 'always', async (panel) => {
	const { tab } = panel;
	await restart(panel);
	await reach(panel, 'Why am I asked?');
	await tab.keyboard.press('Enter');
	await reach(panel, 'Edit', 'Tab', true);
	await tab.keyboard.press('Enter');
	await tab.getByRole('textbox', { name: 'Command', exact: true }).waitFor();
	await tab.keyboard.press('Escape');
	await reach(panel, 'Always allow…');
	await tab.keyboard.press('Enter');
	await tab.getByRole('textbox', { name: 'Rule', exact: true }).waitFor();
	await reach(panel, 'Reason (optional)');
	await tab.keyboard.type('not now');
	await use(panel, 'Deny', 'permission_answered');
	assert.deepEqual((await panel.sent('permission_answered'))[0]?.answer, { behavior: 'deny', reason: 'not now' });
});

await end();
