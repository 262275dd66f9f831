// Tools of one answer: safe ones side by side while the answer still streams, writing ones one after the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gate, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';

storiesInOneWindow('tools of one answer', (stories) => {
	test('three Reads run side by side while the answer still streams', async () => {
		const rest = gate();
		const files = ['src/auth/login.ts', 'src/auth/session.ts', 'src/util/hash.ts'];
		stories.mock.setScript([
			turn(...files.map((file_path) => toolUse('Read', { file_path })), text('I read them.', rest, ' All of them.')),
			turn('Done.'),
		]);
		const workbench = await stories.open();
		await workbench.submit('read all');
		await rest.reached;
		await (await workbench.panel()).getByRole('button', { name: /^Read(?:ing)? 3 files/ }).click();
		for (const file of files) await workbench.waitForCard(`Read: ${file}`, 'done');
		assert.equal(stories.mock.requests.length, 1, 'the answer is still streaming');
		await workbench.waitForStatus('Working');
		await workbench.screenshot('reads-while-streaming');
		rest.open();
		await workbench.waitForEnd();
		assert.deepEqual(
			toolResults(stories.mock.requests[1] ?? assert.fail()).map(
				({ input }) => (input as { file_path: string }).file_path,
			),
			files,
		);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('two writing Bash calls never overlap', async () => {
		const step = (name: string) => `echo start-${name} >> log.txt; sleep 0.5; echo end-${name} >> log.txt`;
		stories.mock.setScript([
			turn(toolUse('Bash', { command: step('a') }), toolUse('Bash', { command: step('b') })),
			turn('Done.'),
		]);
		const workbench = await stories.open();
		await workbench.submit('run both');
		await workbench.answerPermission('Bash', 'Allow once');
		await workbench.answerPermission('Bash', 'Allow once');
		await workbench.waitForEnd();
		assert.equal(readFileSync(path.join(workbench.folder, 'log.txt'), 'utf8'), 'start-a\nend-a\nstart-b\nend-b\n');
		assert.deepEqual(stories.mock.violations, []);
	});
});
