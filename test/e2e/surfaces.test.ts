// The panel in its places: thrown away in mid-stream and drawn anew, and in an editor tab beside the view.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { answer, gate, lastUserText, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace } from './harness/workbench.ts';
import { poll, type WorkbenchPage } from './harness/workbenchPage.ts';

stories('surfaces of the panel', (stories) => {
	test('webviews that are killed or moved in mid-stream come back current', async () => {
		const [rest, moved] = [gate(), gate()];
		stories.mock.setScript([
			turn(text('Before the break. ', rest, 'After the break.')),
			turn(text('Before the move. ', moved, 'After the move.')),
		]);
		const bench = await stories.open();
		await bench.submit('talk');
		await rest.reached;
		await (await bench.articles('Loopwright')).last().getByText('Before the break.').waitFor();
		await bench.runCommand('Developer: Reload Webviews');
		rest.open();
		// The old frame is there for a moment yet, so ask for it anew until it has the answer.
		const after = (words: string) => async () => {
			const answer = (await bench.articles('Loopwright')).last().getByText(words);
			return (await answer.count().catch(() => 0)) > 0 || undefined;
		};
		assert.ok(await poll(30_000, after('After the break.')), await bench.describe());
		await bench.waitForStatus('Ready');
		assert.equal(await (await bench.articles('You')).count(), 1);

		await bench.submit('talk on');
		await moved.reached;
		await bench.runCommand('View: Move View');
		const rows = bench.page.locator('.quick-input-list .monaco-list-row');
		await rows.filter({ hasText: 'Loopwright' }).first().click();
		await rows.filter({ hasText: 'New Panel Entry' }).first().click();
		await bench.page.locator('.part.panel .title', { hasText: 'Loopwright' }).first().waitFor();
		moved.open();
		assert.ok(await poll(30_000, after('After the move.')), await bench.describe());
		await bench.screenshot('moved-to-panel');
		await bench.waitForStatus('Ready');
		assert.equal(await (await bench.articles('You')).count(), 2);
	});

	test('an editor tab shows the same conversation, and both go on together', async () => {
		stories.mock.setScript([turn('First answer.'), turn('Second answer.')]);
		const bench = await stories.open();
		await bench.ask('one');
		await bench.runCommand('Loopwright: Open in Editor');
		const frames = () => bench.page.frames().filter((frame) => frame.url().includes('fake.html'));
		const shown = (said: string) =>
			poll(20_000, async () => {
				const counts = await Promise.all(
					frames().map((frame) =>
						frame
							.getByText(said, { exact: true })
							.count()
							.catch(() => 0),
					),
				);
				return counts.filter((count) => count > 0).length >= 2 || undefined;
			});
		assert.ok(await shown('First answer.'), 'the tab has what was said before');
		await bench.screenshot('editor-tab');
		await bench.ask('two');
		assert.ok(await shown('Second answer.'), 'both have what is said now');
	});

	test('two conversations side by side: one asks in its tab while the other streams; a reload brings both back, also what is hidden', async () => {
		const [rest, never] = [gate(), gate()];
		stories.mock.setScript((request) => {
			if (lastUserText(request).includes('without end')) return turn(text('It goes on ', never));
			if (lastUserText(request).includes('slowly')) return turn(text('It begins. ', rest, 'It ends.'));
			return toolResults(request).length === 0
				? turn(toolUse('Bash', { command: 'touch made-in-tab' }))
				: answer('It was made.');
		});
		const bench = await stories.open({ theme: 'dark' });
		await bench.submit('tell me slowly');
		await rest.reached;
		await bench.runCommand('Loopwright: New Conversation in Tab');
		const tab = await surface(bench, 'editor');
		const view = await surface(bench, 'view');
		await send(bench, tab, 'make a file');
		const card = tab.getByRole('group', { name: 'Permission: Bash', exact: true });
		await card.waitFor();
		assert.equal(await status(tab), 'Waiting for you');
		assert.equal(await status(view), 'Working');
		await view.getByText('It begins.').waitFor();
		await view.getByRole('button', { name: '1 other waits for you', exact: true }).waitFor();
		assert.equal(await view.getByRole('group', { name: /^Permission/ }).count(), 0);
		await bench.page.locator('.tab', { hasText: 'make a file (waiting for you)' }).waitFor();
		await bench.screenshot('side-by-side');
		// A stop in the tab would not end what the view does, nor does an answer.
		await card.getByRole('button', { name: 'Allow once', exact: true }).click();
		await tab.getByText('It was made.').waitFor();
		assert.equal(await status(view), 'Working');
		rest.open();
		await view.getByText('It ends.').waitFor();
		await tab.getByRole('button', { name: 'Mode', exact: true }).click();
		await tab.getByRole('menuitemradio', { name: /^Plan/ }).click();
		// Not sent in one, at work behind an editor in the other.
		await bench.write(view.getByRole('textbox', { name: 'Message', exact: true }), 'a draft for later');
		await send(bench, tab, 'talk without end');
		await never.reached;
		await tab.getByText('It goes on').waitFor();
		await bench.openFile('README.md');

		await bench.reloadWindow();
		const viewAgain = await surface(bench, 'view');
		await viewAgain.getByText('It ends.').waitFor();
		const box = viewAgain.getByRole('textbox', { name: 'Message', exact: true });
		assert.ok(await poll(5_000, async () => (await box.inputValue()) === 'a draft for later' || undefined));
		await viewAgain.getByRole('button', { name: '1 other was interrupted', exact: true }).waitFor();
		await bench.screenshot('hidden-at-work');
		await bench.page.locator('.tab', { hasText: 'make a file' }).click();
		const tabAgain = await surface(bench, 'editor');
		await tabAgain.getByText('It was made.').waitFor();
		await tabAgain.getByText('This turn was interrupted.').waitFor();
		assert.equal(await tabAgain.getByText('It ends.').count(), 0);
		const mode = (frame: Frame) => frame.locator('.menu-value').first().innerText();
		assert.deepEqual([await mode(tabAgain), await mode(viewAgain)], ['Plan', 'Ask']);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('in the second folder: what is left goes on, the next one says so, and the history has its state', async () => {
		const rest = gate();
		stories.mock.setScript((request) => {
			if (lastUserText(request).includes('慢')) return turn(text('开始。', rest, '结束。'));
			return toolResults(request).length === 0 ? turn(toolUse('Bash', { command: 'pwd' })) : answer('第二个。');
		});
		const folder = sampleWorkspace();
		const library = path.join(path.dirname(folder), 'library');
		const workspaceFile = path.join(path.dirname(folder), 'both.code-workspace');
		mkdirSync(library);
		writeFileSync(workspaceFile, JSON.stringify({ folders: [{ path: folder }, { path: library }] }));
		const bench = await stories.open({ folder, workspaceFile, locale: 'zh-cn', theme: 'light' });
		await bench.submit('慢慢说');
		await rest.reached;
		await bench.runCommand('Loopwright: 新建对话');
		await (await bench.button('Folder')).click();
		await (await bench.panel()).getByRole('menuitemradio', { name: /^library/ }).click();
		await (await bench.panel()).locator('.menu-value', { hasText: 'library' }).waitFor();
		await bench.ask('在哪里');
		const results = stories.mock.requests.flatMap((request) => toolResults(request));
		assert.ok(results.some(({ text: said }) => said.includes(library)));
		const view = await bench.panel();
		await view.locator('.folder-name', { hasText: 'library' }).waitFor();
		await bench.screenshot('folder-and-others-zh-cn');
		await view.getByRole('button', { name: '另有 1 个对话正在运行', exact: true }).click();
		const row = (words: string) =>
			bench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first();
		await row('慢慢说').filter({ hasText: '正在运行' }).waitFor();
		assert.match(await row('在哪里').innerText(), /library/);
		await bench.screenshot('history-working-zh-cn');
		rest.open();
		await row('慢慢说').filter({ hasText: '已完成' }).waitFor();
		await row('慢慢说').click();
		await (await bench.panel()).getByText('结束。').waitFor();
		await (await bench.panel()).waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
		await bench.runCommand('Loopwright: 历史记录');
		await row('在哪里').hover();
		await row('在哪里').getByRole('button', { name: '在旁边的标签页中打开' }).click();
		const tab = await surface(bench, 'editor');
		await tab.getByText('第二个。').waitFor();
		await tab.locator('.folder-name', { hasText: 'library' }).waitFor();
		await bench.screenshot('tab-beside-zh-cn');
		assert.deepEqual(stories.mock.violations, []);
	});
});

/** The page of the side bar, or of a tab, as it is now. */
async function surface(bench: WorkbenchPage, kind: 'view' | 'editor'): Promise<Frame> {
	const found = await poll(30_000, async () => {
		for (const frame of bench.page.frames()) {
			const log = frame.locator(`body.surface-${kind} [role=log]`);
			if ((await log.count().catch(() => 0)) > 0) return frame;
		}
		return undefined;
	});
	return found ?? assert.fail(`no ${kind}`);
}

async function send(bench: WorkbenchPage, frame: Frame, words: string): Promise<void> {
	await bench.write(frame.getByRole('textbox', { name: bench.text('Message'), exact: true }), words);
	await frame.getByRole('button', { name: bench.text('Send'), exact: true }).click();
}

async function status(frame: Frame): Promise<string> {
	return ((await frame.getByRole('status').first().textContent()) ?? '').trim();
}
