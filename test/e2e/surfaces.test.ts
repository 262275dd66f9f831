// The panel in its places: thrown away in mid-stream and drawn anew, and in an editor tab beside the view.
import assert from 'node:assert/strict';
import { gate, text, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { poll } from './harness/workbenchPage.ts';

stories('surfaces of the panel', (stories) => {
	test('webviews that are killed in mid-stream come back current', async () => {
		const rest = gate();
		stories.mock.setScript([turn(text('Before the break. ', rest, 'After the break.'))]);
		const bench = await stories.open();
		await bench.submit('talk');
		await rest.reached;
		await (await bench.articles('Loopwright')).last().getByText('Before the break.').waitFor();
		await bench.runCommand('Developer: Reload Webviews');
		rest.open();
		// The old frame is there for a moment yet, so ask for it anew until it has the answer.
		const after = async () => {
			const answer = (await bench.articles('Loopwright')).last().getByText('After the break.');
			return (await answer.count().catch(() => 0)) > 0 || undefined;
		};
		assert.ok(await poll(30_000, after), await bench.describe());
		await bench.waitForStatus('Ready');
		assert.equal(await (await bench.articles('You')).count(), 1);
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
});
