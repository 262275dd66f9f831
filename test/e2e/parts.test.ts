// The parts of the panel, one after the other in one workbench, for the eye: what an answer is made of, each kind of card folded and
// open, what one reads with, what one writes with, what asks, and what lies beside. Each is looked at once, in turn in one theme;
// with LOOPWRIGHT_THEMES=all in all of them, and both groups in both languages. What they do is tested elsewhere.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { answer, gate, messagesOf, text, thinking, toolUse, turn } from '../support/mockServer.ts';
import { partWords, rightToLeft, testScript, type PartWords } from '../support/partWords.ts';
import { allLooks, looksOf, type Looks } from './harness/looks.ts';
import { stories, type Stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll, type Locale } from './harness/workbenchPage.ts';

const login = 'src/auth/login.ts';
const hash = 'src/util/hash.ts';

interface Walk {
	readonly stories: Stories;
	readonly bench: Workbench;
	readonly looks: Looks;
	readonly said: PartWords;
	readonly panel: Frame;
}

stories('parts of the panel', (stories) => {
	for (const [locale, width] of [
		['en', 300],
		['zh-cn', 600],
	] as const) {
		if (locale === 'en' || allLooks)
			test(`what one reads, ${locale}`, async function () {
				if (allLooks) this.timeout(900_000);
				const settings = { 'loopwright.permissionMode': 'acceptEdits', 'loopwright.permissions.allow': ['Bash'] };
				const walk = await begin(stories, locale, settings, width);
				await working(walk);
				await cards(walk);
				await answers(walk);
				await finding(walk);
				await otherMessages(walk);
				assert.deepEqual(stories.mock.violations, []);
			});
		if (locale === 'zh-cn' || allLooks)
			test(`what one writes and decides, ${locale}`, async function () {
				if (allLooks) this.timeout(900_000);
				const walk = await begin(stories, locale, {}, width);
				await composing(walk);
				await attaching(walk);
				await queueing(walk);
				await deciding(walk);
				await planning(walk);
				await beside(walk);
				assert.deepEqual(stories.mock.violations, []);
			});
	}
});

async function begin(stories: Stories, locale: Locale, settings: object, width: number): Promise<Walk> {
	const bench = await stories.open({ locale, settings: { ...settings, 'window.title': 'Parts' } });
	const looks = looksOf(bench, 'part', width);
	return { stories, bench, looks, said: partWords[locale], panel: await bench.panel() };
}

async function working({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	const [thought, streamed] = [gate(), gate()];
	writeFileSync(path.join(bench.folder, 'check.mjs'), testScript);
	const todos = said.todos.map(([content, activeForm], at) => ({
		content,
		activeForm,
		status: ['completed', 'in_progress', 'pending'][at],
	}));
	const edit = { file_path: login, old_string: 'const [salt', new_string: 'const [salt' };
	stories.mock.setScript([
		turn(
			thinking([said.thought[0], thought, said.thought[1]]),
			text(said.begins),
			toolUse('Grep', { pattern: 'failedLogins', output_mode: 'content', '-n': true }),
			...[login, 'src/auth/session.ts', hash].map((file_path) => toolUse('Read', { file_path })),
			toolUse('Glob', { pattern: '**/*.test.ts' }),
			toolUse('TodoWrite', { todos }),
		),
		turn(
			toolUse('Edit', { ...edit, file_path: hash, old_string: "'sha1'", new_string: "'sha256'" }),
			toolUse('Write', { file_path: 'src/auth/limits.ts', content: 'export const maxFailures = 5;\n' }),
			toolUse('Edit', edit),
			toolUse('Bash', { command: 'node check.mjs login', description: said.command }),
		),
		turn(text(said.answer[0], streamed, said.answer[1])),
	]);
	await bench.submit(said.prompts.check);
	await thought.reached;
	await panel.locator('details.thinking').waitFor();
	await looks.lookAt('thinking', { show: () => unfold(panel, 'details.thinking') });
	thought.open();
	await bench.waitForCard(/^Bash: /, 'running');
	await panel.getByText('accepts the right password').waitFor();
	await looks.lookAt('command-running', { show: () => toEnd(panel) });
	await bench.page.emulateMedia({ reducedMotion: 'reduce' });
	await panel.waitForFunction(() => document.getAnimations().length === 0);
	await bench.page.emulateMedia({ reducedMotion: 'no-preference' });
	await panel.waitForFunction(() => document.getAnimations().length > 0);
	writeFileSync(path.join(bench.folder, '.go'), '');
	await streamed.reached;
	await looks.lookAt('streaming', { show: () => toEnd(panel) });
	streamed.open();
	await bench.waitForEnd();
	await panel.locator('.diagram-picture img').waitFor({ state: 'attached' });
}

/** Each kind of card, folded and open. */
async function cards({ looks, panel }: Walk): Promise<void> {
	const line = (name: RegExp) => panel.getByRole('group', { name }).locator('.tool-line').first();
	await looks.lookAt('cards', { show: () => to(panel, '.row-thinking') });
	await line(/^Grep: /).click();
	await panel.locator('.reads > .tool-line').click();
	await line(/^Read: src.auth.session/).click();
	await line(/^Glob: /).click();
	await looks.lookAt('search-open', { show: () => to(panel, '[aria-label^="Grep: "]') });
	await line(/^Edit: src.util/).click();
	await line(/^Write: /).click();
	await looks.lookAt('edit-open', { show: () => to(panel, '[aria-label^="TodoWrite: "]') });
	await line(/^Bash: /).click();
	await looks.lookAt('command-open', { show: () => to(panel, '[aria-label^="Write: "]') });
}

async function answers({ bench, looks, panel }: Walk): Promise<void> {
	await looks.lookAt('answer', { show: () => to(panel, '.markdown h2') });
	await looks.lookAt('diagram', { show: () => to(panel, '.code') });
	const source = panel.getByRole('button', { name: bench.text('Source'), exact: true });
	await source.click();
	await unfold(panel, '.summary-row');
	await looks.lookAt('details', { show: () => toEnd(panel) });
	await source.click();
	await press(bench, 'Focus view');
	await looks.lookAt('focus-view', { show: () => to(panel, '.answer') });
	await press(bench, 'Focus view');
}

async function finding({ bench, looks, panel }: Walk): Promise<void> {
	await press(bench, 'Find');
	const box = panel.getByRole('textbox', { name: bench.text('Find in conversation') });
	await bench.write(box, 'lock');
	await panel.locator('.find-count', { hasText: /\d/ }).waitFor();
	await box.press('Enter');
	await looks.lookAt('find');
	await press(bench, 'Close');
	await box.waitFor({ state: 'detached' });
	const outline = panel.getByRole('button', { name: bench.text('Outline'), exact: true });
	const open = panel.locator('.outline .menu-item');
	await looks.lookAt('outline', {
		show: async () => {
			if ((await open.count()) === 0) await outline.click();
			await open.first().waitFor();
		},
	});
	await open.first().press('Escape');
}

async function otherMessages({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	await (await bench.button('Edit and send again')).focus();
	await looks.lookAt('prompt-actions');
	await press(bench, 'Edit and send again');
	await panel.locator('[role=log].empty').waitFor();
	await looks.lookAt('edit-again');
	stories.mock.setScript([answer(said.short)]);
	await bench.submit(said.prompts.again);
	await panel.getByText(said.short).waitFor();
	await bench.waitForEnd();
	await looks.lookAt('versions');
	assert.equal(await panel.locator('.jump').count(), 0, 'all of it is in sight');

	const found = gate();
	stories.mock.setScript((request) => {
		const own = JSON.stringify(messagesOf(request)[0]?.content).includes(`${said.task}.`);
		if (!own) {
			const asked = JSON.stringify(messagesOf(request).at(-1)?.content).includes('tool_result');
			const call = { description: said.task, prompt: `${said.task}.`, subagent_type: 'Explore' };
			return asked ? answer(said.short) : turn(toolUse('Agent', call));
		}
		return messagesOf(request).length === 1
			? turn(text(said.begins), toolUse('Grep', { pattern: 'sha1' }), toolUse('Read', { file_path: hash }))
			: turn(text(`\`${hash}:3\``), found, text('.'));
	});
	await bench.submit(said.prompts.delegate);
	await found.reached;
	await looks.lookAt('subagent', { show: () => toEnd(panel) });
	await panel.locator('[aria-label^="Agent: "] > .tool-line').click();
	await panel.locator('.agent-log [aria-label^="Read: "] > .tool-line').click();
	await looks.lookAt('subagent-open', { show: () => toEnd(panel) });
	found.open();
	await bench.waitForEnd();

	stories.mock.setScript([answer(rightToLeft.answer)]);
	await bench.ask(rightToLeft.prompt);
	await looks.lookAt('right-to-left');
}

async function composing({ bench, looks, panel }: Walk): Promise<void> {
	const composer = await bench.composer();
	const offered = (words: string) => async () => {
		await bench.write(composer, '');
		await bench.write(composer, words);
		await panel.locator('.offer').nth(1).waitFor();
	};
	await looks.lookAt('mentions', { show: offered('@log') });
	await looks.lookAt('commands', { show: offered('/') });
	await bench.write(composer, '');
	for (const name of ['Mode', 'Model']) {
		const menu = panel.getByRole('menu');
		const show = async () => {
			if ((await menu.count()) === 0) await press(bench, name);
			await menu.waitFor();
		};
		await looks.lookAt(name.toLowerCase(), { show });
		await menu.press('Escape');
	}
}

async function attaching({ bench, looks, panel }: Walk): Promise<void> {
	const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
	const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>\nendobj\n';
	const picture = await bench.page.screenshot({ clip: { x: 0, y: 0, width: 400, height: 300 } });
	writeFileSync(path.join(bench.folder, '.env'), 'TOKEN=hush\nOTHER=one\n');
	await bench.openFile('login.ts');
	await select(bench);
	const composer = await bench.composer();
	await bench.write(composer, '');
	await panel
		.locator('.file-input')
		.setInputFiles([
			file('The panel at work, as it was yesterday.png', 'image/png', picture),
			file('specification.pdf', 'application/pdf', Buffer.from(pdf)),
		]);
	await panel.locator('.chip', { hasText: 'specification.pdf' }).waitFor();
	await composer.evaluate((element) => {
		const clipboardData = new DataTransfer();
		clipboardData.setData('text/plain', 'a line\n'.repeat(80));
		element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
	});
	await panel.locator('.chip .codicon-unfold').waitFor();
	await looks.lookAt('attached');
	const selection = panel.locator('.chip', { hasText: 'login.ts' }).getByRole('button');
	await selection.click();
	await panel.locator('.chip.off').waitFor();
	await panel.locator('.file-input').setInputFiles([file('notes.docx', 'application/msword', Buffer.from('no'))]);
	await panel.locator('.composer-notes[role=alert]').waitFor();
	await looks.lookAt('kept-back');
	await selection.click();
	await bench.openFile('.env');
	await select(bench);
	await panel.locator('.chip .codicon-lock').waitFor();
	await looks.lookAt('secret-selection');
	for (const remove of await panel.locator('.chip-remove').all()) await remove.waitFor();
	while ((await panel.locator('.chip-remove').count()) > 0) await panel.locator('.chip-remove').first().click();
	await bench.write(composer, '');
	await bench.runCommand('View: Close All Editors');
}

async function queueing({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	const held = gate();
	stories.mock.setScript([turn(text(said.begins), held), answer(said.short), answer(said.short)]);
	await bench.submit(said.prompts.other);
	await held.reached;
	const composer = await bench.composer();
	for (const [at, words] of said.queue.slice(0, 2).entries()) {
		await bench.write(composer, words);
		await composer.press(at === 0 ? 'Enter' : 'Alt+Enter');
		await panel.locator('.queued > li').nth(at).waitFor();
	}
	await bench.write(composer, said.queue[2]);
	await looks.lookAt('queue');
	const menu = panel.getByRole('menu');
	const show = async () => {
		if ((await menu.count()) === 0) await press(bench, 'While it works');
		await menu.waitFor();
	};
	await looks.lookAt('delivery', { show });
	await menu.press('Escape');
	await bench.write(composer, '');
	held.open();
	await panel.locator('.queued').waitFor({ state: 'detached' });
	await bench.waitForEnd();
	const details = panel.locator('.context-details dd').first();
	await looks.lookAt('context', {
		show: async () => {
			if ((await details.count()) === 0) await press(bench, 'What fills the context');
			await details.waitFor();
		},
	});
	await details.press('Escape');
}

async function deciding({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	const hunks = { file_path: hash, old_string: "'sha1'", new_string: "'sha256'" };
	const command = 'node check.mjs login && git push origin main';
	const server = 'node -e "console.log(\'http://localhost:4711\');setInterval(()=>{},1000)"';
	writeFileSync(path.join(bench.folder, 'check.mjs'), testScript);
	stories.mock.setScript([
		turn(toolUse('Read', { file_path: hash })),
		turn(
			toolUse('Edit', hunks),
			toolUse('Write', { file_path: 'src/auth/limits.ts', content: 'export const maxFailures = 5;\n' }),
		),
		turn(toolUse('Bash', { command: server, description: said.server, run_in_background: true })),
		turn(toolUse('Bash', { command, description: said.command })),
		turn(toolUse('AskUserQuestion', { questions: [{ ...said.question, multiSelect: false }] })),
		answer(said.short),
	]);
	await bench.submit(said.prompts.change);
	await (await bench.permission('Edit')).waitFor({ timeout: 30_000 });
	await panel.locator('.more-requests > button').waitFor();
	await looks.lookAt('proposal');
	await bench.answerPermission('Edit', 'Allow once');
	await bench.answerPermission('Write', 'Allow once');
	const card = await bench.permission('Bash');
	await card.getByText('localhost').first().waitFor();
	// The next one has the same name.
	await card.getByRole('button', { name: bench.text('Allow once'), exact: true }).click();
	await card.getByText('git push').first().waitFor();
	await card.locator('.why-button[aria-expanded]').first().click();
	await unfold(panel, '.tasks');
	await looks.lookAt('command-asks');
	await card.locator('.why-button[aria-expanded]').first().click();
	await press(bench, 'Always allow…');
	await panel.locator('.rule-check').waitFor();
	await looks.lookAt('always-allow');
	await card.getByRole('textbox', { name: bench.text('Rule'), exact: true }).press('Escape');
	await bench.answerPermission('Bash', 'Deny', said.queue[2]);
	await panel.getByRole('group', { name: bench.text('Question'), exact: true }).waitFor();
	const skip = await bench.button('Skip');
	await skip.and(panel.locator(':enabled')).waitFor();
	await looks.lookAt('question');
	await panel.getByRole('radio').first().click();
	await press(bench, 'Answer');
	await bench.waitForEnd();
	await looks.lookAt('decided', { show: () => toEnd(panel) });
}

async function planning({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	stories.mock.setScript([turn(toolUse('ExitPlanMode', { plan: said.plan }))]);
	await press(bench, 'Mode');
	await panel.getByRole('menuitemradio', { name: bench.text('Plan'), exact: true }).click();
	await bench.submit(said.prompts.plan);
	await panel.getByRole('group', { name: bench.text('Plan'), exact: true }).waitFor();
	await looks.lookAt('plan');
	// As a window of twice the size shows it at 200 %.
	const before = bench.page.viewportSize();
	await bench.page.setViewportSize({ width: 720, height: 450 });
	await looks.lookAt('zoomed', { width: 300 });
	if (before) await bench.page.setViewportSize(before);
}

async function beside({ stories, bench, looks, said, panel }: Walk): Promise<void> {
	stories.mock.setScript([answer(said.short)]);
	await bench.runCommand('Loopwright: New Conversation');
	await panel.locator('[role=log].empty').waitFor();
	await bench.ask(said.prompts.again);
	await panel.locator('.status-line .others.waits').waitFor();
	await looks.lookAt('others');
	await bench.runCommand('Loopwright: History');
	await bench.page.locator('.quick-input-list .monaco-list-row').nth(1).waitFor();
	await looks.lookAt('history', { of: 'list' });
	await bench.page.keyboard.press('Escape');
	await bench.runCommand('Loopwright: Open in Editor');
	const inTab = () => bench.page.frames().map((frame) => frame.locator('body.surface-editor .row-text').count());
	const shown = async () => (await Promise.all(inTab())).some((count) => count > 0) || undefined;
	assert.ok(await poll(20_000, shown), 'the tab has the conversation');
	await looks.lookAt('tab-beside', { of: 'window' });
}

async function press(bench: Workbench, name: string): Promise<void> {
	await (await bench.button(name)).last().press('Enter');
}

async function unfold(panel: Frame, details: string): Promise<void> {
	const summary: Locator = panel.locator(`${details}:not([open]) > summary`);
	if ((await summary.count()) > 0) await summary.last().click();
}

/** Scrolls so that it is the first below the prompt that stays at the top. */
async function to(panel: Frame, place: string): Promise<void> {
	const found = panel.locator(`[role=log] ${place}`).first();
	await found.evaluate((element) => {
		const log = element.closest('[role=log]');
		const prompt = element.closest('.exchange')?.querySelector('.prompt');
		const above = (log?.getBoundingClientRect().top ?? 0) + (prompt?.getBoundingClientRect().height ?? 0);
		log?.scrollBy(0, element.getBoundingClientRect().top - above);
	});
}

async function toEnd(panel: Frame): Promise<void> {
	await panel.locator('[role=log]').evaluate((log) => log.scrollTo(0, log.scrollHeight));
}

/** Some lines of the active editor. */
async function select(bench: Workbench): Promise<void> {
	await bench.page.locator('.editor-group-container.active .view-line').first().click();
	await bench.page.keyboard.press('Control+Home');
	for (let lines = 0; lines < 2; lines++) await bench.page.keyboard.press('Shift+ArrowDown');
}
