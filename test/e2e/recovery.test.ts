// What goes wrong and comes right by itself: overloads, dropped answers, other models, long waits, and a compaction. Whatever
// recovers is never shown as an error.
import assert from 'node:assert/strict';
import { answer, drop, fail, gate, lastUserText, text, toolUse, turn } from '../support/mockServer.ts';
import { storiesInOneWindow } from './harness/stories.ts';
import type { Workbench } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const overloaded = (retryAfter?: number) =>
	fail(529, 'overloaded_error', 'Overloaded', retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
const limited = (retryAfter: number) =>
	fail(429, 'rate_limit_error', 'Too many requests', { 'retry-after': String(retryAfter) });
const long = (sentence: string, times = 200) => `${sentence} `.repeat(times);

storiesInOneWindow('recovery', (stories) => {
	teardown(() => assert.deepEqual(stories.mock.violations, []));

	const alerts = async (bench: Workbench) => (await bench.panel()).getByRole('alert').count();
	const waitForRetry = async (bench: Workbench) => {
		const [before, after] = bench.text('Retrying in {0} s').split('{0}');
		const seen = await poll(20_000, async () => {
			const status = await bench.status().catch(() => '');
			return (status.startsWith(before ?? '') && status.endsWith(after ?? '') && /\d/.test(status)) || undefined;
		});
		assert.ok(seen, `never "Retrying in N s"\n${await bench.describe()}`);
	};
	const lastAnswer = async (bench: Workbench) => (await bench.articles('Loopwright')).last();
	const group = async (bench: Workbench, name: string) =>
		(await bench.panel()).getByRole('group', { name: bench.text(name), exact: true });

	test('an overloaded service is asked again in peace, and Stop ends a wait at once', async () => {
		stories.mock.setScript([
			overloaded(3),
			overloaded(1),
			answer('Here at last.'),
			overloaded(50),
			answer('After the stop.'),
		]);
		const bench = await stories.open({ theme: 'light' });
		await bench.submit('hello');
		await waitForRetry(bench);
		await (await bench.panel()).locator('p', { hasText: /is overloaded\. Attempt 2 follows\./ }).waitFor();
		assert.equal(await alerts(bench), 0);
		await bench.screenshot('retrying');
		await (await lastAnswer(bench)).getByText('Here at last.').waitFor();
		await bench.waitForStatus('Ready');
		assert.equal(await alerts(bench), 0);
		assert.equal(await (await bench.panel()).getByText(/is overloaded/).count(), 0);

		await bench.submit('again');
		await waitForRetry(bench);
		const stopped = Date.now();
		await (await bench.button('Stop')).click();
		await bench.waitForStatus('Stopped', 5_000);
		assert.ok(Date.now() - stopped < 5_000);
		assert.equal(await (await bench.panel()).getByText(/is overloaded/).count(), 0);
		await bench.ask('and now');
		await (await lastAnswer(bench)).getByText('After the stop.').waitFor();
		assert.equal(stories.mock.requests.length, 5);
	});

	test('half an answer that was dropped is taken back, and the whole one is shown once', async () => {
		const rest = gate();
		stories.mock.setScript([
			turn(text('Half of the', rest, ' answer'), drop({ afterEvents: 5 })),
			answer('The whole answer.'),
		]);
		const bench = await stories.open();
		await bench.submit('tell me');
		await rest.reached;
		await (await lastAnswer(bench)).getByText('Half of the').waitFor();
		rest.open();
		await (await lastAnswer(bench)).getByText('The whole answer.').waitFor();
		await bench.waitForEnd();
		const panel = await bench.panel();
		assert.equal(await panel.getByText('Half of the').count(), 0);
		assert.equal(await panel.getByText('The whole answer.').count(), 1);
		assert.equal(await alerts(bench), 0);
	});

	test('after three overloads the fallback model goes on, and a notice says so, also after a reload', async () => {
		stories.mock.setScript([overloaded(), overloaded(), overloaded(), answer('The other one here.')]);
		const bench = await stories.open({
			settings: { 'loopwright.model': 'claude-sonnet-5', 'loopwright.fallbackModels': ['claude-haiku-5-5'] },
			theme: 'light',
		});
		await bench.ask('hello');
		await (await lastAnswer(bench)).getByText('The other one here.').waitFor();
		const notice = async () => (await bench.panel()).getByText(/is overloaded or declined\. .* goes on\./);
		assert.equal(await (await notice()).count(), 1);
		assert.equal(await alerts(bench), 0);
		assert.equal(stories.mock.requests.at(-1)?.body['model'], 'claude-haiku-5-5');
		await bench.screenshot('fallback');
		await bench.reloadWindow();
		await (await notice()).waitFor();
		assert.equal(await (await notice()).count(), 1);
	});

	test('/compact: nothing to do, then a row with the summary, and the conversation goes on from it', async () => {
		const hold = gate();
		stories.mock.setScript([
			answer(long('The first answer.')),
			answer(long('The second answer.')),
			turn(text('## Intent\n', hold, 'The person wants **tests**.')),
			answer('I go on from the summary.'),
		]);
		const bench = await stories.open({ theme: 'light' });
		await bench.runCommand('Loopwright: Compact');
		await (await bench.panel()).getByText('There is nothing to compact yet.').waitFor();
		await bench.ask('one');
		await bench.ask('two');
		await bench.submit('/compact keep the tests');
		await bench.waitForStatus('Compacting');
		await bench.submit('/compact');
		await (await bench.panel()).getByText(/Compacting has to wait/).waitFor();
		hold.open();
		const row = (await bench.panel()).locator('summary', { hasText: 'Compacted' });
		await row.waitFor();
		await bench.waitForStatus('Ready');
		assert.match(lastUserText(stories.mock.requests[2] ?? assert.fail()), /keep the tests/);
		await row.click();
		await (await bench.panel()).getByText('The person wants').waitFor();
		await bench.screenshot('compacted');
		await bench.ask('three');
		await (await lastAnswer(bench)).getByText('I go on from the summary.').waitFor();
		assert.match(JSON.stringify(stories.mock.requests[3]?.body), /The person wants \*\*tests\*\*/);
		assert.equal(await alerts(bench), 0);
		await bench.reloadWindow();
		await (await bench.panel()).locator('summary', { hasText: 'Compacted' }).waitFor();
	});

	test('a full context is summarised by itself before the next answer', async () => {
		const hold = gate();
		stories.mock.setScript([
			answer(long('The first answer.', 1500)),
			turn(text('The person ', hold, 'said one.')),
			answer('Goes on.'),
		]);
		const bench = await stories.open({ settings: { 'loopwright.compaction.window': 12_000 }, theme: 'light' });
		await bench.ask('one');
		await bench.submit('two');
		await bench.waitForStatus('Compacting');
		await bench.screenshot('compacting');
		hold.open();
		await (await lastAnswer(bench)).getByText('Goes on.').waitFor();
		await bench.waitForEnd();
		assert.equal(await (await bench.panel()).locator('summary', { hasText: 'Compacted' }).count(), 1);
		assert.match(JSON.stringify(stories.mock.requests[2]?.body), /The person said one/);
		assert.equal(await alerts(bench), 0);
	});

	test('a full context that may not be summarised ends with a way on', async () => {
		stories.mock.setScript([
			answer(long('The first answer.', 2500)),
			answer('The person said one.'),
			answer('Goes on.'),
		]);
		const bench = await stories.open({
			settings: { 'loopwright.compaction.window': 10_000, 'loopwright.compaction.enabled': false },
			theme: 'light',
		});
		await bench.ask('one');
		await bench.ask('two');
		const alert = (await bench.panel()).getByRole('alert');
		assert.match((await alert.textContent()) ?? '', /The context is full/);
		await bench.screenshot('context-full');
		await alert.getByRole('button', { name: 'Compact', exact: true }).click();
		await (await bench.panel()).locator('summary', { hasText: 'Compacted' }).waitFor();
		await bench.waitForStatus('Ready');
		assert.equal(await alerts(bench), 0);
		await bench.ask('three');
		await (await lastAnswer(bench)).getByText('Goes on.').waitFor();
	});

	test('the limit of cost ends it before the next request, with a notice', async () => {
		stories.mock.setScript([answer('Hello.')]);
		const bench = await stories.open({
			settings: { 'loopwright.maxCostUsd': 0.000_001, 'loopwright.model': 'claude-sonnet-5' },
			theme: 'light',
		});
		await bench.ask('one');
		await bench.submit('two');
		await (await bench.panel()).getByText(/limit of cost/).waitFor();
		await bench.waitForStatus('Ready');
		assert.equal(await alerts(bench), 0);
		assert.equal(stories.mock.requests.length, 1);
		await bench.screenshot('cost-limit');
	});

	test('a long wait asks; the card outlives a closed panel; Wait waits, Stop takes it away, Give up ends it', async () => {
		stories.mock.setScript([limited(600), limited(600), limited(600), answer('Fine.')]);
		const bench = await stories.open({ theme: 'light' });
		await bench.submit('hello');
		const card = await group(bench, 'Long wait');
		await card.waitFor();
		await bench.waitForStatus('Waiting for you');
		assert.match((await card.textContent()) ?? '', /wait 10\smin \(until \d\d:\d\d\)/);
		await bench.screenshot('long-wait');
		await bench.runCommand('View: Toggle Secondary Side Bar Visibility');
		await bench.runCommand('Loopwright: Focus on Chat View');
		await (await group(bench, 'Long wait')).getByRole('button', { name: 'Wait', exact: true }).click();
		await waitForRetry(bench);
		await (await bench.button('Stop')).click();
		await bench.waitForStatus('Stopped', 5_000);

		await bench.submit('again');
		await (await group(bench, 'Long wait')).waitFor();
		await (await bench.button('Stop')).click();
		await (await group(bench, 'Long wait')).waitFor({ state: 'detached' });
		await bench.waitForStatus('Stopped', 5_000);
		assert.equal(await alerts(bench), 0);

		await bench.submit('and again');
		await (await group(bench, 'Long wait')).getByRole('button', { name: 'Give up', exact: true }).click();
		const alert = (await bench.panel()).getByRole('alert').last();
		await alert.waitFor();
		assert.match((await alert.textContent()) ?? '', /Try again in 10\smin/);
		await bench.screenshot('gave-up');
		await alert.getByRole('button', { name: 'Retry', exact: true }).click();
		await (await lastAnswer(bench)).getByText('Fine.').waitFor();
		assert.equal(stories.mock.requests.length, 4);
	});

	test('a queued prompt can be taken back to be changed', async () => {
		const rest = gate();
		stories.mock.setScript([turn(text('Looking', rest), toolUse('Read', { file_path: 'README.md' })), answer('Done.')]);
		const bench = await stories.open({ theme: 'light' });
		await bench.submit('first');
		await rest.reached;
		await bench.submit('second');
		await bench.submit('third');
		await (await bench.button('Edit queued message: second')).click();
		const composer = await bench.composer();
		assert.ok(await poll(5_000, async () => (await composer.inputValue()) === 'second' || undefined));
		await bench.screenshot('queued-edit');
		await bench.write(composer, 'second, better');
		await (await bench.button('Send')).click();
		await (await bench.button('Edit queued message: second, better')).waitFor();
		rest.open();
		await (await lastAnswer(bench)).getByText('Done.').waitFor();
		await bench.waitForEnd();
		assert.match(JSON.stringify(stories.mock.requests[1]?.body), /"third".*"second, better"/);
	});
});
