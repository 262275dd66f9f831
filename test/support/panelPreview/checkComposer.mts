// Drives the previewed composer like a person: keys with input methods, mentions, commands, history, pasted texts and pictures,
// how a message reaches an agent that works. Usage: node --import tsx test/support/panelPreview/checkComposer.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Panel } from './checkKit.mts';
import { startChecks } from './checkKit.mts';

const { check, end } = await startChecks();

const boxOf = ({ tab }: Panel): Locator => tab.getByRole('textbox', { name: 'Message' });

/** As a page sees it: files on the clipboard, or in a drag. */
const giveFiles = (
	panel: Panel,
	kind: 'paste' | 'drop',
	make: 'png' | 'broken' | 'large' | 'archive',
	count = 1,
): Promise<void> =>
	boxOf(panel).evaluate(
		async (box, order) => {
			const data = new DataTransfer();
			for (let at = 0; at < order.count; at++) {
				const canvas = document.createElement('canvas');
				canvas.width = order.make === 'large' ? 4000 : 32;
				canvas.height = order.make === 'large' ? 1000 : 16;
				canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
				const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
				const content = order.make === 'broken' || !blob ? 'no picture' : blob;
				const [name, type] = order.make === 'archive' ? ['all.zip', 'application/zip'] : [`shot${at}.png`, 'image/png'];
				data.items.add(new File([content], name, { type }));
			}
			const init = { bubbles: true, cancelable: true };
			box.dispatchEvent(
				order.kind === 'paste'
					? new ClipboardEvent('paste', { ...init, clipboardData: data })
					: new DragEvent('drop', { ...init, dataTransfer: data }),
			);
		},
		{ kind, make, count },
	);

await check('a mention is found, chosen with the keyboard, and goes on in a folder', 'answer', async (panel) => {
	const { tab } = panel;
	const box = boxOf(panel);
	await box.pressSequentially('see @log');
	const list = tab.getByRole('listbox', { name: 'Mentions' });
	await list.waitFor();
	assert.equal((await panel.sent('mentions_requested')).at(-1)?.query, 'log');
	const active = async () =>
		(await tab.locator(`#${await box.getAttribute('aria-activedescendant')}`).textContent()) ?? '';
	assert.match(await active(), /login\.ts/);
	await box.press('ArrowDown');
	assert.match(await active(), /login\//);
	await box.press('Tab');
	assert.equal(await box.inputValue(), 'see @src/login/');
	await list.waitFor();
	await box.press('Enter');
	assert.equal(await box.inputValue(), 'see @src/auth/login.ts ');
	await list.waitFor({ state: 'detached' });
	await box.press('Control+z');
	assert.equal(await box.inputValue(), 'see @src/login/');
	assert.equal((await panel.sent('prompt_submitted')).length, 0);
	await box.press('Escape');
	await list.waitFor({ state: 'detached' });
	assert.equal((await panel.sent('stop_requested')).length, 0);
});

await check(
	'an input method keeps its keys while the list is open and while the agent works',
	'composerQueue',
	async (panel) => {
		const box = boxOf(panel);
		await box.pressSequentially('@lo');
		await panel.tab.getByRole('listbox').waitFor();
		for (const key of ['Enter', 'Escape', 'Tab', 'ArrowDown']) {
			await box.evaluate((element, pressed) => {
				const init = { key: pressed, bubbles: true, cancelable: true };
				element.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }));
				element.dispatchEvent(new KeyboardEvent('keydown', { ...init, keyCode: 229 }));
			}, key);
		}
		await panel.frames();
		assert.equal(await panel.tab.getByRole('listbox').count(), 1);
		assert.equal(await box.inputValue(), '@lo');
		assert.deepEqual(await panel.sent('prompt_submitted'), []);
		assert.deepEqual(await panel.sent('stop_requested'), []);
	},
);

await check('a command is offered and run', 'answer', async (panel) => {
	const box = boxOf(panel);
	await box.pressSequentially('/mod');
	await panel.tab.getByRole('listbox', { name: 'Commands' }).waitFor();
	await box.press('Enter');
	assert.deepEqual(await panel.sent('prompt_submitted'), [{ type: 'prompt_submitted', text: '/model' }]);
	await box.pressSequentially('/comp');
	await box.press('Enter');
	assert.equal(await box.inputValue(), '/compact ');
});

await check('the draft belongs to its conversation, also while the host is asked for it', 'answer', async (panel) => {
	const box = boxOf(panel);
	const show = async (sessionId: string) => {
		await panel.play([{ type: 'state_changed', state: { sessionId } }]);
		await panel.frames();
	};
	const draft = (text: string) => ({ text, pastes: {}, media: [] });
	await show('one');
	await box.fill('of the first');
	await show('two');
	assert.equal(await box.inputValue(), '');
	assert.deepEqual((await panel.sent('draft_kept')).at(-1), {
		type: 'draft_kept',
		conversation: 'one',
		draft: draft('of the first'),
	});
	assert.deepEqual((await panel.sent('draft_requested')).at(-1)?.conversation, 'two');
	await box.pressSequentially('typed since');
	await panel.post({ type: 'draft', conversation: 'two', draft: draft('of the second') });
	await panel.frames();
	assert.equal(await box.inputValue(), 'of the second\ntyped since');
	await panel.post({ type: 'draft', conversation: 'one', draft: draft('too late') });
	await show('one');
	await panel.post({ type: 'draft', conversation: 'one', draft: draft('of the first') });
	await panel.frames();
	assert.equal(await box.inputValue(), 'of the first');
	// A fork: the other conversation, and what was said there, before anything is drawn.
	await panel.tab.evaluate(() => {
		window.preview.play([{ type: 'state_changed', state: { sessionId: 'fork' } }]);
		window.preview.post({ type: 'composer_focused', insert: 'said again' });
	});
	await panel.frames();
	assert.equal(await box.inputValue(), 'said again');
	await panel.tab.evaluate(() => {
		for (const insert of ['and this', 'and that']) window.preview.post({ type: 'composer_focused', insert });
	});
	await panel.frames();
	assert.equal(await box.inputValue(), 'said again\nand this\nand that');
});

await check('the arrows bring earlier prompts, and the draft back', 'answer', async (panel) => {
	const box = boxOf(panel);
	await box.press('ArrowUp');
	await panel.frames();
	assert.equal(await box.inputValue(), 'the last one');
	await box.press('ArrowUp');
	assert.equal(await box.inputValue(), 'the one before');
	await box.press('ArrowDown');
	await box.press('ArrowDown');
	assert.equal(await box.inputValue(), '');
	await box.fill('two\nlines');
	await box.press('ArrowUp');
	assert.equal(await box.inputValue(), 'two\nlines');
});

await check('who writes on has what was written, not the earlier prompt that comes late', 'answer', async (panel) => {
	// The host answers after this.
	await boxOf(panel).evaluate((box) => {
		box.focus();
		box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
		document.execCommand('insertText', false, '/');
	});
	await panel.frames();
	assert.equal((await panel.sent('history_requested')).length, 1);
	assert.equal(await boxOf(panel).inputValue(), '/');
});

await check('a pasted file that is neither picture nor PDF is refused with a reason', 'answer', async (panel) => {
	await giveFiles(panel, 'paste', 'archive');
	await panel.tab.getByRole('alert').getByText('all.zip is no picture or PDF').waitFor();
});

await check('a large paste is folded, outlives the page, and is sent whole', 'answer', async (panel) => {
	const text = Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n');
	const paste = (words: string) =>
		boxOf(panel).evaluate((box, given) => {
			const clipboardData = new DataTransfer();
			clipboardData.setData('text/plain', given);
			box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
		}, words);
	await boxOf(panel).fill('look: ');
	await paste(text);
	assert.equal(await boxOf(panel).inputValue(), 'look: [Pasted text 1: 50 lines]');
	await panel.tab.getByText('Pasted text 1: 50 lines', { exact: true }).waitFor();
	await panel.tab.reload();
	await panel.tab.getByText('Pasted text 1: 50 lines', { exact: true }).waitFor();
	await boxOf(panel).press('Enter');
	assert.equal((await panel.sent('prompt_submitted'))[0]?.text, `look: ${text}`);
	await paste(text);
	await panel.tab.getByRole('button', { name: /^Unfold/ }).click();
	assert.equal(await boxOf(panel).inputValue(), text);
	assert.equal(await panel.tab.getByText('Pasted text 1: 50 lines', { exact: true }).count(), 0);
});

await check('pictures are made to fit, shown, taken away, refused with a reason', 'answer', async (panel) => {
	const { tab } = panel;
	await giveFiles(panel, 'paste', 'large');
	await tab.getByRole('button', { name: 'Open shot0.png, 1568 × 392' }).waitFor();
	const [added] = await panel.sent('media_added');
	assert.ok(added && added.media.kind === 'image' && added.media.width === 1568);
	assert.ok(added.data.length < 5_000_000 && added.data.startsWith('iVBOR'));
	await giveFiles(panel, 'paste', 'broken');
	await tab.getByRole('alert').getByText('shot0.png cannot be read').waitFor();
	await giveFiles(panel, 'drop', 'png', 20);
	await tab.getByRole('alert').getByText('is one too many').waitFor();
	assert.equal(await tab.getByRole('button', { name: /^Remove shot/ }).count(), 20);
	for (let left = 20; left > 1; left--)
		await tab
			.getByRole('button', { name: /^Remove shot/ })
			.last()
			.click();
	await boxOf(panel).press('Enter');
	const [sent] = await panel.sent('prompt_submitted');
	assert.deepEqual(sent, { type: 'prompt_submitted', text: '', attachments: [added.media] });
});

await check(
	'what the editor drags is told to the host, and its answer stands at the cursor',
	'answer',
	async (panel) => {
		await boxOf(panel).fill('ab');
		await boxOf(panel).press('ArrowLeft');
		await boxOf(panel).evaluate((box) => {
			const dataTransfer = new DataTransfer();
			dataTransfer.setData('text/uri-list', '# c\r\nfile:///w/a.ts\r\nvscode-remote://ssh%2Bhost/w/b.ts#L3');
			box.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
		});
		const [dropped] = await panel.sent('uris_dropped');
		assert.deepEqual(dropped?.uris, ['file:///w/a.ts', 'vscode-remote://ssh%2Bhost/w/b.ts#L3']);
		await panel.post({ type: 'text_inserted', text: '@a.ts ' });
		assert.equal(await boxOf(panel).inputValue(), 'a@a.ts b');
	},
);

await check(
	'while it works: the way is chosen, stays, and two keys choose for one message',
	'composerQueue',
	async (panel) => {
		const { tab } = panel;
		const box = boxOf(panel);
		await box.fill('one');
		await tab.getByRole('button', { name: 'While it works' }).click();
		await tab.getByRole('menuitemradio', { name: 'Queue' }).click();
		await box.press('Enter');
		await box.fill('two');
		await box.press('Control+Shift+Enter');
		await tab.reload();
		await box.fill('three');
		await tab.getByRole('button', { name: 'Send', exact: true }).click();
		assert.deepEqual(
			(await panel.sent('prompt_submitted')).map(({ delivery }) => delivery),
			['queue'],
		);
	},
);

await check(
	'the queue is reordered and edited with the keyboard; the selection stays as it was set',
	'composerQueue',
	async (panel) => {
		const { tab } = panel;
		await tab.getByRole('button', { name: 'Edit queued message: Summarise what you changed.' }).focus();
		await tab.keyboard.press('Alt+ArrowUp');
		assert.deepEqual(await panel.sent('prompt_moved'), [{ type: 'prompt_moved', id: 'q2', to: 0 }]);
		await tab.keyboard.press('Enter');
		assert.deepEqual(await panel.sent('prompt_edited'), [{ type: 'prompt_edited', id: 'q2' }]);
		await tab.getByText('.env may hold secrets').waitFor({ state: 'attached' });
		assert.equal(await tab.getByRole('button', { name: '12 lines of .env' }).count(), 0);
		const selection = {
			kind: 'selection',
			path: '/w/a.ts',
			name: 'a.ts',
			firstLine: 3,
			lastLine: 3,
			shared: true,
			withheld: false,
		} as const;
		await panel.play([{ type: 'state_changed', state: { selection } }]);
		const chip = tab.getByRole('button', { name: 'Line 3 of a.ts' });
		assert.equal(await chip.getAttribute('aria-pressed'), 'true');
		await chip.press('Space');
		assert.deepEqual(await panel.sent('selection_shared'), [{ type: 'selection_shared', shared: false }]);
	},
);

await check('Ctrl+Enter sends where it is set so', 'answer', async (panel) => {
	await panel.play([{ type: 'state_changed', state: { sendWith: 'ctrlEnter' } }]);
	await boxOf(panel).pressSequentially('a');
	await boxOf(panel).press('Enter');
	await boxOf(panel).pressSequentially('b');
	assert.deepEqual(await panel.sent('prompt_submitted'), []);
	await boxOf(panel).press('Control+Enter');
	assert.deepEqual(await panel.sent('prompt_submitted'), [{ type: 'prompt_submitted', text: 'a\nb' }]);
});

await end();
