// A folder that is not trusted: what it forbids holds, what it allows waits, nothing runs; trusting it takes effect at once.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace } from './harness/workbench.ts';

stories('trust', (stories) => {
	test('in restricted mode denials hold and nothing runs, until the folder is trusted', async () => {
		const folder = sampleWorkspace();
		const file = (...name: string[]) => path.join(folder, ...name);
		mkdirSync(file('.loopwright'));
		const rules = { allow: ['Bash(touch made)', 'Edit'], deny: ['Read(README.md)'] };
		writeFileSync(
			file('.loopwright/settings.json'),
			JSON.stringify({ permissions: rules, permissionMode: 'acceptEdits', baseUrl: 'http://127.0.0.1:9' }),
		);
		const touch = toolUse('Bash', { command: 'touch made' }, 't2');
		stories.mock.setScript([
			turn(toolUse('Read', { file_path: file('README.md') }, 't1'), touch),
			turn(toolUse('Write', { file_path: file('new.txt'), content: 'x' }, 't3')),
			answer('Done.'),
			turn({ ...touch }),
			answer('Done again.'),
		]);
		const bench = await stories.open({ folder, restricted: true });
		const note = (await bench.panel()).getByRole('note');
		await note.getByText('This folder is not trusted').waitFor();
		await bench.submit('go');
		const card = (await bench.panel()).getByRole('group', { name: 'Permission: Write', exact: true });
		await card.waitFor();
		await bench.screenshot('restricted');
		const refused = toolResults(stories.mock.requests[1] ?? assert.fail());
		assert.deepEqual(
			refused.map(({ isError }) => isError),
			[true, true],
		);
		await card.getByRole('button', { name: 'Deny', exact: true }).click();
		await bench.waitForStatus('Ready');
		assert.ok(!existsSync(file('made')) && !existsSync(file('new.txt')));
		await note.getByRole('button', { name: 'Manage trust' }).click();
		await bench.page
			.locator('.workspace-trust-editor')
			.getByRole('button', { name: 'Trust', exact: true })
			.first()
			.click();
		await note.waitFor({ state: 'detached' });
		await bench.screenshot('trusted');
		const dialog = bench.page.locator('.monaco-modal-editor-block');
		await dialog.click({ position: { x: 5, y: 5 } });
		await dialog.waitFor({ state: 'hidden', timeout: 10_000 });
		await bench.ask('again');
		assert.ok(existsSync(file('made')));
	});
});
