// Plans and questions on the real workbench: a plan is read, changed as a document, approved or sent back; questions are
// answered by keyboard alone; what waits outlives a reload.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { messagesOf, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const file = 'src/util/hash.ts';
const plan = '# Use a better hash\n\n1. Change `src/util/hash.ts`\n2. Run the tests\n';
const read = toolUse('Read', { file_path: file });
const exit = toolUse('ExitPlanMode', { plan });
const edit = toolUse('Edit', { file_path: file, old_string: "'sha1'", new_string: "'sha256'" });

storiesInOneWindow('plans and questions', (stories) => {
	const requestOf = (index: number) => stories.mock.requests[index] ?? assert.fail(`no request ${index}`);
	const resultOf = (index: number) => toolResults(requestOf(index))[0] ?? assert.fail(`no result in request ${index}`);

	async function planMode(bench: Workbench): Promise<void> {
		await (await bench.button('Mode')).click();
		await (await bench.panel()).getByRole('menuitemradio', { name: /^Plan/ }).click();
		await (await bench.panel()).getByRole('button', { name: 'Mode', exact: true }).waitFor();
	}
	async function planCard(bench: Workbench): Promise<Locator> {
		const card = (await bench.panel()).getByRole('group', { name: 'Plan', exact: true });
		await card.waitFor({ timeout: 30_000 }).catch(async () => assert.fail(`No plan card.\n${await bench.describe()}`));
		return card;
	}
	const press = (card: Locator, name: string) => card.getByRole('button', { name, exact: true }).click();
	/** Opens the document and writes to the end of a line of it. */
	async function editDocument(bench: Workbench, card: Locator, text: string, line: number): Promise<void> {
		await press(card, 'Open as document');
		await bench.page.locator('.tab[data-resource-name="plan.md"]').waitFor();
		await bench.typeInEditor(text, line);
		await card.getByText(text.trim()).first().waitFor();
	}

	test('planned in plan mode, changed as a document, approved with accepted edits: the edit applies, the changed plan counts', async () => {
		stories.mock.setScript([turn(read), turn(edit), turn(exit), turn(edit), turn('Done.')]);
		const bench = await stories.open();
		const onDisk = () => readFileSync(path.join(bench.folder, file), 'utf8');
		await planMode(bench);
		await bench.submit('Use a better hash');
		const card = await planCard(bench);
		assert.equal(await bench.status(), 'Waiting for you');
		assert.match(resultOf(2).text, /plan mode/, 'the edit before the plan was denied');
		assert.match(JSON.stringify(messagesOf(requestOf(0))), /Plan mode is on/);
		await bench.screenshot('plan-card');
		const composer = await bench.composer();
		await composer.focus();
		await press(card, 'Open as document');
		await bench.page.locator('.tab[data-resource-name="plan.md"]').waitFor();
		const focused = await (await bench.panel()).evaluate(() => document.hasFocus());
		assert.ok(focused, 'the panel keeps the focus');
		await editDocument(bench, card, ' and the linter', 4);
		await bench.screenshot('plan-document');
		await press(card, 'Approve and accept edits');
		await card.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		assert.match(resultOf(3).text, /Run the tests and the linter[\s\S]*approved the plan/);
		assert.match(onDisk(), /'sha256'/);
		assert.match((await (await bench.panel()).locator('.menu-value').first().textContent()) ?? '', /Accept edits/);
		assert.deepEqual(stories.mock.violations, []);
		await bench.screenshot('plan-carried-out');
	});

	test('sent back: comments and what was changed reach the agent, and the next plan takes the document over', async () => {
		const second = toolUse('ExitPlanMode', { plan: '# A smaller plan\n\n1. Nothing yet\n' });
		stories.mock.setScript([turn(exit), turn(second), turn('Fine.')]);
		const bench = await stories.open();
		await planMode(bench);
		await bench.submit('Use a better hash');
		const card = await planCard(bench);
		await editDocument(bench, card, ' only', 3);
		await bench.runCommand('Comments: Add Comment on Current Selection');
		const thread = bench.page.locator('.review-widget');
		// The field is there before it has the focus, and what is typed then goes into the plan.
		await thread.locator('.monaco-editor.focused').first().waitFor();
		await bench.page.keyboard.type('why this file?');
		await bench.page.keyboard.press('ControlOrMeta+Enter');
		await thread.locator('.comment-body').getByText('why this file?').waitFor();
		await bench.screenshot('plan-comments');
		await bench.write(card.getByRole('textbox', { name: 'Comments', exact: true }), 'Smaller steps, please');
		await bench.page.keyboard.press('Enter');
		await card.getByText('A smaller plan').waitFor();
		const told = resultOf(1).text;
		assert.match(told, /Smaller steps, please/);
		assert.match(told, /-1\. Change `src\/util\/hash\.ts`\n\+1\. Change `src\/util\/hash\.ts` only/);
		assert.match(told, /> 1\. Change `src\/util\/hash\.ts` only \(line 3\)\nwhy this file\?/);
		assert.match(told, /Plan mode stays on/);
		await thread.waitFor({ state: 'detached' });
		const lines = await poll(10_000, async () => {
			const shown = await bench.editorLines();
			return shown[0]?.includes('A smaller plan') ? shown : undefined;
		});
		assert.ok(lines, 'the document that is still open shows the new plan');
		await press(card, 'Approve');
		await card.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		assert.doesNotMatch(resultOf(2).text, /changed this call/);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('questions are answered by keyboard alone', async () => {
		const question = (name: string, multiSelect: boolean) => ({
			question: `Which ${name}?`,
			header: name,
			multiSelect,
			options: ['First', 'Second'].map((word) => ({ label: `${word} ${name}`, description: 'One of two' })),
		});
		const questions = [question('store', false), question('parts', true)];
		stories.mock.setScript([turn(toolUse('AskUserQuestion', { questions })), turn('Good.')]);
		const bench = await stories.open();
		await bench.submit('Ask me');
		const panel = await bench.panel();
		const card = panel.getByRole('group', { name: 'Question', exact: true });
		await card.waitFor();
		assert.equal(await bench.status(), 'Waiting for you');
		await bench.screenshot('question-card');
		const key = (name: string) => bench.page.keyboard.press(name);
		/** What has the focus: its type, and its name. */
		const focused = () =>
			panel.evaluate(() => {
				const at = document.activeElement;
				if (!(at instanceof HTMLInputElement)) return at?.textContent ?? '';
				return `${at.type}: ${at.labels?.[0]?.textContent ?? at.getAttribute('aria-label')}`;
			});
		const tabTo = async (wanted: string, by = 'Tab') => {
			for (let presses = 0; presses < 40; presses++) {
				if ((await focused()) === wanted) return;
				await key(by);
			}
			assert.fail(`${by} does not lead to "${wanted}"`);
		};
		await (await bench.composer()).focus();
		// The last one of the radio group; from there down to the first, and on.
		await tabTo('radio: Something else', 'Shift+Tab');
		await key('ArrowDown');
		await key('ArrowDown');
		assert.ok(await card.getByRole('radio', { name: 'Second store', exact: true }).isChecked());
		await key('Enter');
		assert.ok(await card.isVisible(), 'Enter answers nothing');
		await tabTo('checkbox: First parts');
		await key('Space');
		await tabTo('text: Other');
		await bench.page.keyboard.type('and a third');
		await key('ControlOrMeta+Enter');
		await card.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		assert.match(resultOf(1).text, /Which store\?\n→ Second store\nWhich parts\?\n→ First parts, and a third/);
		assert.deepEqual(stories.mock.violations, []);
		await bench.screenshot('question-answered');
	});

	test('a plan that waits, and what was written into its unsaved document and its comments, outlives a reload', async () => {
		stories.mock.setScript([turn(exit), turn('Done.')]);
		const bench = await stories.open({ settings: { 'files.autoSave': 'off' } });
		await planMode(bench);
		await bench.submit('Use a better hash');
		const card = await planCard(bench);
		await editDocument(bench, card, ' carefully', 3);
		await bench.page.locator('.tab.active.dirty[data-resource-name="plan.md"]').waitFor();
		await bench.write(card.getByRole('textbox', { name: 'Comments', exact: true }), 'soon');
		// VS Code backs up an unsaved document a second after the last key, and a page has no other sign of it.
		await bench.page.waitForTimeout(2_500);
		await bench.reloadWindow();
		const again = await planCard(bench);
		await again.getByText('carefully').first().waitFor();
		assert.equal(await again.getByRole('textbox', { name: 'Comments', exact: true }).inputValue(), 'soon');
		assert.equal(stories.mock.requests.length, 1, 'nothing is sent before the answer');
		await press(again, 'Approve');
		await again.waitFor({ state: 'detached' });
		await bench.waitForEnd();
		assert.match(resultOf(1).text, /hash\.ts` carefully[\s\S]*approved the plan[\s\S]*soon/);
		assert.deepEqual(stories.mock.violations, []);
	});
});
