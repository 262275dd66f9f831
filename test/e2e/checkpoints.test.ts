// Going back to before a message on the real workbench: what would change is shown first, the person's own changes are kept, the
// message's text is in the composer again, and a restore is taken back.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lastUserText, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace, type Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const hash = 'src/util/hash.ts';
const write = (name: string, content: string) => toolUse('Write', { file_path: name, content });
const settings = { 'loopwright.permissionMode': 'acceptEdits' };

stories('checkpoints', (stories) => {
	const text = (bench: Workbench, name: string) => {
		const file = path.join(bench.folder, name);
		return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
	};
	const untilText = (bench: Workbench, name: string, wanted: string | undefined) =>
		poll(10_000, async () => (text(bench, name) === wanted ? true : undefined));
	const row = (bench: Workbench, label: string) =>
		bench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first();
	async function openMenu(bench: Workbench, prompt: string): Promise<void> {
		const article = (await bench.articles('You')).filter({ hasText: prompt });
		await article.hover();
		await article.getByRole('button', { name: bench.text('Restore…'), exact: true }).click();
		await row(bench, bench.text('Restore conversation')).waitFor();
	}
	const enter = (bench: Workbench) => bench.page.keyboard.press('Enter');

	test('files: listed with what changes, a conflict is kept, the difference can be seen, and it is taken back', async () => {
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: hash })),
			turn(
				toolUse('Edit', { file_path: hash, old_string: "'sha1'", new_string: "'sha256'" }),
				write('notes/new.md', '# New\n'),
				write('mine.txt', 'by the agent\n'),
			),
			turn('Done.'),
		]);
		const bench = await stories.open({ settings });
		const before = text(bench, hash);
		await bench.ask('Use a better hash');
		writeFileSync(path.join(bench.folder, 'mine.txt'), 'by the person\n');
		await openMenu(bench, 'Use a better hash');
		await bench.screenshot('restore-menu');
		await row(bench, 'Restore files').click();
		const conflict = row(bench, 'mine.txt');
		await conflict.waitFor();
		assert.equal(await conflict.locator('input[type=checkbox]:checked, .checked').count(), 0);
		await bench.screenshot('restore-files');
		await row(bench, 'hash.ts').hover();
		await row(bench, 'hash.ts').getByRole('button', { name: 'Show the difference' }).click();
		const difference = bench.page.locator('.tab', { hasText: 'now ↔ restored' });
		await difference.waitFor();
		const list = await bench.page.locator('.quick-input-widget').boundingBox();
		const shown = await difference.boundingBox();
		assert.ok(list && shown && shown.y > list.y + list.height, 'the list does not cover the difference');
		await bench.screenshot('restore-difference');
		await bench.page.locator('.quick-input-widget .quick-input-filter input[type=text]').focus();
		await enter(bench);
		assert.ok(await untilText(bench, hash, before));
		assert.ok(await untilText(bench, 'notes/new.md', undefined));
		assert.ok(await poll(5_000, async () => !existsSync(path.join(bench.folder, 'notes')) || undefined));
		assert.equal(text(bench, 'mine.txt'), 'by the person\n');
		await difference.waitFor({ state: 'detached' });
		await bench.runCommand('Loopwright: Redo Restore');
		assert.ok(await untilText(bench, 'notes/new.md', '# New\n'));
		assert.ok(await poll(10_000, async () => /'sha256'/.test(text(bench, hash) ?? '') || undefined));
	});

	test('commands: what they wrote is listed and comes back; what nobody knows is named', async () => {
		const script = 'echo new > README.md; bash ../script.sh; rm test/login.test.ts';
		stories.mock.setScript([turn(toolUse('Bash', { command: script })), turn('Done.')]);
		const bench = await stories.open({ settings, theme: 'light' });
		writeFileSync(path.join(bench.folder, '..', 'script.sh'), 'echo x >> src/util/hash.ts; echo y > fresh.txt');
		const before = text(bench, 'README.md');
		await bench.submit('Tidy up');
		await bench.answerPermission('Bash', 'Allow once');
		await bench.waitForEnd();
		await openMenu(bench, 'Tidy up');
		await row(bench, 'Restore files').click();
		await row(bench, 'README.md').waitFor();
		await row(bench, 'hash.ts').waitFor();
		await bench.screenshot('restore-commands');
		await enter(bench);
		assert.ok(await untilText(bench, 'README.md', before));
		assert.ok(await untilText(bench, 'fresh.txt', undefined));
		assert.ok(await poll(10_000, async () => text(bench, 'test/login.test.ts') !== undefined || undefined));
		assert.ok(text(bench, hash)?.endsWith('x\n'), 'what is not known stays');
	});

	test('conversation and files, by keyboard: the message is in the composer, the rest is gone, also after a reload', async () => {
		stories.mock.setScript([turn('One.'), turn(write('two.txt', 'two\n')), turn('Two.'), turn('Three.')]);
		const bench = await stories.open({ settings, theme: 'high-contrast' });
		await bench.ask('first thing');
		await bench.ask('second thing');
		assert.equal(text(bench, 'two.txt'), 'two\n');
		await bench.runCommand('Loopwright: Rewind');
		await row(bench, 'second thing').waitFor();
		await enter(bench);
		await row(bench, 'Show what restoring would change').waitFor();
		await bench.screenshot('restore-menu-hc');
		await bench.page.keyboard.type('show what');
		await enter(bench);
		await bench.page.locator('.multiDiffEntry').getByText('two.txt').first().waitFor();
		await bench.screenshot('restore-compare-hc');
		assert.equal(text(bench, 'two.txt'), 'two\n');
		await bench.runCommand('Loopwright: Rewind');
		await row(bench, 'second thing').waitFor();
		await enter(bench);
		await row(bench, 'Restore files and conversation').waitFor();
		await bench.page.keyboard.type('and conversation');
		await enter(bench);
		await row(bench, 'two.txt').waitFor();
		await bench.page.keyboard.press('Alt+F5');
		const difference = bench.page.locator('.tab', { hasText: 'now ↔ restored' });
		await difference.waitFor();
		await bench.page.locator('.quick-input-widget input[type=text]:focus').waitFor();
		await enter(bench);
		await difference.waitFor({ state: 'detached' });
		assert.ok(await untilText(bench, 'two.txt', undefined));
		const composer = await bench.composer();
		assert.ok(await poll(10_000, async () => ((await composer.inputValue()) === 'second thing' ? true : undefined)));
		assert.equal(await (await bench.articles('You')).count(), 1);
		assert.equal(await bench.page.locator('.multiDiffEntry').count(), 0, 'what would change is no more');
		await bench.screenshot('restore-both-done');
		const articles = await bench.articles('You');
		const back = await bench.button('Take back');
		await back.press('Enter');
		assert.ok(await untilText(bench, 'two.txt', 'two\n'));
		await articles.nth(1).waitFor();
		await back.waitFor({ state: 'detached' });
		await (await bench.button('Edit and send again')).last().press('Enter');
		await articles.nth(1).waitFor({ state: 'detached' });
		await back.waitFor();
		await bench.reloadWindow();
		await (await bench.button('Take back')).waitFor();
		await (await bench.articles('Loopwright')).getByText('One.').waitFor();
		assert.equal(await (await bench.articles('You')).count(), 1);
		await bench.ask('another thing');
		const last = stories.mock.requests.at(-1) ?? assert.fail();
		assert.equal(lastUserText(last), 'another thing');
		assert.ok(!JSON.stringify(last.body).includes('second thing'));
		assert.equal(await (await bench.button('Take back')).count(), 0, 'something was said since');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('two roots and a file outside: reviewed and brought back everywhere, shown by their root', async () => {
		const folder = sampleWorkspace();
		const base = path.dirname(folder);
		const at = (name: string) => path.join(base, name);
		mkdirSync(at('library'));
		writeFileSync(at('library/index.ts'), 'export const one = 1;\n');
		writeFileSync(at('outside.txt'), 'outside\n');
		const workspaceFile = at('both.code-workspace');
		writeFileSync(workspaceFile, JSON.stringify({ folders: [{ path: folder }, { path: at('library') }] }));
		const files = [path.join(folder, hash), at('library/index.ts'), at('outside.txt')];
		const texts = () => files.map((file) => readFileSync(file, 'utf8'));
		const before = texts();
		stories.mock.setScript([
			turn(...files.map((file_path) => toolUse('Read', { file_path }))),
			turn(
				toolUse('Edit', { file_path: hash, old_string: "'sha1'", new_string: "'sha256'" }),
				toolUse('Edit', { file_path: at('library/index.ts'), old_string: 'one = 1', new_string: 'one = 2' }),
				toolUse('Edit', { file_path: at('outside.txt'), old_string: 'outside', new_string: 'changed' }),
			),
			turn('Done.'),
		]);
		const bench = await stories.open({ folder, workspaceFile, settings, theme: 'high-contrast-light' });
		await bench.submit('Change all three');
		await bench.answerPermission('Read', 'Allow once');
		await bench.answerPermission('Edit', 'Allow once');
		await bench.waitForEnd();
		const after = texts();
		assert.ok(after.every((text, index) => text !== before[index]));
		await bench.page.locator('.statusbar-item').filter({ hasText: '3 changes to review' }).click();
		await bench.page.locator('.scm-view').getByText('outside.txt').first().waitFor();
		await bench.screenshot('review-two-roots');
		await openMenu(bench, 'Change all three');
		await row(bench, 'Restore files').click();
		await row(bench, 'sample/src/util').waitFor();
		await row(bench, 'library').waitFor();
		await row(bench, base).waitFor();
		await bench.screenshot('restore-two-roots');
		await enter(bench);
		const all = async (wanted: readonly string[]) =>
			assert.ok(await poll(10_000, async () => texts().join('|') === wanted.join('|') || undefined));
		await all(before);
		await bench.runCommand('Loopwright: Redo Restore');
		await all(after);
		await bench.runCommand('Loopwright: Review Undo All');
		const dialog = bench.page.locator('.monaco-dialog-box');
		await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
		await all(before);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('fork, in Chinese: a new conversation from there', async () => {
		stories.mock.setScript([turn('One.'), turn('Two.'), turn('Other.')]);
		const bench = await stories.open({ settings, locale: 'zh-cn' });
		await bench.ask('first thing');
		await bench.ask('second thing');
		await openMenu(bench, 'second thing');
		await bench.screenshot('restore-menu-zh-cn');
		await row(bench, bench.text('Fork from here')).click();
		assert.ok(await poll(10_000, async () => ((await (await bench.articles('You')).count()) === 1 ? true : undefined)));
		const composer = await bench.composer();
		assert.ok(await poll(10_000, async () => (await composer.inputValue()) === 'second thing' || undefined));
		await bench.ask('instead');
		assert.ok(JSON.stringify(stories.mock.requests.at(-1)?.body).includes('first thing'));
		assert.deepEqual(stories.mock.violations, []);
	});
});
