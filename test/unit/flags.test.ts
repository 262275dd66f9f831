// Each feature flag off: its code is absent from the bundle, and the loop works all the same (loop.md 10). Built with the
// build's own options; only the names are kept, so that functions can be found.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { featureNames, headlessBundle } from '../../scripts/lib/bundles.mjs';
import { answer, startMockServer, text, toolResults, toolUse, turn, type MockServer } from '../support/mockServer.ts';
import { Headless } from './headless/support.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What a bundle with the feature holds, and one without it must not. */
const marks: Readonly<Record<(typeof featureNames)[number], readonly string[]>> = {
	CONTEXT_COLLAPSE: ['stageNext(', 'commitStaged(', 'collapse_drain_retry'],
	REACTIVE_COMPACT: ['reactive_compact_retry'],
	HISTORY_SNIP: ['snip('],
	STREAMING_TOOLS: ['startWhileStreaming('],
	TOKEN_BUDGET: ['of the effort the user asked for', 'targetOf(', 'token_budget_continuation'],
	AUTO_DREAM: ['dream(', 'Put the memory below in order'],
	TOOL_SUMMARIES: ['startLabel(', 'tellLabel(', 'what these tool calls of a coding agent did'],
};

suite('feature flags', function () {
	this.timeout(60_000);
	const folders: string[] = [];
	let server: MockServer;
	let headless: Headless | undefined;
	setup(async () => {
		server = await startMockServer();
	});
	teardown(async () => {
		headless?.dispose();
		await server.close();
	});
	suiteTeardown(() => {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	});

	/** Builds the runner with these flags off; returns its text. */
	async function built(off: readonly string[]): Promise<{ script: string; source: string }> {
		const outdir = path.join(root, 'out/test/flags', off.join('-') || 'none');
		folders.push(outdir);
		const readable = { minify: false, minifySyntax: true, minifyWhitespace: true, logLevel: 'warning' } as const;
		await build({ ...headlessBundle({ off, outdir }), ...readable });
		const script = path.join(outdir, 'headless.js');
		return { script, source: readFileSync(path.join(outdir, 'runner.js'), 'utf8') };
	}

	async function assertWorks(script: string): Promise<void> {
		headless = new Headless(script, server.url);
		writeFileSync(path.join(headless.cwd, 'a.txt'), 'first line\n');
		server.setScript([turn(text('I look.'), toolUse('Read', { file_path: 'a.txt' })), answer('It says: first line.')]);
		const { status, stdout, stderr } = await headless.run(['-p', 'What is in a.txt? +500']);
		assert.deepEqual([status, stdout, stderr], [0, 'It says: first line.\n', '']);
		assert.match(toolResults(server.requests[1] ?? assert.fail())[0]?.text ?? '', /first line/);
		assert.deepEqual(server.violations, []);
	}

	test('all on: everything is there', async () => {
		const { script, source } = await built([]);
		for (const mark of Object.values(marks).flat()) assert.ok(source.includes(mark), `${mark} is not in the bundle`);
		assert.doesNotMatch(source, /\bFEATURES\b/);
		await assertWorks(script);
	});

	for (const name of featureNames) {
		test(`${name} off: absent, and the loop works`, async () => {
			const { script, source } = await built([name]);
			for (const mark of marks[name]) assert.ok(!source.includes(mark), `${mark} is in the bundle`);
			const others = featureNames.filter((other) => other !== name).flatMap((other) => marks[other]);
			for (const mark of others) assert.ok(source.includes(mark), `${mark} is not in the bundle`);
			await assertWorks(script);
		});
	}

	test('all off: the loop works', async () => {
		const { script, source } = await built(featureNames);
		for (const mark of Object.values(marks).flat()) assert.ok(!source.includes(mark), `${mark} is in the bundle`);
		await assertWorks(script);
	});
});
