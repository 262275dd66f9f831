// What the editor adds to a turn: problems that came with the agent's own edit.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, gate, text, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';

stories('attachments', (stories) => {
	test('a problem that an edit brought is told with a later turn, once, and not to the person', async () => {
		const read = toolUse('Read', { file_path: 'README.md' });
		const seen = gate();
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: 'prices.json' })),
			turn(toolUse('Edit', { file_path: 'prices.json', old_string: '"name"', new_string: '"name" broken' })),
			turn(seen, text('I look around.'), read),
			turn(read),
			turn(read),
			answer('Done.'),
		]);
		const bench = await stories.open({ settings: { 'loopwright.permissionMode': 'acceptEdits' } });
		writeFileSync(path.join(bench.folder, 'prices.json'), '{\n\t"name": "prices"\n}\n');
		// The language services of the editor look at open files only.
		await bench.openFile('prices.json');
		await bench.submit('break it');
		await seen.reached;
		await bench.page.locator('.monaco-editor .squiggly-error').first().waitFor();
		seen.open();
		await (await bench.articles('Loopwright')).last().getByText('Done.').waitFor({ timeout: 40_000 });
		await bench.waitForEnd();
		const notes = stories.mock.requests.map(
			(request) => JSON.stringify(request.body).split('New problems that the editor reports').length - 1,
		);
		// With the fourth or the fifth request: that is the language service's to say.
		assert.deepEqual(notes.toSpliced(3, 1), [0, 0, 0, 1, 1]);
		assert.ok(JSON.stringify(stories.mock.requests[4]?.body).includes('prices.json:2 error: '));
		assert.equal(await (await bench.panel()).getByText('New problems').count(), 0);
		assert.deepEqual(stories.mock.violations, []);
	});
});
