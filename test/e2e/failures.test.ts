// What a person reads when the model service cannot be reached or refuses: each kind has its own sentence and a way on.
import assert from 'node:assert/strict';
import type { Step } from '../support/mockServer.ts';
import { answer, fail, html } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';

stories('failures', (stories) => {
	const alertAfter = async (bench: Workbench, prompt: string) => {
		await bench.submit(prompt);
		const alert = (await bench.panel()).getByRole('alert').last();
		await alert.waitFor({ timeout: 30_000 });
		await bench.waitForEnd();
		return (await alert.textContent()) ?? '';
	};

	test('a wrong key, a web page instead of a stream, an unknown model: each has its own message, and Retry works', async () => {
		const steps: [Step, RegExp, string][] = [
			[fail(401, 'authentication_error', 'invalid x-api-key'), /key/i, 'failure-key'],
			[html(), /127\.0\.0\.1/, 'failure-page'],
			[fail(404, 'not_found_error', 'model: claude-nothing'), /model/i, 'failure-model'],
		];
		const workbench = await stories.open();
		const seen = new Set<string>();
		for (const [step, expected, name] of steps) {
			stories.mock.setScript([step, answer('Now it works.')]);
			const message = await alertAfter(workbench, `try ${name}`);
			assert.match(message, expected);
			assert.ok(!seen.has(message), 'each kind has a message of its own');
			seen.add(message);
			await workbench.screenshot(name);
			const retry = (await workbench.panel())
				.getByRole('alert')
				.last()
				.getByRole('button', { name: 'Retry', exact: true });
			await retry.click();
			// The failure goes at once, and until the new answer is there the one before it is the last.
			const answers = (await workbench.panel()).getByText('Now it works.', { exact: true });
			await answers.nth(seen.size - 1).waitFor();
			await workbench.waitForEnd();
		}
		assert.deepEqual(stories.mock.violations, []);
	});

	test('no network names the host', async () => {
		const workbench = await stories.open({ model: { url: 'http://127.0.0.1:9' } });
		assert.match(await alertAfter(workbench, 'hello'), /127\.0\.0\.1:9/);
		await workbench.screenshot('failure-network');
	});

	test('a base URL that ends in /v1 works', async () => {
		stories.mock.setScript([answer('Hello.')]);
		const workbench = await stories.open({ model: { url: `${stories.mock.url}/v1` } });
		await workbench.ask('hello');
		await (await workbench.articles('Loopwright')).last().getByText('Hello.').waitFor();
	});
});
