// What bounds a run of the headless runner: costs, waits and limits of the service, other models, the size of the context.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
	answer,
	drop,
	fail,
	text,
	toolUse,
	turn,
	usage,
	type MockServer,
	type Step,
} from '../../support/mockServer.ts';
import { type Headless, linesOf, type Line, useHeadless } from './support.ts';

suite('headless limits', function () {
	this.timeout(60_000);
	const parts = useHeadless();
	let server: MockServer;
	let headless: Headless;
	setup(() => {
		({ server, headless } = parts());
		writeFileSync(path.join(headless.cwd, 'a.txt'), 'first line\n');
	});
	const steps = (...script: Step[]) => server.setScript(script);
	const read = () => toolUse('Read', { file_path: 'a.txt' });
	const models = () => server.requests.map(({ body }) => body['model']);
	async function lines(...args: string[]): Promise<{ status: number | null; lines: Line[]; result: Line }> {
		const { status, stdout } = await headless.run(['-p', 'x', '--output-format', 'stream-json', ...args]);
		const all = linesOf(stdout);
		return { status, lines: all, result: all.at(-1) ?? assert.fail(stdout) };
	}
	const told = (all: readonly Line[], subtype: string) => all.filter((line) => line['subtype'] === subtype);

	test('--fallback-model: after three overloads the next one answers; usage of each is told apart', async () => {
		const tokens = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 2, cache_read_input_tokens: 3 };
		steps(
			turn(read(), usage(tokens)),
			...Array.from({ length: 3 }, () => fail(529, 'overloaded_error')),
			turn(text('Done.'), usage(tokens)),
		);
		const run = await lines('--model', 'claude-sonnet-5', '--fallback-model', 'claude-haiku-4-5,claude-opus-5');
		assert.equal(run.status, 0);
		assert.deepEqual(models(), [...Array.from({ length: 4 }, () => 'claude-sonnet-5'), 'claude-haiku-4-5']);
		const { modelUsage, usage: sum } = run.result as unknown as {
			modelUsage: Record<string, Record<string, number>>;
			usage: Record<string, number>;
		};
		const each = { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 3, cacheCreationInputTokens: 2 };
		for (const [model, cost] of [
			['claude-sonnet-5', (10 * 2 + 5 * 10 + 2 * 2.5 + 3 * 0.2) / 1e6],
			['claude-haiku-4-5', (10 * 1 + 5 * 5 + 2 * 1.25 + 3 * 0.1) / 1e6],
		] as const) {
			const { costUSD, ...used } = modelUsage[model] ?? assert.fail(model);
			assert.deepEqual(used, each);
			assert.ok(Math.abs((costUSD ?? 0) - cost) < 1e-12);
		}
		assert.equal(sum['input_tokens'], 20);
		assert.deepEqual(
			told(run.lines, 'api_retry').map((line) => [line['attempt'], line['error_status'], line['error']]),
			[
				[1, 529, 'overloaded'],
				[2, 529, 'overloaded'],
			],
		);
		assert.match(String(told(run.lines, 'informational')[0]?.['content']), /claude-haiku-4-5 takes over/);
		assert.deepEqual(server.violations, []);
	});

	test('--max-budget-usd: no request once it is spent', async () => {
		steps(turn(read(), usage({ input_tokens: 1_000_000, output_tokens: 1 })), answer('never'));
		const run = await lines('--model', 'claude-sonnet-5', '--max-budget-usd', '1');
		assert.equal(run.status, 1);
		assert.equal(run.result['subtype'], 'error_max_budget_usd');
		assert.equal(run.result['terminal_reason'], 'budget_exhausted');
		assert.equal(server.requests.length, 1);
		assert.ok(Number(run.result['total_cost_usd']) > 1);
	});

	test('a budget for a model without known prices is said to be none', async () => {
		steps(answer('ok'));
		const run = await lines('--model', 'some-model', '--setting', 'maxCostUsd=1');
		assert.match(String(told(run.lines, 'informational')[0]?.['content']), /prices of some-model are not known/);
	});

	test('a wait over a minute ends the run and says until when', async () => {
		steps(fail(429, 'rate_limit_error', 'slow down', { 'retry-after': '3600' }));
		const run = await lines();
		assert.equal(run.status, 1);
		assert.equal(run.result['subtype'], 'error_during_execution');
		assert.equal(run.result['terminal_reason'], 'model_error');
		const words = JSON.stringify(run.result['errors']);
		const until = /until (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/.exec(words)?.[1] ?? assert.fail(words);
		const ahead = Date.parse(`${until.replace(' ', 'T')}Z`) - Date.now();
		assert.ok(ahead > 3_500_000 && ahead <= 3_600_000, String(ahead));
		assert.equal(server.requests.length, 1);
	});

	test('a spend limit without a time ends the run at once', async () => {
		const message = 'You have reached your specified API usage limits.';
		steps(fail(429, 'rate_limit_error', message, {}, { error_code: 'enforced_spend_limit_reached' }));
		const run = await lines();
		assert.equal(run.status, 1);
		assert.match(JSON.stringify(run.result['errors']), /billing.*usage limits.*does not say when this ends/);
		assert.equal(server.requests.length, 1);
	});

	test('network.maxRetries bounds the attempts, and api_retry tells of each', async () => {
		steps(fail(500, 'api_error'), turn(text('half'), drop({ afterEvents: 3 })), fail(500, 'api_error'));
		const run = await lines('--setting', 'network.maxRetries=2');
		assert.equal(run.status, 1);
		assert.equal(server.requests.length, 3);
		const retries = told(run.lines, 'api_retry');
		assert.deepEqual(
			retries.map((line) => [line['attempt'], line['max_retries'], line['error_status'], line['error']]),
			[
				[1, 2, 500, 'server_error'],
				[2, 2, null, 'unknown'],
			],
		);
		assert.ok(retries.every((line) => Number(line['retry_delay_ms']) >= 375));
	});

	test('a small compaction.window: the run compacts, says so, and ends well; the summary counts', async () => {
		let turns = 0;
		const words = 'Some words about what was found. '.repeat(300);
		server.setScript(({ body }) => {
			// No summaries of segments: the whole conversation has to be summarised.
			if (body['tools'] === undefined) return fail(400, 'invalid_request_error');
			const isSummary = JSON.stringify(body['tool_choice'] ?? null).includes('none');
			if (isSummary) return turn(text('The summary.'), usage({ input_tokens: 100, output_tokens: 7 }));
			return turns++ < 12 ? turn(text(words), read()) : answer('Done.');
		});
		const run = await lines('--setting', 'compaction.window=40000');
		assert.equal(run.status, 0, JSON.stringify(run.result));
		const boundary = told(run.lines, 'compact_boundary')[0]?.['compact_metadata'] as Record<string, unknown>;
		assert.equal(boundary['trigger'], 'auto');
		assert.ok(Number(boundary['pre_tokens']) > Number(boundary['post_tokens']));
		assert.deepEqual(
			told(run.lines, 'status')
				.map((line) => line['status'])
				.slice(0, 2),
			['compacting', null],
		);
		const answers = run.lines.filter(({ type }) => type === 'assistant');
		const outputs = answers.map((line) => line['message'] as { usage: { output_tokens: number } });
		const ofTurns = outputs.reduce((sum, message) => sum + message.usage.output_tokens, 0);
		const total = run.result['usage'] as { output_tokens: number };
		assert.ok(total.output_tokens >= ofTurns + 7, `${total.output_tokens} ${ofTurns}`);
		assert.deepEqual(server.violations, []);
	});
});
