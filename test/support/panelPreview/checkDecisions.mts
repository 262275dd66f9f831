// Plans and questions: what answers and what does not, with keys, input methods and drafts.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Panel } from './checkKit.mts';
import { startChecks } from './checkKit.mts';

const { check, end } = await startChecks();

const answers = async (panel: Panel) => (await panel.sent('permission_answered')).map(({ answer }) => answer);
const button = (card: Locator, name: string) => card.getByRole('button', { name, exact: true });
/** An Enter that picks a candidate of an input method. */
const imeEnter = (box: Locator) =>
	box.evaluate((element) => {
		const event = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
		element.dispatchEvent(event);
	});

await check(
	'a plan: no key approves; Enter sends comments back, unless an input method has it',
	'plan',
	async (panel) => {
		const card = panel.tab.getByRole('group', { name: 'Plan', exact: true });
		const comments = card.getByRole('textbox', { name: 'Comments', exact: true });
		await comments.focus();
		for (const key of ['Enter', 'Control+Enter', 'Escape']) await panel.tab.keyboard.press(key);
		await comments.fill('Smaller');
		await panel.tab.keyboard.press('Control+Enter');
		await panel.tab.keyboard.press('Shift+Enter');
		await panel.tab.keyboard.type('steps');
		await imeEnter(comments);
		assert.deepEqual(await answers(panel), []);
		assert.deepEqual(await panel.sent('stop_requested'), []);
		await panel.tab.keyboard.press('Enter');
		assert.deepEqual(await answers(panel), [{ behavior: 'deny', reason: 'Smaller\nsteps' }]);
	},
);

await check('a plan: each button says what it does, once, and comments go along', 'plan', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Plan', exact: true });
	await button(card, 'Open as document').click();
	assert.equal((await panel.sent('plan_opened')).length, 1);
	await card.getByRole('textbox', { name: 'Comments', exact: true }).fill('Quickly');
	await button(card, 'Approve and accept edits').dblclick();
	const given = { behavior: 'allow', input: { comments: 'Quickly' }, mode: 'acceptEdits' };
	assert.deepEqual(await answers(panel), [given]);
});

await check('a plan: the comments outlive a reload of the page', 'plan', async (panel) => {
	const comments = panel.tab.getByRole('textbox', { name: 'Comments', exact: true });
	await comments.fill('Smaller');
	await panel.tab.reload();
	assert.equal(await comments.inputValue(), 'Smaller');
});

await check(
	'questions: nothing is chosen beforehand, Enter answers nothing, each needs an answer',
	'questions',
	async (panel) => {
		const card = panel.tab.getByRole('group', { name: 'Question', exact: true });
		assert.equal(await card.locator('input:checked').count(), 0);
		assert.ok(await button(card, 'Answer').isDisabled());
		await card.getByRole('radio', { name: 'In memory', exact: true }).check();
		await panel.tab.keyboard.press('Enter');
		await panel.tab.keyboard.press('Control+Enter');
		assert.ok(await button(card, 'Answer').isDisabled(), 'the second one is open');
		const other = card.getByRole('textbox', { name: 'Other', exact: true }).last();
		await other.fill('Nobody');
		await panel.tab.keyboard.press('Enter');
		assert.deepEqual(await answers(panel), []);
		await panel.tab.reload();
		await button(card, 'Answer').click();
		const given = {
			'Where should the number of failures be kept?': 'In memory',
			'Which of these should be told about a locked account?': 'Nobody',
		};
		assert.deepEqual(await answers(panel), [{ behavior: 'allow', input: { answers: given } }]);
	},
);

await check('questions: skipped with a reason', 'questions', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Question', exact: true });
	await card.getByRole('textbox', { name: 'Reason (optional)', exact: true }).fill('you choose');
	await button(card, 'Skip').click();
	assert.deepEqual(await answers(panel), [{ behavior: 'deny', reason: 'you choose' }]);
});

await end();
