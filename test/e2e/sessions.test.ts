// The history on the real workbench: an earlier conversation is opened after a reload, named, found by what was said in it, and
// deleted; and a second window on the same conversation reads it, or goes on in a copy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SessionLibrary } from '../../src/node/sessions/sessionLibrary.ts';
import { answer, toolUse, turn } from '../support/mockServer.ts';
import { newPage } from './harness/browser.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll, WorkbenchPage } from './harness/workbenchPage.ts';

stories('sessions', (stories) => {
	teardown(() => assert.deepEqual(stories.mock.violations, []));

	const rows = (bench: WorkbenchPage) => bench.page.locator('.quick-input-list .monaco-list-row');
	const row = (bench: WorkbenchPage, text: string) => rows(bench).filter({ hasText: text }).first();
	const box = (bench: WorkbenchPage) => bench.page.locator('.quick-input-widget .quick-input-filter input[type=text]');
	const said = async (bench: WorkbenchPage, text: string) =>
		(await bench.panel()).locator('[role=log]').getByText(text, { exact: true }).first();
	async function setMode(bench: Workbench, name: RegExp): Promise<void> {
		await (await bench.button('Mode')).click();
		await (await bench.panel()).getByRole('menuitemradio', { name }).click();
	}
	/** What can be done with the chosen conversation, by the keyboard alone. */
	async function actByKeys(bench: WorkbenchPage, action: string): Promise<void> {
		const menu = bench.page.locator('.quick-input-titlebar a[aria-label^="Actions for the chosen"]:focus');
		// The list is filled anew while it searches.
		const open = await poll(20_000, async () => {
			await bench.page.keyboard.press('Shift+Tab');
			if ((await menu.count()) === 0) return undefined;
			await bench.page.keyboard.press('Enter');
			const shown = row(bench, action).waitFor({ timeout: 2_000 });
			return shown.then(
				() => true,
				() => undefined,
			);
		});
		assert.ok(open, `Shift+Tab and Enter lead to ${action}`);
		await bench.page.keyboard.type(action);
		await bench.page.keyboard.press('Enter');
	}
	async function openHistory(bench: WorkbenchPage): Promise<void> {
		await bench.runCommand('Loopwright: History');
		await rows(bench).first().waitFor();
	}

	test('two conversations: after a reload the earlier one is opened, named, found, deleted and taken back, by keyboard', async () => {
		const todos = [{ content: 'Look at hash.ts', activeForm: 'Looking at hash.ts', status: 'in_progress' }];
		stories.mock.setScript([
			turn(toolUse('TodoWrite', { todos })),
			answer('The word is marzipan.'),
			answer('Second answer.'),
		]);
		const bench = await stories.open({});
		await bench.ask('First question');
		await setMode(bench, /^Plan/);
		await bench.runCommand('Loopwright: New Conversation');
		await (await said(bench, 'The word is marzipan.')).waitFor({ state: 'detached' });
		await setMode(bench, /^Ask/);
		await bench.ask('Another question');
		await bench.reloadWindow();
		await (await said(bench, 'Second answer.')).waitFor();

		await bench.page
			.getByRole('button', { name: /^(Loopwright: )?History$/ })
			.first()
			.click();
		await row(bench, 'First question').waitFor();
		assert.match(await row(bench, 'Another question').innerText(), /shown here/);
		await bench.screenshot('history');
		await row(bench, 'First question').click();
		await (await said(bench, 'The word is marzipan.')).waitFor();
		await (await bench.panel()).getByText('Looking at hash.ts').first().waitFor();
		await (await bench.button('Mode')).click();
		await (await bench.panel()).getByRole('menuitemradio', { name: /^Plan/, checked: true }).waitFor();
		await bench.page.keyboard.press('Escape');

		await openHistory(bench);
		await box(bench).fill('First question');
		await row(bench, 'Another question').waitFor({ state: 'detached' });
		await actByKeys(bench, 'Rename…');
		await bench.page.locator('.quick-input-widget', { hasText: 'Rename Conversation' }).waitFor();
		await box(bench).fill('About sweets');
		await bench.page.keyboard.press('Enter');
		await row(bench, 'About sweets').waitFor();
		await bench.page.locator('.part.auxiliarybar .title', { hasText: 'About sweets' }).first().waitFor();
		await bench.screenshot('history-renamed');

		await box(bench).fill('marzipan');
		await row(bench, 'The word is marzipan').waitFor();
		await row(bench, 'Another question').waitFor({ state: 'detached' });
		await bench.screenshot('history-search');
		await actByKeys(bench, 'Delete');
		await row(bench, 'No conversation has these words').waitFor();
		await (await said(bench, 'The word is marzipan.')).waitFor({ state: 'detached' });
		// The way back stands first in the list, where the keys are, and is read out.
		const undo = bench.page.locator('.quick-input-list .monaco-list-row.focused[aria-label*="Undo"]');
		await undo.and(bench.page.locator('[aria-label*="“About sweets” was deleted."]')).waitFor();
		await bench.screenshot('history-deleted');
		await bench.page.keyboard.press('Enter');
		await row(bench, 'The word is marzipan').waitFor();
		await bench.page.keyboard.press('Escape');
		await (await said(bench, 'The word is marzipan.')).waitFor();
		stories.mock.setScript([answer('Said after Undo.')]);
		await bench.ask('Are you there again?');
		await (await said(bench, 'Said after Undo.')).waitFor();
		await bench.screenshot('history-undone');
	});

	test('a second window on a conversation reads it, goes on in a copy, or has it when the first one has left; a name given elsewhere is seen', async () => {
		stories.mock.setScript([answer('Said in the first window.'), answer('Said in the copy.')]);
		const bench = await stories.open({});
		await bench.ask('Hello');
		const library = new SessionLibrary(path.join(bench.home, '.loopwright'));
		const [{ id } = assert.fail('it is not stored')] = await library.list(bench.folder);
		await library.rename(bench.folder, id, 'Named elsewhere');
		await bench.page.locator('.part.auxiliarybar .title', { hasText: 'Named elsewhere' }).first().waitFor();
		const { context, page } = await newPage();
		try {
			const second = new WorkbenchPage(page);
			await second.load(bench.page.url());
			await openHistory(second);
			assert.match(await row(second, 'Named elsewhere').innerText(), /open in another window/);
			await row(second, 'Named elsewhere').click();
			await (await said(second, 'Said in the first window.')).waitFor();
			const bar = (await second.panel()).getByText(/Open in another window/).first();
			await bar.waitFor();
			assert.equal(await (await second.composer()).isDisabled(), true);
			await second.screenshot('open-elsewhere');
			await (await second.button('Try again')).click();
			await bar.waitFor();
			await (await second.button('Continue in a copy')).click();
			await bar.waitFor({ state: 'detached' });
			await second.ask('And here?');
			await (await said(second, 'Said in the copy.')).waitFor();
			assert.equal(await (await said(bench, 'Said in the copy.')).count(), 0);
		} finally {
			await context.close();
		}
	});

	test('a store that can only be read: said, goes on in memory; and said when all is stored again', async function () {
		const bench = await stories.open({});
		const store = path.join(bench.home, '.loopwright');
		mkdirSync(path.join(store, 'projects'), { recursive: true });
		const mount = (...args: readonly string[]) => spawnSync('mount', [...args, store]).status === 0;
		if (!mount('--bind', store) || !mount('-o', 'remount,bind,ro')) this.skip();
		try {
			stories.mock.setScript([answer('One.'), answer('Two.')]);
			await bench.runCommand('Loopwright: New Conversation');
			await bench.ask('Where does this go?');
			const log = (await bench.panel()).locator('[role=log]');
			await log
				.getByText('The conversation is not stored: its folder cannot be written. It goes on in memory.')
				.waitFor();
			await bench.screenshot('store-read-only');
			assert.ok(mount('-o', 'remount,bind,rw'));
			await bench.ask('And now?');
			await log.getByText('All of the conversation is stored again.').waitFor();
			const names = readdirSync(path.join(store, 'projects'), { recursive: true, encoding: 'utf8' });
			const texts = names
				.filter((name) => name.endsWith('.jsonl'))
				.map((name) => readFileSync(path.join(store, 'projects', name), 'utf8'));
			assert.ok(texts.some((text) => text.includes('"One."') && text.includes('"Two."')));
		} finally {
			spawnSync('umount', ['-l', store]);
		}
	});
});
