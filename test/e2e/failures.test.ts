// What a person reads when the model service cannot be reached or refuses: each kind has its own sentence and a way on.
import assert from 'node:assert/strict';
import type { MockServer, Step } from '../support/mockServer.ts';
import { answer, fail, html, startMockServer } from '../support/mockServer.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from './harness/workbench.ts';

suite('failures', () => {
	let mock: MockServer;
	let workbench: Workbench | undefined;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());
	teardown(() => workbench?.close());

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
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: mock.url } });
		const seen = new Set<string>();
		for (const [step, expected, name] of steps) {
			mock.setScript([step, answer('Now it works.')]);
			const message = await alertAfter(workbench, `try ${name}`);
			assert.match(message, expected);
			assert.ok(!seen.has(message), 'each kind has a message of its own');
			seen.add(message);
			await workbench.screenshot(name);
			await (
				await workbench.panel()
			)
				.getByRole('alert')
				.last()
				.getByRole('button', { name: 'Retry', exact: true })
				.click();
			await (await workbench.articles('Loopwright')).last().getByText('Now it works.').waitFor();
			await workbench.waitForEnd();
		}
		assert.deepEqual(mock.violations, []);
	});

	test('no network names the host', async () => {
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: 'http://127.0.0.1:9' } });
		assert.match(await alertAfter(workbench, 'hello'), /127\.0\.0\.1:9/);
		await workbench.screenshot('failure-network');
	});

	test('a base URL that ends in /v1 works', async () => {
		mock.setScript([answer('Hello.')]);
		workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: `${mock.url}/v1` } });
		await workbench.ask('hello');
		await (await workbench.articles('Loopwright')).last().getByText('Hello.').waitFor();
	});
});
