// Drives the conversation like a reader: find, outline, focus view, folded reads, code buttons, formulas and diagrams, long
// conversations. Usage: node --import tsx test/support/panelPreview/checkReading.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { Row } from '../../../src/shared/view.ts';
import { startChecks } from './checkKit.mts';
import type { Panel } from './checkKit.mts';
import { longConversation } from './readingScenes.ts';

const { check, end } = await startChecks();

await check('Ctrl+F finds in folded parts: counts, unfolds, marks, goes on and back', 'answer', async (panel) => {
	await panel.tab.keyboard.press('Control+f');
	const box = panel.tab.getByRole('textbox', { name: 'Find in conversation' });
	await box.fill('session');
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'find_requested'));
	assert.deepEqual((await panel.sent('find_requested')).at(-1), { type: 'find_requested', query: 'session' });
	const rows = [
		{ rowId: 'ak', count: 1 },
		{ rowId: 'ag', count: 2 },
	];
	await panel.post({ type: 'found', query: 'session', rows, total: 3 });
	await panel.tab.getByText('3 of 3').waitFor();
	const card = panel.tab.getByRole('group', { name: 'Grep: login', exact: true });
	await card.locator('.tool-line[aria-expanded=true]').waitFor();
	await panel.tab.waitForFunction(() => CSS.highlights.has('found-current'));
	await box.press('Enter');
	await panel.tab.getByText('1 of 3').waitFor();
	await panel.tab.locator('details.thinking[open]').waitFor();
	await box.press('Shift+Enter');
	await panel.tab.getByText('3 of 3').waitFor();
	await panel.tab.getByRole('button', { name: 'Previous match' }).press('Enter');
	await panel.tab.getByText('2 of 3').waitFor();
	await panel.tab.getByRole('button', { name: 'Close', exact: true }).press('Enter');
	assert.equal(await box.count(), 0);
	await panel.tab.keyboard.press('Control+f');
	await box.press('Escape');
	assert.equal(await box.count(), 0);
	assert.equal(await panel.tab.evaluate(() => CSS.highlights.has('found')), false);
	assert.deepEqual(await panel.sent('stop_requested'), []);
});

await check('another conversation is looked through anew', 'answer', async (panel) => {
	await panel.tab.keyboard.press('Control+f');
	await panel.tab.getByRole('textbox', { name: 'Find in conversation' }).fill('session');
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'find_requested'));
	await panel.post({ type: 'found', query: 'session', rows: [{ rowId: 'ak', count: 1 }], total: 1 });
	await panel.tab.getByText('1 of 1').waitFor();
	const state = await panel.tab.evaluate(() => window.preview.state);
	const rows: readonly Row[] = [{ kind: 'text', id: 'other', text: 'A session, and a session.', open: false }];
	await panel.post({ type: 'snapshot', seq: 9, state: { ...state, sessionId: 'other' }, rows, earlier: 0 });
	await panel.frames();
	assert.equal(await panel.tab.getByText('1 of 1').count(), 0, 'the count of the one before is gone');
	assert.equal((await panel.sent('find_requested')).length, 2);
	await panel.post({ type: 'found', query: 'session', rows: [{ rowId: 'other', count: 2 }], total: 2 });
	await panel.tab.getByText('2 of 2').waitFor();
});

await check(
	'a place in a row that is not loaded is asked for, then shown; the end no longer pulls',
	'long',
	async (panel) => {
		await panel.tab.keyboard.press('Control+f');
		await panel.tab.getByRole('textbox', { name: 'Find in conversation' }).fill('older');
		await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'find_requested'));
		await panel.post({ type: 'found', query: 'older', rows: [{ rowId: 'old7', count: 1 }], total: 1 });
		await panel.frames();
		assert.deepEqual(await panel.sent('rows_requested'), [{ type: 'rows_requested', before: 'q0', through: 'old7' }]);
		const rows = Array.from({ length: 300 }, (_, at): Row => {
			return { kind: 'text', id: `old${at + 7}`, text: `Older ${at}`, open: false };
		});
		await panel.post({ type: 'earlier_rows', rows, earlier: 9500 });
		const row = panel.tab.locator('[data-row=old7]');
		await panel.tab.waitForFunction(() => CSS.highlights.has('found-current'));
		await panel.frames();
		const box = await row.boundingBox();
		assert.ok(box && box.y > 0 && box.y < 700, `in view: ${box?.y}`);
		await panel.play([
			{ type: 'row_added', row: { kind: 'text', id: 'new', text: 'more\n\n'.repeat(50), open: true } },
		]);
		await panel.frames();
		const after = await row.boundingBox();
		assert.ok(Math.abs((after?.y ?? 0) - (box?.y ?? 0)) <= 1, 'it stays');
	},
);

await check('the outline lists the prompts and jumps, by keyboard alone', 'long', async (panel) => {
	const button = panel.tab.getByRole('button', { name: 'Outline' });
	await button.focus();
	await panel.tab.keyboard.press('Enter');
	await panel.frames();
	await panel.frames();
	assert.equal((await panel.sent('outline_requested')).length, 1);
	const prompts = [3, 20, 65].map((at) => ({ id: `q${at}`, text: `Question ${at}`, time: 0 }));
	await panel.post({ type: 'outline', prompts });
	await panel.frames();
	for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await panel.tab.keyboard.press(key);
	await panel.frames();
	await panel.frames();
	await panel.frames();
	const box = await panel.tab.locator('[data-row=q3]').boundingBox();
	assert.ok(box && box.y >= 0 && box.y < 120, `at the top: ${box?.y}`);
	assert.equal(await panel.tab.getByRole('navigation', { name: 'Your messages' }).count(), 0);
});

await check('Ctrl+A and copy take the whole conversation from the host, and say so', 'long', async (panel) => {
	const said = (sentence: string) => panel.tab.locator('[aria-live=polite]').filter({ hasText: sentence }).waitFor();
	await panel.log.focus();
	await panel.tab.keyboard.press('Control+a');
	await said('The whole conversation is selected.');
	await panel.tab.keyboard.press('Control+c');
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'conversation_copied'));
	await panel.post({ type: 'copied', outcome: 'whole' });
	await said('The whole conversation was copied.');
	// What was near stays drawn for no selection of everything.
	for (let times = 0; times < 12; times += 1) {
		await panel.log.evaluate((element) => (element.scrollTop -= 1500));
		await panel.frames();
	}
	assert.ok((await panel.tab.locator('.stretch:empty').count()) > 10);
	const composer = panel.tab.getByRole('textbox', { name: 'Message', exact: true });
	await composer.fill('only this');
	await panel.tab.keyboard.press('Control+a');
	await panel.tab.keyboard.press('Control+c');
	await panel.tab.keyboard.press('Delete');
	assert.equal(await composer.inputValue(), '');
	await panel.tab.locator('.markdown p').last().click({ clickCount: 3 });
	await panel.tab.keyboard.press('Control+c');
	assert.equal((await panel.sent('conversation_copied')).length, 1);
});

await check('reads that follow each other are one line, with a card for each inside', 'reads', async (panel) => {
	const line = panel.tab.getByRole('button', { name: /^Read 4 files/ });
	assert.equal(await panel.tab.getByRole('group', { name: /^Read: / }).count(), 1);
	await line.click();
	assert.equal(await panel.tab.getByRole('group', { name: /^Read: / }).count(), 5);
	await panel.tab.getByRole('group', { name: 'Read: src/auth/hash.ts', exact: true }).waitFor();
});

await check('the focus view hides tool activity and thinking, and outlives the page', 'answer', async (panel) => {
	const toggle = panel.tab.getByRole('button', { name: 'Focus view' });
	await toggle.click();
	assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
	const hidden = async () => (await panel.tab.getByRole('group', { name: 'Grep: login', exact: true }).count()) === 0;
	assert.ok(await hidden());
	await panel.tab.getByText('Two things stand out').or(panel.tab.getByText('off by one')).first().waitFor();
	await panel.tab.reload();
	await toggle.waitFor();
	assert.ok(await hidden());
	await toggle.click();
	assert.equal(await hidden(), false);
});

await check('code goes to the cursor, to a file of its own, and to a proposal', 'rich', async (panel) => {
	const block = panel.tab.locator('.code', { has: panel.tab.getByRole('button', { name: 'Apply…' }) }).last();
	for (const name of ['Apply…', 'Insert at cursor', 'Open as file', 'Copy']) {
		await block.getByRole('button', { name, exact: true }).click();
	}
	const [applied] = await panel.sent('code_applied');
	assert.equal(applied?.path, 'src/auth/login.ts');
	assert.match(applied?.text ?? '', /^\/\*\* Locked/);
	assert.equal((await panel.sent('code_inserted'))[0]?.text, applied?.text);
	assert.deepEqual(await panel.sent('code_opened'), [
		{ type: 'code_opened', text: applied?.text ?? '', language: 'ts', path: 'src/auth/login.ts' },
	]);
	assert.equal((await panel.sent('text_copied')).length, 1);
});

await check('code inside of a list has the same buttons', 'answer', async (panel) => {
	const steps = '1. First:\n\n   ```ts src/my.ts\n   const a = "<b>";\n   ```\n2. Then';
	await panel.play([{ type: 'row_added', row: { kind: 'text', id: 'steps', text: steps, open: false } }]);
	const block = panel.tab.locator('li .code');
	for (const name of ['Apply…', 'Insert at cursor', 'Open as file', 'Copy']) {
		await block.getByRole('button', { name, exact: true }).click();
	}
	const text = 'const a = "<b>";';
	assert.deepEqual(await panel.sent('code_applied'), [{ type: 'code_applied', text, path: 'src/my.ts' }]);
	assert.deepEqual(await panel.sent('code_inserted'), [{ type: 'code_inserted', text }]);
	assert.deepEqual(await panel.sent('code_opened'), [{ type: 'code_opened', text, language: 'ts', path: 'src/my.ts' }]);
	assert.deepEqual(await panel.sent('text_copied'), [{ type: 'text_copied', text }]);
	await block.getByText('src/my.ts').click();
	assert.deepEqual(await panel.sent('file_opened'), [{ type: 'file_opened', path: 'src/my.ts' }]);
});

await check(
	'formulas and diagrams are drawn; the source is one click away; the theme is followed',
	'rich',
	async (panel) => {
		await panel.tab.locator('.katex').nth(3).waitFor();
		assert.equal(await panel.tab.locator('.katex').count(), 4);
		const image = panel.tab.locator('.diagram-picture img');
		await image.waitFor();
		const dark = await image.getAttribute('src');
		await panel.tab.evaluate(() => window.preview.theme('light'));
		await panel.tab.waitForFunction(
			(before) => document.querySelector('.diagram-picture img')?.getAttribute('src') !== before,
			dark,
		);
		await panel.tab.getByRole('button', { name: 'Source' }).click();
		await panel.tab.getByText('flowchart LR').waitFor();
	},
);

await check('the answer can be copied whole', 'answer', async (panel) => {
	await panel.tab.getByRole('button', { name: 'Copy answer' }).click();
	assert.match((await panel.sent('text_copied'))[0]?.text ?? '', /\| Check \| Where \| Result \|/);
});

await check('right-to-left text stands on the right, code on the left', 'rtl', async (panel) => {
	const direction = (selector: string) =>
		panel.tab
			.locator(selector)
			.first()
			.evaluate((element) => getComputedStyle(element).direction);
	assert.equal(await direction('.prompt-text'), 'rtl');
	for (const list of ['ol', 'ul']) assert.equal(await direction(`.block:has(> ${list})`), 'rtl', list);
});

await check('thousands of earlier rows come in without moving the reader', 'long', async (panel) => {
	await panel.log.evaluate((log) => (log.scrollTop = 0));
	await panel.frames();
	const first = panel.tab.locator('[data-row=t1]');
	const before = await first.boundingBox();
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'rows_requested'));
	const rows = longConversation(66).map((row) => ({ ...row, id: `before-${row.id}` }));
	await panel.post({ type: 'earlier_rows', rows, earlier: 9600 });
	await panel.frames();
	await panel.frames();
	const after = await first.boundingBox();
	assert.ok(Math.abs((after?.y ?? 0) - (before?.y ?? 0)) < 40, `${before?.y} → ${after?.y}`);
});

/** The reader is far up in a conversation of 9,900 rows, all of them here. */
async function farUp(panel: Panel): Promise<void> {
	const rows = longConversation(3300).map((row) => ({ ...row, id: `far-${row.id}` }));
	await panel.log.evaluate((log) => (log.scrollTop = 0));
	await panel.frames();
	await panel.post({ type: 'earlier_rows', rows, earlier: 0 });
	await panel.log.evaluate((log) => (log.scrollTop = log.scrollHeight / 2));
	await settled(panel);
}

/** Everything near what is seen is drawn. */
async function settled(panel: Panel): Promise<void> {
	let before = '';
	for (let now = '?'; now !== before;) {
		before = now;
		await panel.frames();
		await panel.frames();
		now = await panel.log.evaluate((log) => `${log.scrollTop} ${log.scrollHeight} ${log.querySelectorAll('*').length}`);
	}
}

await check('of 10,000 rows only those near the view are drawn, and scrolling never jumps', 'long', async (panel) => {
	await farUp(panel);
	assert.ok((await panel.tab.locator('[data-row]').count()) < 150, 'few are drawn');
	await panel.log.hover();
	const jumps = await panel.tab.evaluate(async () => {
		const log = document.querySelector('.log');
		const found: string[] = [];
		for (let at = 0; at < 120; at += 1) {
			if (!log) break;
			const view = log.getBoundingClientRect();
			const seen = [...log.querySelectorAll<HTMLElement>('.row')].find(
				(row) => row.getBoundingClientRect().top > view.top + 200,
			);
			const before = seen?.getBoundingClientRect().top ?? Number.NaN;
			const by = at % 40 < 30 ? -90 : 70;
			log.scrollTop += by;
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			const moved = before - (seen?.getBoundingClientRect().top ?? Number.NaN);
			if (!(Math.abs(moved - by) <= 1.5)) found.push(`#${at}: ${by} moved ${moved}`);
			const jump = document.querySelector('.jump');
			const box = jump?.getBoundingClientRect() ?? new DOMRect();
			const over = [box.top + 2, box.bottom - 2].map((y) => document.elementFromPoint(box.x + box.width / 2, y));
			if (!over.every((element) => jump?.contains(element))) found.push(`#${at}: the way to the end is covered`);
		}
		return found;
	});
	assert.deepEqual(jumps, []);
});

await check('what was opened far away is still open after a long way and back', 'long', async (panel) => {
	await farUp(panel);
	const card = panel.tab.getByRole('group', { name: /^Read: / }).nth(4);
	const name = (await card.getAttribute('aria-label')) ?? '';
	await card.getByRole('button').first().click();
	await panel.log.evaluate((log) => (log.scrollTop = 0));
	await settled(panel);
	const line = panel.tab.locator(`[role=group][aria-label="${name}"] > .tool-line`).first();
	assert.equal(await line.getAttribute('aria-expanded'), 'true');
	await panel.tab.getByRole('button', { name: 'Jump to latest' }).click();
	await settled(panel);
	assert.ok((await panel.below()) <= 2, 'at the end');
	assert.ok((await panel.tab.locator('[data-row]').count()) < 200, 'few are drawn');
});

await check('the place outlives the page', 'long', async (panel) => {
	await panel.log.evaluate((log) => (log.scrollTop = log.scrollHeight * 0.4));
	await settled(panel);
	const row = await panel.log.evaluate((log) => {
		const top = log.getBoundingClientRect().top + 100;
		return [...log.querySelectorAll<HTMLElement>('.row')].find((one) => one.getBoundingClientRect().top > top)?.dataset[
			'row'
		];
	});
	const place = async () => (await panel.tab.locator(`[data-row="${row}"]`).boundingBox())?.y ?? Number.NaN;
	const before = await place();
	await panel.tab.reload();
	await panel.tab.getByRole('status').waitFor();
	await settled(panel);
	assert.ok(Math.abs((await place()) - before) <= 2, `${before} → ${await place()}`);
});

await check('find goes to a row that is not drawn', 'long', async (panel) => {
	await farUp(panel);
	await panel.tab.keyboard.press('Control+f');
	await panel.tab.getByRole('textbox', { name: 'Find in conversation' }).fill('part 2900');
	await panel.tab.waitForFunction(() => window.preview.sent.some(({ type }) => type === 'find_requested'));
	await panel.post({ type: 'found', query: 'part 2900', rows: [{ rowId: 'far-q2900', count: 1 }], total: 1 });
	await panel.tab.waitForFunction(() => CSS.highlights.has('found-current'));
	await settled(panel);
	const prompt = panel.tab.locator('[data-row=far-q2900]');
	const box = await prompt.boundingBox();
	assert.ok(box && box.y > 0 && box.y < 700, `in view: ${box?.y}`);
	await panel.play([{ type: 'row_added', row: { kind: 'text', id: 'new', text: 'more\n\n'.repeat(50), open: true } }]);
	await settled(panel);
	const after = await prompt.boundingBox();
	assert.ok(Math.abs((after?.y ?? 0) - box.y) <= 1, `it stays: ${box.y} → ${after?.y}`);
});

await check('one answer of 3,000 calls and a text of 300 KB are drawn in parts as well', 'answer', async (panel) => {
	const calls = Array.from({ length: 3000 }, (_, at): Row => {
		const id = `c${at}`;
		const view = { kind: 'none' } as const;
		return { kind: 'tool', id, toolUseId: id, tool: 'Grep', summary: `word ${at}`, state: 'done', view };
	});
	const long = Array.from({ length: 3000 }, (_, at) => `Paragraph **${at}** of a long answer, with words.`).join(
		'\n\n',
	);
	await panel.play(calls.map((row) => ({ type: 'row_added', row })));
	await panel.play([{ type: 'row_added', row: { kind: 'text', id: 'long', text: long, open: false } }]);
	await settled(panel);
	assert.ok((await panel.below()) <= 2, 'at the end');
	await panel.tab.getByText('Paragraph 2999 of a long answer').waitFor();
	assert.ok((await panel.tab.locator('.log *').count()) < 3000, 'little is drawn');
	await panel.log.evaluate((log) => (log.scrollTop = 0));
	await settled(panel);
	assert.ok((await panel.tab.locator('.log *').count()) < 3000, 'little is drawn at the top');
});

await end();
