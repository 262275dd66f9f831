// Drives the previewed panel like a person and checks what it does and what it tells the host: following, keys with input
// methods, answers to requests, links, drafts, gaps. Usage: node --import tsx test/support/panelPreview/check.mts [PART OF A TITLE]
import assert from 'node:assert/strict';
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import type { Row } from '../../../src/shared/view.ts';
import type { Panel } from './checkKit.mts';
import { startChecks } from './checkKit.mts';

const { check, end } = await startChecks();

const isFocused = (element: Element): boolean => document.activeElement === element;

const grow = async (panel: Panel, count: number): Promise<void> => {
	for (let at = 0; at < count; at += 1) {
		await panel.play([{ type: 'text_appended', rowId: 'aa', text: `\n\nLine ${at} of a growing answer.` }]);
	}
	await panel.frames();
};

await check('follows growth, lets go at one wheel tick, holds on at the bottom only', 'answer', async (panel) => {
	await panel.play([{ type: 'row_updated', row: { kind: 'text', id: 'aa', text: 'Start', open: true } }]);
	await grow(panel, 60);
	assert.ok((await panel.below()) <= 2, 'is at the bottom');
	await panel.log.hover();
	await panel.tab.mouse.wheel(0, -20);
	await panel.frames();
	const top = await panel.log.evaluate((log) => log.scrollTop);
	await grow(panel, 20);
	const still = await panel.log.evaluate((log) => log.scrollTop);
	assert.ok(Math.abs(top - still) <= 1, `stays where it was: ${top} → ${still}`);
	await panel.play([{ type: 'state_changed', state: { status: 'waiting' } }]);
	await panel.frames();
	assert.ok((await panel.below()) > 100, 'a change of status does not pull down');
	await panel.tab.getByRole('button', { name: 'Jump to latest' }).click();
	await grow(panel, 5);
	assert.ok((await panel.below()) <= 2, 'follows again');
	assert.equal(await panel.tab.getByRole('button', { name: 'Jump to latest' }).count(), 0);
});

await check('earlier rows keep the reader’s place', 'answer', async (panel) => {
	await panel.play([{ type: 'text_appended', rowId: 'aa', text: '\n\nmore'.repeat(80) }]);
	await panel.frames();
	await panel.tab.getByRole('button', { name: 'Load earlier' }).dispatchEvent('click');
	const [request] = await panel.sent('rows_requested');
	assert.deepEqual(request, { type: 'rows_requested', before: 'ap' });
	await panel.log.evaluate((log) => (log.scrollTop = 60));
	await panel.frames();
	const prompt = panel.tab.locator('[data-row=ag]');
	const top = async () => (await prompt.boundingBox())?.y ?? Number.NaN;
	const before = await top();
	const rows: readonly Row[] = Array.from({ length: 30 }, (_, at) => ({
		kind: 'text',
		id: `old${at}`,
		text: `Older ${at}`,
		open: false,
	}));
	await panel.post({
		type: 'earlier_rows',
		rows: [{ kind: 'prompt', id: 'old', text: 'Old', time: 0 }, ...rows],
		earlier: 0,
	});
	await panel.frames();
	const after = await top();
	assert.ok(Math.abs(before - after) < 40, `${before} → ${after}`);
	assert.equal(await panel.tab.getByRole('button', { name: 'Load earlier' }).count(), 0);
});

await check('Enter sends once, also with an input method; the draft is cleared', 'empty', async (panel) => {
	const box = panel.tab.getByRole('textbox', { name: 'Message' });
	await box.fill('你好');
	const key = (init: { readonly isComposing?: boolean; readonly keyCode: number }) =>
		box.evaluate(
			(element, given) =>
				element.dispatchEvent(
					new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...given }),
				),
			init,
		);
	await key({ isComposing: true, keyCode: 229 });
	await key({ keyCode: 229 });
	assert.deepEqual(await panel.sent('prompt_submitted'), []);
	await box.press('Shift+Enter');
	await box.press('Enter');
	assert.deepEqual(await panel.sent('prompt_submitted'), [{ type: 'prompt_submitted', text: '你好' }]);
	assert.equal(await box.inputValue(), '');
});

await check('the draft outlives the page; the host can insert into it', 'empty', async (panel) => {
	const box = panel.tab.getByRole('textbox', { name: 'Message' });
	await box.fill('half a');
	await panel.tab.reload();
	assert.equal(await box.inputValue(), 'half a');
	await panel.post({ type: 'composer_focused', insert: 'file.ts' });
	await panel.frames();
	assert.equal(await box.inputValue(), 'half a\nfile.ts');
	assert.ok(await box.evaluate((element) => element === document.activeElement));
	await box.fill('');
	await panel.tab.getByRole('button', { name: /Explain how/ }).click();
	await panel.frames();
	assert.match(await box.inputValue(), /^Explain how/);
});

await check('Esc and Stop stop; a text while working is sent as well', 'tools', async (panel) => {
	const box = panel.tab.getByRole('textbox', { name: 'Message' });
	await box.press('Escape');
	await panel.tab.getByRole('button', { name: 'Stop', exact: true }).click();
	assert.equal((await panel.sent('stop_requested')).length, 2);
	await box.fill('next');
	await panel.tab.getByRole('button', { name: 'Send', exact: true }).click();
	assert.equal((await panel.sent('prompt_submitted')).length, 1);
	await panel.tab.getByRole('button', { name: 'Remove from queue' }).click();
	assert.deepEqual(await panel.sent('prompt_unqueued'), [{ type: 'prompt_unqueued', id: 'w1' }]);
});

await check('menus open, move by arrows, choose, close by Esc without stopping', 'bash', async (panel) => {
	const button = panel.tab.getByRole('button', { name: 'Mode', exact: true });
	await button.focus();
	await panel.tab.keyboard.press('Enter');
	await panel.tab.getByRole('menu', { name: 'Mode' }).waitFor();
	await panel.frames();
	await panel.tab.keyboard.press('Escape');
	assert.equal(await panel.tab.getByRole('menu').count(), 0);
	assert.deepEqual(await panel.sent('stop_requested'), []);
	await panel.tab.keyboard.press('ArrowUp');
	await panel.frames();
	await panel.tab.keyboard.press('ArrowDown');
	await panel.tab.keyboard.press('Enter');
	assert.deepEqual(await panel.sent('mode_selected'), [{ type: 'mode_selected', mode: 'acceptEdits' }]);
	await panel.tab.getByRole('button', { name: 'Model', exact: true }).click();
	await panel.tab.getByRole('menuitemradio', { name: 'Claude Opus 5' }).click();
	assert.deepEqual(await panel.sent('model_selected'), [{ type: 'model_selected', model: 'claude-opus-5' }]);
});

await check('a request is answered once; Enter in the reason denies; the focus is not taken', 'bash', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Permission: Bash', exact: true });
	assert.equal(await card.evaluate((element) => element.contains(document.activeElement)), false);
	const reason = card.getByRole('textbox', { name: 'Reason (optional)' });
	await reason.fill('use pnpm');
	await reason.evaluate((element) =>
		element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })),
	);
	assert.deepEqual(await panel.sent('permission_answered'), []);
	await reason.press('Enter');
	const denied = { type: 'permission_answered', requestId: 'q1', answer: { behavior: 'deny', reason: 'use pnpm' } };
	assert.deepEqual(await panel.sent('permission_answered'), [denied]);
	assert.equal(await card.getByRole('button', { name: 'Allow once' }).isDisabled(), true);
});

await check('"Always allow…" saves the rule as it was changed', 'bash', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Permission: Bash', exact: true });
	await card.getByRole('button', { name: 'Always allow…' }).click();
	await card.getByRole('radiogroup', { name: 'Scope' }).getByRole('radio', { name: 'This session' }).isChecked();
	const rule = card.getByRole('textbox', { name: 'Rule' });
	await rule.fill('Bash(npm test)');
	await rule.press('Enter');
	// What was asked first may be answered last: it takes longer to read a command than to see that something is none.
	const late = { type: 'rule_checked', requestId: 'q1', rule: 'Bash(npm', check: { kind: 'not_covering' } } as const;
	await panel.frames();
	await panel.post(late);
	await panel.frames();
	assert.deepEqual(await panel.sent('permission_answered'), []);
	await card.getByRole('button', { name: 'Save rule and allow' }).click();
	const answer = { behavior: 'allow', rule: { text: 'Bash(npm test)', scope: 'session' } };
	assert.deepEqual(await panel.sent('permission_answered'), [{ type: 'permission_answered', requestId: 'q1', answer }]);
});

await check('a command is changed before it runs; Esc gives the old one back', 'always', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Permission: Bash', exact: true });
	const box = card.getByRole('textbox', { name: 'Command' });
	await card.getByRole('button', { name: 'Edit', exact: true }).click();
	await box.fill('npm run lint');
	await box.press('Escape');
	await box.waitFor({ state: 'detached' });
	await panel.frames();
	assert.equal(await card.getByRole('button', { name: 'Edit', exact: true }).evaluate(isFocused), true);
	await panel.tab.keyboard.press('Enter');
	await box.fill(' ');
	await panel.frames();
	assert.equal(await card.getByRole('button', { name: 'Allow once' }).isDisabled(), true);
	await box.fill('npm run lint');
	await panel.tab.reload();
	await box.press('Control+Enter');
	const answer = { behavior: 'allow', input: { command: 'npm run lint' } };
	assert.deepEqual(await panel.sent('permission_answered'), [{ type: 'permission_answered', requestId: 'q1', answer }]);
});

await check('what is dangerous is allowed by its button only', 'critical', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Permission: Bash', exact: true });
	await panel.post({ type: 'request_focused' });
	await panel.frames();
	assert.equal(await card.evaluate(isFocused), true);
	for (const key of ['Enter', 'Space', 'Control+Enter']) await panel.tab.keyboard.press(key);
	assert.deepEqual(await panel.sent('permission_answered'), []);
	assert.equal(await card.getByRole('button', { name: 'Deny' }).getAttribute('class'), 'primary');
	assert.equal(await card.getByRole('button', { name: 'Always allow…' }).count(), 0);
});

await check('the focus goes from card to card, and nothing is answered by a second click', 'bash', async (panel) => {
	const state = await panel.tab.evaluate(() => window.preview.requests);
	const allow = panel.tab.getByRole('button', { name: 'Allow once' });
	await panel.post({ type: 'request_focused' });
	await panel.frames();
	await panel.tab.keyboard.press('Control+Enter');
	await panel.play([{ type: 'state_changed', state: { requests: state.slice(1) } }]);
	assert.equal(await allow.isDisabled(), true, 'a card that takes the place of another one takes no answer at first');
	const next = panel.tab.getByRole('group', { name: 'Permission: Edit', exact: true });
	assert.equal(await next.evaluate(isFocused), true);
	await allow.click();
	assert.equal((await panel.sent('permission_answered')).length, 2);
	await panel.play([{ type: 'state_changed', state: { requests: [], status: 'working' } }]);
	assert.equal(await panel.tab.getByRole('textbox', { name: 'Message' }).evaluate(isFocused), true);
	await panel.frames();
	assert.deepEqual(
		(await panel.sent('focus_moved')).map(({ focus }) => focus),
		['request', 'elsewhere'],
	);
});

await check('a request is announced once, with what is dangerous about it', 'critical', async (panel) => {
	const spoken = panel.tab.locator('.panel > [aria-live=polite].hidden');
	assert.match((await spoken.textContent()) ?? '', /^Permission needed: Run cd \/ && rm .* Danger: /);
	await panel.tab.evaluate(() => {
		new MutationObserver(() => document.body.setAttribute('data-spoken', 'again')).observe(
			document.querySelector('.panel > [aria-live=polite].hidden') ?? document.body,
			{ subtree: true, childList: true, characterData: true },
		);
	});
	const requests = await panel.tab.evaluate(() => window.preview.requests);
	await panel.play([{ type: 'state_changed', state: { requests: structuredClone(requests) } }]);
	await panel.frames();
	assert.equal(await panel.tab.locator('body').getAttribute('data-spoken'), null);
});

await check(
	'each request is announced as it comes, or when its turn comes; equal words are said again',
	'bash',
	async (panel) => {
		const spoken = async () => {
			await panel.frames();
			return (await panel.tab.locator('.panel > [aria-live=polite].hidden').textContent()) ?? '';
		};
		const [first, second, third] = await panel.tab.evaluate(() => window.preview.requests);
		assert.ok(first && second && third);
		assert.match(await spoken(), /^Permission needed: Run npm test .* 2 more wait$/);
		const tell = (requests: readonly PermissionRequest[]) =>
			panel.play([{ type: 'state_changed', state: { requests: structuredClone(requests) } }]);
		await tell([second, third]);
		assert.match(await spoken(), /^Permission needed: Change login\.ts/, 'its turn has come');
		await tell([second, third, { ...second, id: 'again' }]);
		assert.match(await spoken(), /^Permission needed: Change login\.ts/, 'a late one is told at once');
		await panel.tab.evaluate(() =>
			document.querySelector('[aria-live=polite].hidden')?.firstElementChild?.setAttribute('data-old', ''),
		);
		await tell([second, third, { ...second, id: 'again' }, { ...second, id: 'and again' }]);
		assert.match(await spoken(), /^Permission needed: Change login\.ts/);
		assert.equal(
			await panel.tab.locator('[aria-live=polite].hidden [data-old]').count(),
			0,
			'equal words are said again',
		);
		await tell([third, { ...second, id: 'again' }]);
		assert.match(await spoken(), /create_issue/, 'the one that came among others');
	},
);

await check('why it asks: the rule, its place, and the part that decided', 'generic', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Permission: mcp__github__create_issue', exact: true });
	await card.getByRole('button', { name: 'Why am I asked?' }).click();
	await card.getByRole('button', { name: /settings\.json:4$/ }).click();
	const opened = { type: 'file_opened', path: '/home/me/sample/.loopwright/settings.json', line: 4 };
	assert.deepEqual(await panel.sent('file_opened'), [opened]);
	await panel.tab.keyboard.press('Escape');
	assert.equal(await card.getByRole('button', { name: /settings\.json/ }).count(), 0);
	assert.deepEqual(await panel.sent('stop_requested'), []);
});

await check('links, files and copies go to the host', 'answer', async (panel) => {
	await panel.tab.getByRole('link', { name: 'OWASP' }).click();
	await panel.tab.getByRole('link', { name: 'src/auth/login.ts:7' }).first().click();
	await panel.tab.getByRole('button', { name: 'Copy', exact: true }).click();
	assert.match((await panel.sent('link_opened'))[0]?.url ?? '', /^https:\/\/owasp/);
	assert.deepEqual(await panel.sent('file_opened'), [{ type: 'file_opened', path: 'src/auth/login.ts', line: 7 }]);
	assert.match((await panel.sent('text_copied'))[0]?.text ?? '', /^\/\*\* Locked/);
	assert.equal(new URL(panel.tab.url()).hash, '');
});

await check('a card opens on demand; a match opens the file at its line', 'answer', async (panel) => {
	const card = panel.tab.getByRole('group', { name: 'Grep: login', exact: true });
	assert.equal(await card.getAttribute('data-state'), 'done');
	await card.getByRole('button').first().click();
	await card.getByRole('button', { name: /const session/ }).click();
	assert.deepEqual(await panel.sent('file_opened'), [{ type: 'file_opened', path: 'src/routes/session.ts', line: 31 }]);
});

await check('a gap in the events asks for a snapshot, once', 'answer', async (panel) => {
	await panel.post({ type: 'events', seq: 9, events: [] });
	assert.equal((await panel.sent('ready')).length, 2);
	await panel.play([{ type: 'text_appended', rowId: 'nobody', text: 'x' }]);
	assert.equal((await panel.sent('ready')).length, 2);
});

await check('a growing row redraws nothing else', 'answer', async (panel) => {
	await panel.log.evaluate((log) => {
		new MutationObserver((records) => {
			for (const { target } of records) {
				const element = target instanceof Element ? target : target.parentElement;
				const row = element?.closest<HTMLElement>('[data-row]')?.dataset['row'];
				log.setAttribute('data-changed', `${log.getAttribute('data-changed') ?? ''} ${row ?? 'other'}`);
			}
		}).observe(log, { subtree: true, childList: true, characterData: true });
	});
	await panel.play([{ type: 'text_appended', rowId: 'aa', text: '\n\nmore' }]);
	await panel.frames();
	const changed = (await panel.log.getAttribute('data-changed')) ?? '';
	assert.deepEqual([...new Set(changed.trim().split(' '))], ['aa']);
});

await check('a row that cannot be drawn takes nothing else with it', 'answer', async (panel) => {
	await panel.play([{ type: 'row_added', row: { kind: 'tool', id: 'bad', tool: 'Read' } as Row }]);
	await panel.tab.getByText('This part could not be drawn').waitFor();
	assert.equal(await panel.tab.getByRole('article', { name: 'Loopwright' }).count(), 1);
});

await check('a panel that cannot be drawn says so; Reload draws it from the host’s state', 'answer', async (panel) => {
	await panel.play([{ type: 'state_changed', state: { todos: null as never } }]);
	await panel.tab.getByRole('alert').waitFor();
	await panel.tab.getByRole('button', { name: 'Reload' }).click();
	await panel.tab.getByRole('article', { name: 'You' }).waitFor();
});

await end();
