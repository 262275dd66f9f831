// Stops at every kind of moment, a hidden panel and a reload: each time the conversation goes on.
import assert from 'node:assert/strict';
import { gate, messagesOf, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';

storiesInOneWindow('interruptions', (stories) => {
	test('stop while streaming keeps the text, and the next prompt works', async () => {
		const rest = gate();
		stories.mock.setScript([turn(text('The first half', rest, ' and the second')), turn('Here I am.')]);
		const bench = await stories.open();
		await bench.submit('tell me');
		await (await bench.articles('Loopwright')).last().getByText('The first half').waitFor();
		await (await bench.button('Stop')).click();
		await bench.waitForStatus('Stopped');
		await bench.screenshot('stopped-streaming');
		await bench.ask('again');
		await (await bench.articles('Loopwright')).last().getByText('Here I am.').waitFor();
		assert.deepEqual(stories.mock.violations, []);
		rest.open();
	});

	test('stop while a permission card is open takes the card away, nothing runs, and the next prompt works', async () => {
		stories.mock.setScript([turn(toolUse('Bash', { command: 'touch made.txt' })), turn('Fine.')]);
		const bench = await stories.open();
		await bench.submit('make a file');
		const card = await bench.permission('Bash');
		await card.waitFor();
		await bench.waitForStatus('Waiting for you');
		await (await bench.button('Stop')).click();
		await card.waitFor({ state: 'detached' });
		await bench.waitForCard(/^Bash: /, 'stopped');
		await bench.ask('never mind');
		assert.equal(toolResults(stories.mock.requests[1] ?? assert.fail())[0]?.isError, true);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('a prompt sent while it works is queued and read at the next turn', async () => {
		const rest = gate();
		stories.mock.setScript([
			turn(text('Looking', rest), toolUse('Read', { file_path: 'README.md' })),
			turn('Both done.'),
		]);
		const bench = await stories.open();
		await bench.submit('first');
		await rest.reached;
		await bench.submit('second');
		await (await bench.panel()).getByText('second').first().waitFor();
		await bench.screenshot('queued');
		rest.open();
		await (await bench.articles('Loopwright')).last().getByText('Both done.').waitFor();
		await bench.waitForEnd();
		const last = messagesOf(stories.mock.requests[1] ?? assert.fail()).at(-1);
		assert.equal(last?.content.at(-1)?.['text'], 'second');
		assert.deepEqual(stories.mock.violations, []);
	});

	test('closing the panel in mid-stream loses nothing, and it comes back current', async () => {
		const rest = gate();
		stories.mock.setScript([turn(text('Before. ', rest, 'While you were away.'))]);
		const bench = await stories.open();
		await bench.submit('talk');
		await rest.reached;
		await (await bench.articles('Loopwright')).last().getByText('Before.').waitFor();
		await bench.runCommand('View: Toggle Secondary Side Bar Visibility');
		rest.open();
		await bench.runCommand('Loopwright: Focus on Chat View');
		await (await bench.articles('Loopwright')).last().getByText('While you were away.').waitFor();
		await bench.waitForStatus('Ready');
		assert.equal(await (await bench.articles('You')).count(), 1);
	});

	test('a reloaded window has its conversation, and an open permission request is there again', async () => {
		stories.mock.setScript([turn('I will make it.', toolUse('Bash', { command: 'touch made.txt' })), turn('Made.')]);
		const bench = await stories.open();
		await bench.submit('make a file');
		await (await bench.permission('Bash')).waitFor();
		await bench.reloadWindow();
		await (await bench.articles('You')).first().getByText('make a file').waitFor();
		await bench.screenshot('reloaded');
		await bench.answerPermission('Bash', 'Allow once');
		await (await bench.articles('Loopwright')).last().getByText('Made.').waitFor();
		await bench.waitForEnd();
		assert.deepEqual(
			stories.mock.requests.map((request) => messagesOf(request).length),
			[1, 3],
		);
		assert.deepEqual(stories.mock.violations, []);
	});
});
