// The promises of the loop (loop.md 11) over thousands of random runs: real engine, real executor and pipeline, a strict
// model of the service with every fault, a person who does anything at any moment, kills and resumes. See docs/decisions.
// `SIM_RUNS` and `SIM_SEED` choose other runs; `npm run simulate` makes more.
import assert from 'node:assert/strict';
import { explain, runRange } from '../simulator/range.ts';
import { simulate } from '../simulator/run.ts';

const runs = Number(process.env['SIM_RUNS'] ?? 20_000);
const seed = Number(process.env['SIM_SEED'] ?? 1);
/** Milliseconds: on a slow or busy machine fewer runs are made, and the test says how many. */
const mostMs = 140_000;

suite('simulator', () => {
	test('a seed is one run: the same decisions, requests and steps', async function () {
		this.timeout(mostMs);
		for (let at = 0; at < 50; at++) {
			const { trace: _, ...first } = await simulate(seed + at, { traced: true });
			const { trace: __, ...again } = await simulate(seed + at);
			const { trace: ___, ...replayed } = await simulate(first.decisions);
			assert.deepEqual(again, first);
			assert.deepEqual(replayed, first);
		}
	});

	test(`keeps every promise in ${runs} runs from seed ${seed} on`, async function () {
		this.timeout(mostMs + 120_000);
		const result = await runRange({ seed, runs, mostMs });
		const [broken] = result.broken;
		if (broken) assert.fail(await explain(broken.seed));
		if (result.runs < runs) console.warn(`only ${result.runs} of ${runs} runs in ${mostMs / 1000} s`);
	});
});
