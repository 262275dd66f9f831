// Review of applied edits on the real workbench: marks in the live editor, the peek, the list, the diff of all, keys, a reload.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace, type Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const hash = 'src/util/hash.ts';
const session = 'src/auth/session.ts';
const created = 'src/util/salt.ts';
const settings = { 'loopwright.permissionMode': 'acceptEdits' };
const edit = (file_path: string, old_string: string, new_string: string) =>
	toolUse('Edit', { file_path, old_string, new_string });

stories('review', (stories) => {
	const changes = [
		turn(toolUse('Read', { file_path: hash }), toolUse('Read', { file_path: session })),
		turn(edit(hash, "const ALGORITHM = 'sha1';", "const ALGORITHM = 'sha256';")),
		turn(
			edit(hash, "  const [salt = '', hash = ''] = stored.split(':');\n", '  const [salt, hash] = parse(stored);\n'),
		),
		turn(edit(session, '8 * 60', '4 * 60')),
		turn(toolUse('Write', { file_path: created, content: 'export const saltBytes = 16;\n' })),
		turn('Done.'),
	];
	setup(() => stories.mock.setScript([...changes, turn('Fine.'), turn('Well.')]));

	const onDisk = (bench: Workbench, file: string) => readFileSync(path.join(bench.folder, file), 'utf8');
	const lenses = (bench: Workbench, title: string) =>
		bench.page.locator('.editor-group-container.active .codelens-decoration a').filter({ hasText: title });
	const status = (bench: Workbench, words: string) => bench.page.locator('.statusbar-item').filter({ hasText: words });
	const until = async (what: string, holds: () => Promise<boolean> | boolean) =>
		assert.ok(await poll(15_000, async () => ((await holds()) ? true : undefined)), what);
	/** Answers the one question that several undos ask. */
	async function answer(bench: Workbench, says: string, button: string): Promise<void> {
		const dialog = bench.page.locator('.monaco-dialog-box');
		await dialog.getByText(says).first().waitFor();
		await bench.screenshot(`review-undo-question-${button === 'Cancel' ? 'cancel' : button}`);
		await dialog.getByRole('button', { name: button, exact: true }).click();
		await dialog.waitFor({ state: 'detached' });
	}
	const key = (bench: Workbench, name: string) => bench.page.keyboard.press(name);
	const focusEditor = (bench: Workbench) =>
		bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();

	test('marked at once in the live editor without taking the focus; peek, list and diff of all; kept and undone', async () => {
		const bench = await stories.open({ settings });
		await bench.openFile(hash);
		await (await bench.composer()).focus();
		await bench.ask('Use a better hash');
		assert.ok(await (await bench.panel()).evaluate(() => document.hasFocus()), 'the panel keeps the focus');
		assert.equal(await bench.page.locator('.tab').count(), 1, 'no file was opened');
		await status(bench, '4 changes to review').waitFor();
		await lenses(bench, 'Keep').nth(1).waitFor();
		assert.equal(await lenses(bench, 'Keep').count(), 2);
		await bench.page.locator('.editor-group-container.active .dirty-diff-modified').first().waitFor();
		await bench.screenshot('review-editor');

		await focusEditor(bench);
		await key(bench, 'Alt+F3');
		const peek = bench.page.locator('.peekview-widget');
		await peek.getByText("'sha1'").first().waitFor();
		await bench.screenshot('review-peek');
		await peek.locator('.action-label[aria-label*="Keep"]').first().click();
		await status(bench, '3 changes to review').waitFor();
		await key(bench, 'Escape');
		await until('one lens is left', async () => (await lenses(bench, 'Keep').count()) === 1);

		await status(bench, '3 changes to review').click();
		const list = bench.page.locator('.scm-view');
		await list.getByText('session.ts').first().waitFor();
		await list.getByText('Use a better hash').first().waitFor();
		await bench.screenshot('review-list');
		await bench.runCommand('Loopwright: Review Open All');
		await bench.page.locator('.multiDiffEntry').first().waitFor();
		await bench.screenshot('review-all');

		await list.getByText('session.ts').first().click();
		await lenses(bench, 'Undo').first().waitFor();
		await lenses(bench, 'Undo').first().click();
		await until('the old text is on the disk', () => onDisk(bench, session).includes('8 * 60'));
		await status(bench, '2 changes to review').waitFor();
		await until('no lens is left in the file', async () => (await lenses(bench, 'Keep').count()) === 0);
		const question = 'Undo 2 changes of the agent in 2 files?';
		await bench.runCommand('Loopwright: Review Undo All');
		await answer(bench, question, 'Cancel');
		await status(bench, '2 changes to review').waitFor();
		assert.ok(existsSync(path.join(bench.folder, created)));
		await bench.runCommand('Loopwright: Review Undo All');
		await answer(bench, question, 'Undo');
		await until('nothing is left to review', async () => (await status(bench, 'to review').count()) === 0);
		await until('the lines before are on the disk', () => onDisk(bench, hash).includes("stored.split(':')"));
		await until('the new file is gone', () => !existsSync(path.join(bench.folder, created)));
		assert.ok(onDisk(bench, hash).includes("'sha256'"), 'what was kept stays');
		await bench.runCommand('Notifications: Show Notifications');
		await bench.screenshot('review-undone');
		await bench.page.getByRole('button', { name: 'Take Back' }).first().click();
		await status(bench, '2 changes to review').waitFor();
		await until('the new file is back', () => existsSync(path.join(bench.folder, created)));
		await until('with its text', () => onDisk(bench, created) === 'export const saltBytes = 16;\n');
		await until('the change, too', () => onDisk(bench, hash).includes('parse(stored)'));
		assert.deepEqual(stories.mock.violations, []);
	});

	test("by keyboard alone, over a reload of the window; typing in a change makes it the person's; a comment goes to the composer", async () => {
		const made = 'src/util/pepper.ts';
		const write = toolUse('Write', { file_path: made, content: 'export const pepper = 1;\n' });
		stories.mock.setScript([...changes, turn('Fine.'), turn(write), turn('Fine.')]);
		const bench = await stories.open({ settings, theme: 'light' });
		await bench.openFile(hash);
		await bench.ask('Use a better hash');
		await status(bench, '4 changes to review').waitFor();
		await bench.reloadWindow();
		await status(bench, '4 changes to review').waitFor({ timeout: 30_000 });
		await focusEditor(bench);
		await lenses(bench, 'Keep').nth(1).waitFor();
		await bench.screenshot('review-reloaded-light');
		const cursorAt = (place: string) =>
			until(`the cursor is at ${place}`, async () => (await status(bench, place).count()) > 0);
		await key(bench, 'Control+Home');
		await key(bench, 'Alt+F5');
		await cursorAt('Ln 3, Col 1');
		const thread = bench.page.locator('.review-widget');
		const goToThread = async () => {
			await key(bench, 'Control+K');
			await key(bench, 'Alt+F5');
			await thread.locator('.comment-form').waitFor();
		};
		// Nothing tells when VS Code has drawn a thread: who was too quick for it presses once more.
		const goIntoThread = () =>
			until('the keys are in the thread', async () => {
				await goToThread();
				const inside = thread.locator('.comments-container:focus').waitFor({ timeout: 2_000 });
				return inside.then(
					() => true,
					() => false,
				);
			});
		await goToThread();
		await goIntoThread();
		await key(bench, 'Tab');
		await thread.locator('.comment-form .monaco-editor.focused').waitFor();
		await bench.page.keyboard.type('use sha512');
		await key(bench, 'Control+Enter');
		await until('the reply was sent', () => stories.mock.requests.length >= 7);
		assert.match(JSON.stringify(stories.mock.requests[6]), /use sha512[\s\S]*\+const ALGORITHM = 'sha256'/);
		await thread.getByText('use sha512').waitFor();
		await bench.waitForEnd();
		await bench.page.locator('.native-edit-context[aria-label^="hash.ts"]:focus').waitFor({ state: 'attached' });
		await goIntoThread();
		await thread.getByText('use sha512').waitFor();
		await key(bench, 'Shift+Tab');
		await thread.locator('.action-label[aria-label*="Keep"]:focus').waitFor();
		await key(bench, 'Enter');
		await status(bench, '3 changes to review').waitFor();
		await thread.waitFor({ state: 'detached' });
		await bench.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
		await key(bench, 'Alt+F5');
		await cursorAt('Ln 11, Col 1');
		await key(bench, 'Control+Alt+Shift+Enter');
		await status(bench, '2 changes to review').waitFor();
		await until('the second change is undone', () => onDisk(bench, hash).includes("stored.split(':')"));
		assert.ok(onDisk(bench, hash).includes("'sha256'"));
		await key(bench, 'Shift+Alt+F5');
		await bench.page.locator('.tab.active[data-resource-name="session.ts"]').waitFor();
		await cursorAt('Ln 9, Col 1');
		await bench.runCommand('Loopwright: Review Comment');
		const composer = await bench.composer();
		await until('the change is in the composer', async () => /-const SESSION_MS = 8/.test(await composer.inputValue()));
		await until('the keys go there', () =>
			composer.evaluate((box) => document.hasFocus() && document.activeElement === box),
		);
		await bench.page.keyboard.type('keep it at eight');
		await key(bench, 'Enter');
		await until('the comment was sent', () => stories.mock.requests.length >= 8);
		const sent = JSON.stringify(stories.mock.requests[7]);
		assert.match(sent, /session\.ts[\s\S]*\+const SESSION_MS = 4[\s\S]*keep it at eight/);
		await status(bench, '3 changes to review').waitFor();
		await bench.waitForEnd();
		await bench.typeInEditor(' // mine', 9);
		await until("what was typed into is not the agent's", async () => (await lenses(bench, 'Keep').count()) === 0);
		await status(bench, '2 changes to review').waitFor();
		const goTo = async (name: string) => {
			await key(bench, 'Alt+F5');
			await bench.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
			await lenses(bench, 'Keep').first().waitFor();
			await key(bench, 'Control+K');
		};
		await goTo('pepper.ts');
		await key(bench, 'Control+Alt+Enter');
		await status(bench, '1 change to review').waitFor();
		await goTo('salt.ts');
		await key(bench, 'Control+Alt+Shift+Enter');
		await until('nothing is left to review', async () => (await status(bench, 'to review').count()) === 0);
		await until('the file is gone', () => !existsSync(path.join(bench.folder, created)));
		assert.equal(onDisk(bench, made), 'export const pepper = 1;\n', 'what was kept stays');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('in Chinese and high contrast', async () => {
		const bench = await stories.open({ settings, theme: 'high-contrast', locale: 'zh-cn' });
		await bench.openFile(hash);
		await bench.ask('换一个更好的哈希');
		await status(bench, '4 处更改待审阅').click();
		await bench.page.locator('.scm-view').getByText('换一个更好的哈希').first().waitFor();
		await lenses(bench, '保留').nth(1).waitFor();
		await bench.screenshot('review-zh-hc');
		await focusEditor(bench);
		await key(bench, 'Alt+F3');
		await bench.page.locator('.peekview-widget').getByText("'sha1'").first().waitFor();
		await bench.screenshot('review-zh-hc-peek');
		await key(bench, 'Escape');
		await lenses(bench, '之前').nth(1).click();
		await bench.page.locator('.review-widget').getByText('此处之前的内容').first().waitFor();
		await bench.screenshot('review-zh-hc-before');
		await bench.runCommand('Loopwright: 审阅：打开所有更改');
		await bench.page.locator('.multiDiffEntry').first().waitFor();
		await bench.screenshot('review-zh-hc-all');
		const press = async (row: string, action: string) => {
			const shown = bench.page.locator('.scm-view .monaco-list-row').filter({ hasText: row }).first();
			await shown.hover();
			await shown.locator(`.action-label[aria-label*="${action}"]`).click();
		};
		await press('salt.ts', '保留文件的更改');
		await status(bench, '3 处更改待审阅').waitFor();
		await press('换一个更好的哈希', '全部撤销');
		await answer(bench, '要撤销智能体在 2 个文件中的 3 处更改吗？', '撤销');
		await until('nothing is left to review', async () => (await status(bench, '待审阅').count()) === 0);
		await until('the lines before are on the disk', () => onDisk(bench, hash).includes("'sha1'"));
		assert.ok(existsSync(path.join(bench.folder, created)), 'what was kept stays');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('beside git: both lists, both marks, and our actions for our changes alone', async () => {
		const folder = sampleWorkspace();
		const own = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'commit.gpgsign=false'];
		for (const args of [
			['init', '-q'],
			['add', '.'],
			['commit', '-qm', 'first'],
		]) {
			execFileSync('git', [...own, ...args], { cwd: folder });
		}
		const bench = await stories.open({ settings, folder, theme: 'high-contrast-light' });
		await bench.openFile(hash);
		await bench.typeInEditor(' // mine', 17);
		await bench.ask('Use a better hash');
		await status(bench, '4 changes to review').click();
		const list = bench.page.locator('.scm-view');
		await list.getByText('Loopwright Changes').first().waitFor();
		await list.getByText('Use a better hash').first().waitFor();
		await lenses(bench, 'Keep').nth(1).waitFor();
		await focusEditor(bench);
		await key(bench, 'Control+Home');
		await key(bench, 'Alt+F3');
		// Git's comes first, as it has the folder; ours is the other choice.
		const peek = bench.page.locator('.peekview-widget');
		await peek.getByText('1 of 3 changes').waitFor();
		await peek.locator('select').selectOption({ label: 'Loopwright Changes' });
		await peek.getByText('1 of 2 changes').waitFor();
		await peek.locator('.action-label[aria-label*="Undo"]').first().waitFor();
		await bench.screenshot('review-beside-git');
		await key(bench, 'Escape');
		// One click away: our own, above the change.
		await lenses(bench, 'Before').first().click();
		const thread = bench.page.locator('.review-widget');
		await thread.getByText("-const ALGORITHM = 'sha1';").waitFor();
		await bench.screenshot('review-before');
		await thread.locator('.comment-form-container .monaco-editor').click();
		await thread.locator('.comment-form-container .monaco-editor.focused').waitFor();
		await bench.page.keyboard.type('use sha512');
		await bench.screenshot('review-reply');
		await thread.getByRole('button', { name: 'Send to Agent' }).click();
		await until('the comment was sent', () => stories.mock.requests.length >= 7);
		const sent = JSON.stringify(stories.mock.requests[6]);
		assert.match(
			sent,
			/use sha512[\s\S]*hash\.ts` \(line 3\)[\s\S]*-const ALGORITHM = 'sha1'[\s\S]*\+const ALGORITHM = 'sha256'/,
		);
		await (await bench.articles('You')).getByText('use sha512').first().waitFor();
		await thread.getByText('use sha512').waitFor();
		await bench.waitForEnd();
		await bench.screenshot('review-replied');
		await thread.locator('.action-label[aria-label*="Undo"]').first().click();
		await status(bench, '3 changes to review').waitFor();
		await thread.waitFor({ state: 'detached' });
		await until('the text before is on the disk', () => onDisk(bench, hash).includes("'sha1'"));
		assert.match(onDisk(bench, hash), /\/\/ mine/);
		assert.deepEqual(stories.mock.violations, []);
	});
});
