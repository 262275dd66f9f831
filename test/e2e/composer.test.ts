// The composer on the real workbench: mentions read through live buffers, the selection and its toggle, history, commands, the
// queue, pictures.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, gate, messagesOf, text, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';

storiesInOneWindow('composer', (stories) => {
	const lastRequest = () => JSON.stringify(messagesOf(stories.mock.requests.at(-1) ?? assert.fail()));

	test('a file is mentioned by a few letters, and its unsaved text goes with the prompt; a secret one is not offered', async () => {
		stories.mock.setScript([answer('Seen.'), answer('Again.')]);
		const bench = await stories.open();
		writeFileSync(path.join(bench.folder, 'prices.ts'), 'export const price = 1;\n');
		writeFileSync(path.join(bench.folder, '.env'), 'TOKEN=hush\n');
		await bench.openFile('prices.ts');
		// The editor is there before it takes keys.
		await bench.page.locator('.monaco-editor .view-line').first().click();
		await bench.page.keyboard.press('Control+Home');
		await bench.page.keyboard.type('// not saved yet');
		await bench.page.locator('.view-line', { hasText: 'not saved yet' }).first().waitFor();
		const panel = await bench.panel();
		const box = panel.getByRole('textbox', { name: 'Message' });
		await box.click();
		await box.pressSequentially('what is in @pric');
		const list = panel.getByRole('listbox', { name: 'Mentions' });
		await list.getByRole('option', { name: /^prices\.ts/ }).waitFor();
		await bench.screenshot('mentions');
		await box.press('Enter');
		assert.equal(await box.inputValue(), 'what is in @prices.ts ');
		await box.press('Enter');
		await (await bench.articles('Loopwright')).last().getByText('Seen.').waitFor();
		assert.ok(lastRequest().includes('// not saved yet'), 'the live buffer is read');
		await box.pressSequentially('and @env');
		await panel.getByRole('status').waitFor();
		assert.equal(await list.getByRole('option', { name: /^\.env/ }).count(), 0);
		await box.press('Escape');
		await bench.write(box, '');
		await box.press('ArrowUp');
		await panel.getByText('what is in @prices.ts').first().waitFor();
		await bench.write(box, '/mod');
		await panel
			.getByRole('listbox', { name: 'Commands' })
			.getByRole('option', { name: /^\/model/ })
			.waitFor();
		assert.deepEqual(stories.mock.violations, []);
	});

	test('the selection goes with the prompt while its chip says so, also after a reload', async () => {
		stories.mock.setScript([answer('One.'), answer('Two.')]);
		const bench = await stories.open();
		writeFileSync(path.join(bench.folder, 'lines.txt'), 'first\nsecond\nthird\n');
		await (await bench.panel()).getByRole('textbox', { name: 'Message' }).waitFor();
		await bench.openFile('lines.txt');
		await bench.page.locator('.monaco-editor .view-line').first().click();
		await bench.page.keyboard.press('Control+Home');
		await bench.page.keyboard.press('Shift+ArrowDown');
		await bench.page.keyboard.press('Shift+ArrowDown');
		const chip = async () => (await bench.panel()).getByRole('button', { name: '2 lines of lines.txt' });
		await (await chip()).waitFor();
		await bench.screenshot('selection');
		await bench.submit('look');
		await (await bench.articles('Loopwright')).last().getByText('One.').waitFor();
		await bench.waitForEnd();
		assert.ok(lastRequest().includes('lines.txt, lines 1 to 2 of 3') && !lastRequest().includes('third'));
		await (await chip()).click();
		const off = async () => (await bench.panel()).getByRole('button', { name: '2 lines of lines.txt', pressed: false });
		await (await off()).waitFor();
		await bench.submit('again');
		await (await bench.articles('Loopwright')).last().getByText('Two.').waitFor();
		assert.equal(lastRequest().split('lines 1 to 2 of 3').length, 2);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('while it works: one message steers, one waits, and the queue is reordered by keyboard', async () => {
		const written = gate();
		stories.mock.setScript([
			turn(written, text('I look.'), toolUse('TodoWrite', { todos: [] })),
			answer('First.'),
			answer('Second.'),
			answer('Third.'),
		]);
		const bench = await stories.open();
		await bench.submit('go');
		const panel = await bench.panel();
		const box = panel.getByRole('textbox', { name: 'Message' });
		await panel.getByRole('button', { name: 'Stop', exact: true }).waitFor();
		for (const words of ['later one', 'later two']) {
			await bench.write(box, words);
			await box.press('Alt+Enter');
			await panel.getByRole('button', { name: `Edit queued message: ${words}` }).waitFor();
		}
		await panel.getByRole('button', { name: 'Edit queued message: later two' }).press('Alt+ArrowUp');
		await panel
			.getByRole('list', { name: 'Queued messages' })
			.getByRole('listitem')
			.first()
			.getByText('later two')
			.waitFor();
		await bench.write(box, 'steer');
		await box.press('Enter');
		await panel.getByRole('button', { name: 'Edit queued message: steer' }).waitFor();
		await bench.screenshot('queue');
		written.open();
		await (await bench.articles('Loopwright')).last().getByText('Third.').waitFor({ timeout: 40_000 });
		await bench.waitForEnd();
		const said = stories.mock.requests.map((request) => JSON.stringify(messagesOf(request)));
		assert.ok(said[1]?.includes('"steer"') && !said[1].includes('later'));
		assert.ok(said[2]?.includes('later two') && !said[2].includes('later one'));
		assert.ok(said[3]?.includes('later one'));
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a pasted picture goes with the prompt', async () => {
		stories.mock.setScript([answer('A picture.')]);
		const bench = await stories.open();
		const panel = await bench.panel();
		const box = panel.getByRole('textbox', { name: 'Message' });
		await box.click();
		await box.evaluate(async (element) => {
			const canvas = document.createElement('canvas');
			canvas.width = 3000;
			canvas.height = 1500;
			canvas.getContext('2d')?.fillRect(0, 0, 1500, 700);
			const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
			const clipboardData = new DataTransfer();
			if (blob) clipboardData.items.add(new File([blob], 'shot.png', { type: 'image/png' }));
			element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
		});
		await panel.getByRole('button', { name: 'Open shot.png, 1568 × 784' }).waitFor();
		await bench.screenshot('picture');
		await bench.submit('what is this?');
		await (await bench.articles('Loopwright')).last().getByText('A picture.').waitFor();
		assert.ok(lastRequest().includes('"media_type":"image/png"'));
		assert.deepEqual(stories.mock.violations, []);
	});
});
