// Subagents as a person meets them: their cards with what they do, their questions with who asks, all steps as a document, a stop that
// ends them, and everything there again after a reload.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MockRequest, Step } from '../support/mockServer.ts';
import { answer, gate, messagesOf, text, toolResults, toolUse, turn } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { poll } from './harness/workbenchPage.ts';

const hash = 'src/util/hash.ts';
const agent = (description: string, prompt: string, subagent_type: string) =>
	toolUse('Agent', { description, prompt, subagent_type });

stories('subagents', (stories) => {
	/** Steps by what a conversation begins with: a subagent's with its task. */
	function script(steps: Readonly<Record<string, readonly Step[]>>): void {
		const at = new Map<string, number>();
		stories.mock.setScript((request) => {
			const said = beginningOf(request);
			const name = Object.keys(steps).find((words) => said.includes(words)) ?? assert.fail(`whose is ${said}`);
			const next = at.get(name) ?? 0;
			at.set(name, next + 1);
			return steps[name]?.[next] ?? answer('Done.');
		});
	}
	const beginningOf = (request: MockRequest) => JSON.stringify(messagesOf(request)[0]?.content ?? '');

	test('three at once: what each does is seen, one asks, and all of it is there after a reload', async () => {
		const [explored, tested, long] = [gate(), gate(), gate()];
		script({
			'Find where': [
				turn(text('I look for it.'), toolUse('Grep', { pattern: 'sha1' }), toolUse('Read', { file_path: hash })),
				turn(explored, text('It is in `src/util/hash.ts:3`.')),
			],
			'Make it better': [
				turn(toolUse('Read', { file_path: hash })),
				turn(toolUse('Edit', { file_path: hash, old_string: "'sha1'", new_string: "'sha256'" })),
				turn(tested, toolUse('Bash', { command: 'echo checked > checked.txt', description: 'Check it' })),
				answer('It uses **sha256** now, and the check passes.'),
			],
			'Take your time': [turn(text('Half of it so far.'), long)],
			'': [
				turn(
					text('Three of them look into it.'),
					agent('where hashes are made', 'Find where hashes are made', 'Explore'),
					agent('a better hash', 'Make it better', 'general-purpose'),
					agent('the rest', 'Take your time', 'Plan'),
				),
				answer('Both came back.'),
			],
		});
		const bench = await stories.open();
		await bench.submit('Look into the hashes');
		// The edit of a subagent is proposed like any other.
		await bench.waitForStatus('Waiting for you');
		const edit = await bench.permission('Edit');
		await edit.getByText(bench.text('for the subagent {0}').replace('{0}', 'general-purpose')).waitFor();
		await bench.screenshot('subagents-ask');
		await bench.answerPermission('Edit', 'Allow once');
		explored.open();
		await bench.waitForCard('Agent: where hashes are made', 'done');
		// All of its steps as a document, which grows while it is open.
		const steps = bench.page.locator('.editor-instance .view-lines');
		const working = await bench.card('Agent: a better hash');
		await working.getByRole('button').first().click();
		await working.getByRole('button', { name: bench.text('Show all steps') }).press('Enter');
		await steps.getByText('Make it better').first().waitFor();
		await working.getByRole('button').first().click();
		tested.open();
		const command = await bench.permission('Bash');
		await command.getByText('general-purpose').waitFor();
		await bench.answerPermission('Bash', 'Allow once');
		await bench.waitForCard('Agent: a better hash', 'done');
		await steps.first().click();
		const grown = poll(10_000, async () => {
			await bench.page.keyboard.press('Control+End');
			return (await steps.getByText('and the check passes').count()) > 0 || undefined;
		});
		assert.ok(await grown, 'the document that is open grows');
		await bench.page.keyboard.press('Control+Home');
		await bench.waitForCard('Agent: the rest', 'running');
		await bench.screenshot('subagents-at-work');
		assert.match(readFileSync(path.join(bench.folder, hash), 'utf8'), /'sha256'/);

		await (await bench.button('Stop')).click();
		await bench.waitForStatus('Stopped');
		await bench.waitForCard('Agent: the rest', 'stopped');
		await bench.ask('Go on without it');
		const results = toolResults(stories.mock.requests.at(-1) ?? assert.fail());
		assert.equal(results.length, 3);
		assert.match(results[1]?.text ?? '', /sha256/);

		await bench.reloadWindow();
		const card = await bench.waitForCard('Agent: a better hash', 'done');
		await card.getByRole('button').first().click();
		await card.getByText('and the check passes').first().waitFor();
		await card.getByRole('group', { name: `Edit: ${hash}` }).waitFor();
		const stopped = await bench.waitForCard('Agent: the rest', 'stopped');
		await stopped.getByRole('button').first().click();
		await stopped.getByText('Half of it so far.').last().waitFor();
		await bench.screenshot('subagents-reloaded');
		await card.getByRole('button', { name: bench.text('Show all steps') }).press('Enter');
		await bench.page.locator('.tab.active', { hasText: 'a better hash' }).waitFor();
		await bench.page.locator('.editor-instance .view-lines').getByText('Make it better').first().waitFor();
		await bench.screenshot('subagents-all-steps');
		assert.deepEqual(stories.mock.violations, []);
	});
});
