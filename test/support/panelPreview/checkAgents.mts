// Drives the cards of subagents while they work: what comes anew a few times a second moves nothing that the person has in hand.
// Usage: node --import tsx test/support/panelPreview/checkAgents.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { Row } from '../../../src/shared/view.ts';
import { startChecks } from './checkKit.mts';
import type { Panel } from './checkKit.mts';

const { check, end } = await startChecks();

const step = (at: number): Row => ({
	kind: 'tool',
	id: `s${at}`,
	toolUseId: `s${at}`,
	tool: 'Bash',
	summary: `make part${at}`,
	state: 'done',
	view: {
		kind: 'command',
		command: `make part${at}`,
		output: `line of ${at}\n`.repeat(12),
		omitted: 0,
		exitCode: 0,
		outcome: 'exited',
		durationMs: 5,
	},
});

/** The second subagent of the scene tells its log anew: the steps from one to another. */
async function tell(panel: Panel, from: number, to: number): Promise<void> {
	const log = Array.from({ length: to - from }, (_, at) => step(from + at));
	await panel.play([
		{
			type: 'row_updated',
			row: {
				kind: 'tool',
				id: 'a2',
				toolUseId: 'a2',
				tool: 'Agent',
				summary: 'Check: the tests of sessions',
				state: 'running',
				view: { kind: 'agent', log, omitted: from, answer: '', toolUses: to, tokens: 0, agentId: 'agent-2' },
			},
		},
	]);
	await panel.frames();
}

const card = (panel: Panel, id: string) => panel.tab.locator(`[data-row="${id}"]`);

await check('its log follows only while the person is at its end', 'agents', async (panel) => {
	await card(panel, 'a2').getByRole('button').first().click();
	await tell(panel, 0, 30);
	const log = card(panel, 'a2').locator('.agent-log');
	const below = () => log.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop);
	assert.ok((await below()) <= 2, 'it begins at the end');
	await tell(panel, 0, 34);
	assert.ok((await below()) <= 2, 'and follows it');
	// In view, and with most of it above what is seen.
	for (const [index, top] of [0, 10_000].entries()) {
		await panel.log.evaluate((scroller, to) => scroller.scrollTo(0, to), top);
		await log.evaluate((box) => box.scrollBy(0, -100));
		await panel.frames();
		const from = index * 4;
		const read = log.getByText(`make part${from + 27}`).first();
		const before = await read.boundingBox();
		await tell(panel, from, from + 38);
		// The oldest ones go: what is read stays in its place.
		await tell(panel, from + 4, from + 40);
		const after = await read.boundingBox();
		assert.ok(before && after && Math.abs(before.y - after.y) <= 1, `it moved from ${before?.y} to ${after?.y}`);
		await log.evaluate((box) => box.scrollTo(0, box.scrollHeight));
	}
	await panel.frames();
	await tell(panel, 8, 46);
	assert.ok((await below()) <= 2, 'at the end again it follows again');
});

await check(
	'what was opened in it stays open, in its place, with the focus; what is gone hands that on',
	'agents',
	async (panel) => {
		await card(panel, 'a2').getByRole('button').first().click();
		await tell(panel, 0, 12);
		const log = card(panel, 'a2').locator('.agent-log');
		const inner = log.getByRole('group', { name: 'Bash: make part3', exact: true });
		const line = inner.getByRole('button').first();
		await log.evaluate((box) => box.scrollTo(0, 0));
		await line.focus();
		await panel.tab.keyboard.press('Enter');
		await inner.getByText('line of 3').first().waitFor();
		const before = await line.boundingBox();
		const element = await line.elementHandle();
		for (let to = 13; to <= 20; to += 1) await tell(panel, 0, to);
		assert.equal(await line.getAttribute('aria-expanded'), 'true');
		const after = await line.boundingBox();
		assert.ok(before && after && Math.abs(before.y - after.y) <= 1, 'in its place');
		assert.ok(
			await line.evaluate((now, was) => now === was && document.activeElement === now, element),
			'the same one',
		);
		await tell(panel, 4, 24);
		assert.ok(await log.evaluate((box) => document.activeElement === box), 'the log has the focus');
	},
);

await check('what did not change is not drawn again', 'agents', async (panel) => {
	await card(panel, 'a2').getByRole('button').first().click();
	await tell(panel, 0, 10);
	await card(panel, 'a2')
		.locator('.agent-log')
		.evaluate((box) => {
			const changes: string[] = [];
			Object.assign(window, { changes });
			new MutationObserver((all) => changes.push(...all.map(({ type }) => type))).observe(box, {
				subtree: true,
				childList: true,
				attributes: true,
				characterData: true,
			});
		});
	for (let times = 0; times < 5; times += 1) await tell(panel, 0, 10);
	assert.deepEqual(await panel.tab.evaluate(() => (window as unknown as { changes: string[] }).changes), []);
});

await check(
	'folded, it says its newest step, and that one of its calls waits; the card of that says for whom',
	'agents',
	async (panel) => {
		await card(panel, 'a2').getByText('Running npm test -- session').waitFor();
		await card(panel, 'a3').locator('.tool-result').getByText('waits for you').waitFor();
		await card(panel, 'a3')
			.locator('.tool-step')
			.getByText('Run npm test -- session --coverage · waits for you')
			.waitFor();
		await panel.tab
			.getByRole('group', { name: 'Permission: Bash' })
			.getByText('for the subagent general-purpose')
			.waitFor();
		await panel.tab
			.getByText('Permission needed for the subagent general-purpose: Run npm test -- session --coverage')
			.waitFor({ state: 'attached' });
		await card(panel, 'a3').getByRole('button').first().click();
		await card(panel, 'a3').locator('.row [data-state="waiting"]').getByText('waits for you').waitFor();
		await card(panel, 'a3').locator('.row .changes').getByText('+1').waitFor();
	},
);

await check('a failed one says why, and what it had said, once', 'agents', async (panel) => {
	const failed = card(panel, 'a5');
	await failed.getByRole('button').first().click();
	assert.match(await failed.locator('.tool-message.whole').innerText(), /Overloaded\).*What it had said last:$/s);
	assert.equal(await failed.locator('.agent-answer').getByText('I begin with the folder').count(), 1);
	const stopped = card(panel, 'a4');
	await stopped.getByRole('button').first().click();
	await stopped.getByText('So far').waitFor();
});

await check('all its steps are a key away', 'agents', async (panel) => {
	await card(panel, 'a1').getByRole('button').first().click();
	const all = card(panel, 'a1').getByRole('button', { name: 'Show all steps', exact: true });
	await all.focus();
	await panel.tab.keyboard.press('Enter');
	assert.deepEqual(await panel.sent('agent_shown'), [{ type: 'agent_shown', toolUseId: 'a1' }]);
});

await check('the focus view hides them; what is found in one unfolds there', 'agents', async (panel) => {
	await panel.tab.getByRole('button', { name: 'Focus view' }).click();
	assert.equal(await card(panel, 'a1').isVisible(), false);
	await panel.tab.keyboard.press('Control+f');
	await panel.tab.getByRole('textbox', { name: 'Find in conversation' }).fill('await start(user)');
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'find_requested'));
	await panel.post({ type: 'found', query: 'await start(user)', rows: [{ rowId: 'a1', count: 1 }], total: 1 });
	await panel.tab.getByText('1 of 1').waitFor();
	await panel.tab.waitForFunction(() => CSS.highlights.has('found-current'));
	const found = card(panel, 'a1').locator('.agent-log').getByText('await start(user)');
	assert.ok(await found.isVisible());
	const folded = card(panel, 'a1')
		.locator('.agent-log')
		.getByRole('group', { name: /^Read: / });
	assert.equal(await folded.getByRole('button').first().getAttribute('aria-expanded'), 'false');
});

await end();
