// The promises of the loop (loop.md 11) over thousands of random runs: real engine, real executor and pipeline, a strict
// model of the service with every fault, a person who does anything at any moment, kills and resumes. See docs/decisions.
// `SIM_RUNS` and `SIM_SEED` choose other runs; `npm run simulate` makes more.
import assert from 'node:assert/strict';
import path from 'node:path';
import { run } from '../../scripts/lib/shell.mjs';
import { simulate } from '../simulator/run.ts';

const runs = Number(process.env['SIM_RUNS'] ?? 20_000);
const seed = Number(process.env['SIM_SEED'] ?? 1);
/** Seconds: on a slow or busy machine fewer runs are made, and the test says how many. */
const most = 135;
const script = path.resolve(import.meta.dirname, '../../scripts/simulate.mjs');

suite('simulator', () => {
	test('a seed is one run: the same decisions, requests and steps', async function () {
		this.timeout(most * 1000);
		for (let at = 0; at < 50; at++) {
			const { trace: _, ...first } = await simulate(seed + at, { traced: true });
			const { trace: __, ...again } = await simulate(seed + at);
			const { trace: ___, ...replayed } = await simulate(first.decisions);
			assert.deepEqual(again, first);
			assert.deepEqual(replayed, first);
		}
	});

	test(`keeps every promise in ${runs} runs from seed ${seed} on`, async function () {
		const timeoutMs = (most + 120) * 1000;
		this.timeout(timeoutMs + 10_000);
		const range = ['--runs', String(runs), '--seed', String(seed), '--seconds', String(most)];
		const { code, output } = await run(process.execPath, [script, ...range], { timeoutMs });
		assert.equal(code, 0, output);
		const made = Number(/: (\d+) runs, /.exec(output)?.[1]);
		assert.ok(made > 0, output);
		if (made < runs) console.warn(`only ${made} of ${runs} runs in ${most} s`);
	});
});
