// Requests for permission on the real workbench, as a person meets them: every answer, where rules are kept, a hidden and a
// reloaded panel, the keyboard alone, and the list of all rules.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { temporaryFolder, type Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const hash = 'src/util/hash.ts';
const bash = (command: string) => turn(toolUse('Bash', { command }));
const button = (card: Locator, name: string) => card.getByRole('button', { name, exact: true });
const textbox = (card: Locator, name: string) => card.getByRole('textbox', { name, exact: true });
const made = (bench: Workbench, name: string) => existsSync(path.join(bench.folder, name));

stories('permissions', (stories) => {
	test('allowed once, denied with a reason, changed before it runs; each says why it asks', async () => {
		stories.mock.setScript([
			bash('touch one.txt'),
			turn('First.'),
			bash('touch two.txt'),
			turn('Second.'),
			bash('touch three.txt'),
			turn('Third.'),
			turn(toolUse('Read', { file_path: hash })),
			turn(toolUse('Edit', { file_path: hash, old_string: "'sha1'", new_string: "'sha256'" })),
			turn(toolUse('Edit', { file_path: hash, old_string: "'sha256'", new_string: "'sha512'" })),
			turn('Fourth.'),
		]);
		const bench = await stories.open();
		const card = await bench.permission('Bash');

		await bench.submit('one');
		await button(card, 'Why am I asked?').click();
		await card.getByText('None that allows or denies this.').waitFor();
		await bench.screenshot('permission-why');
		await button(card, 'Allow once').click();
		await (await bench.articles('Loopwright')).last().getByText('First.').waitFor();
		assert.ok(made(bench, 'one.txt'));

		await bench.submit('two');
		const reason = textbox(card, 'Reason (optional)');
		await bench.write(reason, '不要碰这个文件夹');
		await reason.dispatchEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229 });
		await reason.press('Control+Enter');
		assert.equal(await card.count(), 1, 'neither the input method nor a slip of the finger answers');
		await reason.press('Enter');
		await (await bench.articles('Loopwright')).last().getByText('Second.').waitFor();
		assert.equal(made(bench, 'two.txt'), false);
		assert.match(toolResults(stories.mock.requests[3] ?? assert.fail())[0]?.text ?? '', /不要碰这个文件夹/);

		await bench.submit('three');
		await button(card, 'Edit').click();
		await bench.write(textbox(card, 'Command'), 'touch four.txt');
		assert.ok(await button(card, 'Always allow…').isDisabled(), 'a rule is for what the agent asked');
		await bench.screenshot('permission-changed-command');
		await button(card, 'Allow once').click();
		await (await bench.articles('Loopwright')).last().getByText('Third.').waitFor();
		assert.deepEqual([made(bench, 'three.txt'), made(bench, 'four.txt')], [false, true]);

		await bench.submit('four');
		const edit = await bench.permission('Edit');
		await button(edit, 'Always allow…').click();
		await button(edit, 'Accept edits from now on').click();
		await (await bench.articles('Loopwright')).last().getByText('Fourth.').waitFor();
		assert.match(readFileSync(path.join(bench.folder, hash), 'utf8'), /'sha512'/);
		await (await bench.panel()).locator('.composer').getByText('Accept edits').waitFor();
		assert.deepEqual(stories.mock.violations, []);
	});

	test('always: the exact rule, checked while it is typed, kept where the scope says, and not asked again', async () => {
		const names = ['session', 'mine', 'shared', 'everywhere'];
		stories.mock.setScript(
			names.flatMap((name) => [bash(`touch ${name}1.txt`), bash(`touch ${name}2.txt`), turn(`Done: ${name}.`)]),
		);
		const bench = await stories.open();
		const card = await bench.permission('Bash');
		const save = button(card, 'Save rule and allow');
		const rule = textbox(card, 'Rule');
		const scopes = ['This session', 'This workspace, for me', 'This workspace, shared', 'Everywhere'];
		for (const [index, name] of names.entries()) {
			await bench.submit(name);
			await button(card, 'Always allow…').click();
			if (index === 0) {
				assert.match(await rule.inputValue(), /^Bash\(touch session1\.txt\)$/);
				await bench.write(rule, 'Bash(touch');
				await card.getByText('It is not of the form Tool or Tool(specifier).').waitFor();
				assert.ok(await save.isDisabled());
				await bench.write(rule, 'Bash(ls)');
				await card.getByText('This rule does not cover the call').waitFor();
				assert.ok(await save.isDisabled());
				await rule.press('Enter');
			}
			await bench.write(rule, `Bash(touch ${name}*)`);
			await card.getByText('Allows this, and all else that fits the rule.').waitFor();
			await card.getByRole('radio', { name: scopes[index] ?? '', exact: true }).check();
			if (index === 0) await bench.screenshot('permission-always');
			await save.click();
			await (await bench.articles('Loopwright')).last().getByText(`Done: ${name}.`).waitFor();
			assert.ok(made(bench, `${name}1.txt`) && made(bench, `${name}2.txt`), `${name}: the second call did not ask`);
		}
		const home = path.join(bench.home, '.loopwright');
		const [project = ''] = readdirSync(path.join(home, 'projects'));
		const allowed = (file: string): unknown =>
			(JSON.parse(readFileSync(file, 'utf8')) as { permissions: { allow: unknown } }).permissions.allow;
		assert.deepEqual(allowed(path.join(home, 'projects', project, 'settings.json')), ['Bash(touch mine*)']);
		assert.deepEqual(allowed(path.join(bench.folder, '.loopwright/settings.json')), ['Bash(touch shared*)']);
		assert.deepEqual(allowed(path.join(home, 'settings.json')), ['Bash(touch everywhere*)']);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('B54 two at once: "always" on one settles the other; the others can be looked at first', async () => {
		const outside = temporaryFolder('outside');
		for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(path.join(outside, name), `${name}\n`);
		const reads = ['a.txt', 'b.txt', 'c.txt'].map((name) => toolUse('Read', { file_path: path.join(outside, name) }));
		stories.mock.setScript([turn(...reads), turn('All read.')]);
		const bench = await stories.open();
		await bench.submit('read them');
		const card = await bench.permission('Read');
		await card.getByText('1 of 3').waitFor();
		const panel = await bench.panel();
		await panel.getByRole('button', { name: '2 more wait' }).click();
		await bench.screenshot('permission-several');
		await panel.getByRole('button', { name: /b\.txt$/ }).click();
		await card.getByText('2 of 3').waitFor();
		await button(card, 'Deny').click();
		await card.getByText('1 of 2').waitFor();
		await button(card, 'Always allow…').click();
		await bench.write(textbox(card, 'Rule'), `Read(/${outside}/**)`);
		await button(card, 'Save rule and allow').click();
		await (await bench.articles('Loopwright')).last().getByText('All read.').waitFor();
		await card.waitFor({ state: 'detached' });
		const results = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.deepEqual(
			results.map(({ isError }) => isError),
			[false, true, false],
		);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('B54 keyboard only, from a hidden panel: told, shown, answered, and back in the editor', async () => {
		stories.mock.setScript([bash('touch one.txt'), turn('Made.')]);
		const bench = await stories.open();
		await bench.openFile('README.md');
		await bench.submit('make it');
		await (await bench.permission('Bash')).waitFor();
		await bench.write(textbox(await bench.permission('Bash'), 'Reason (optional)'), 'half a reason');
		const before = await bench.panel();
		await bench.runCommand('Developer: Reload Webviews');
		assert.ok(await poll(20_000, async () => before.isDetached() || undefined), 'the page was loaded anew');
		await (await bench.permission('Bash')).waitFor();
		assert.equal(
			await textbox(await bench.permission('Bash'), 'Reason (optional)').inputValue(),
			'half a reason',
			'what was typed is still there',
		);
		await bench.runCommand('View: Toggle Secondary Side Bar Visibility');
		await bench.runCommand('Notifications: Show Notifications');
		await bench.page.getByText('Loopwright waits for your answer: Bash touch one.txt').first().waitFor();
		await bench.screenshot('permission-notification');
		const badge = bench.page.locator('.badge-content', { hasText: /^1$/ });
		await badge.waitFor({ state: 'attached' });
		assert.equal(await badge.count(), 1, 'a number on the icon of the view');
		await bench.runCommand('Notifications: Hide Notifications');
		await bench.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();

		await bench.page.keyboard.press('Control+Alt+.');
		const place = () =>
			poll(15_000, async () => {
				const panel = await bench.panel(1_000).catch(() => undefined);
				const name = await panel?.evaluate(
					() => document.hasFocus() && document.activeElement?.getAttribute('aria-label'),
				);
				return name === 'Permission: Bash' ? name : undefined;
			});
		assert.equal(await place(), 'Permission: Bash', 'the card has the focus, none of its buttons');
		// The page may be quicker than the number on the icon.
		await badge.waitFor({ state: 'detached' });
		await bench.page.keyboard.press('Enter');
		await bench.page.keyboard.press('Control+Alt+.');
		const inEditor = await poll(10_000, async () =>
			(await bench.page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null)) ? true : undefined,
		);
		assert.ok(inEditor, 'the same key leads back');
		await bench.page.keyboard.press('Control+Alt+.');
		assert.ok(await place());
		await bench.page.keyboard.press('Control+Enter');
		await (await bench.articles('Loopwright')).last().getByText('Made.').waitFor();
		assert.ok(made(bench, 'one.txt'));
		const composer = await poll(5_000, async () =>
			(await (await bench.panel()).evaluate(() => document.activeElement?.getAttribute('aria-label'))) === 'Message'
				? true
				: undefined,
		);
		assert.ok(composer, 'after the last answer the focus is in the composer');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('all rules with their places; a command is tested against them while one types', async () => {
		const bench = await stories.open({
			settings: {
				'loopwright.permissions.deny': ['Bash(git push *)'],
				'loopwright.permissions.ask': ['Bash(npm publish)'],
			},
		});
		mkdirSync(path.join(bench.home, '.loopwright'), { recursive: true });
		writeFileSync(
			path.join(bench.home, '.loopwright/settings.json'),
			'{\n\t"permissions": { "allow": ["Bash(npm test *)"] }\n}\n',
		);
		await bench.waitForStatus('Ready');
		await bench.runCommand('Loopwright: Manage Permissions');
		// By their labels: the list uses its rows again, with what they said before still hidden in them.
		const label = (start: string) => bench.page.locator(`.quick-input-list [role=option][aria-label*="${start}"]`);
		await label('Bash(git push *), ').waitFor();
		await label('Bash(npm test *), Everywhere').waitFor();
		await bench.screenshot('permissions-list');
		const type = (text: string) => bench.page.locator('.quick-input-box input').fill(text);
		await type('echo hi && git push origin main');
		await label('Denied, Bash: echo').getByText('The rule Bash(git push *) denies it.').waitFor();
		await bench.screenshot('permissions-test');
		await type('npm test -- --grep x');
		await label('Allowed, Bash: npm').getByText('The rule Bash(npm test *) allows it.').waitFor();
		await type('npm publish');
		await label('Asks first, Bash: npm').waitFor();
		await type('');
		await label('Asks first, Bash: npm').waitFor({ state: 'detached' });
		await label('Bash(npm test *), ').hover();
		await label('Bash(npm test *), ').getByRole('button', { name: 'Remove this rule' }).click();
		await label('Bash(npm test *), ').waitFor({ state: 'detached' });
		const file = path.join(bench.home, '.loopwright/settings.json');
		assert.doesNotMatch(readFileSync(file, 'utf8'), /npm test/);
		await label('Add a rule').click();
		await label('Allow, ').click();
		await type('Bash(make *)');
		await bench.page.keyboard.press('Enter');
		await label('Everywhere, ').click();
		const saved = await poll(10_000, async () => readFileSync(file, 'utf8').includes('Bash(make *)') || undefined);
		assert.ok(saved, 'the new rule is in the file of its scope');
	});
});
