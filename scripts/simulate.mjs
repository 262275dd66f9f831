// `npm run simulate`: random runs of the real engine against a model of the service, with random faults and a random person
// (docs/decisions). `--runs N --seed S` runs the seeds S to S+N-1 (a later call goes on with another S); `--workers 2` uses
// two cores; `--all` goes on after a failure; `--long` makes long conversations only; `--explain S` shrinks one seed; `--mutants` shows that breaks are noticed.
import { parseArgs } from 'node:util';
import { runMain, start } from './lib/shell.mjs';

await runMain(async () => {
	const { values } = parseArgs({
		options: {
			workers: { type: 'string', default: '1' },
			runs: { type: 'string', default: '20000' },
			seed: { type: 'string', default: '1' },
			seconds: { type: 'string' },
			explain: { type: 'string' },
			decisions: { type: 'string' },
			all: { type: 'boolean' },
			brief: { type: 'boolean' },
			mutants: { type: 'boolean' },
			only: { type: 'string' },
			long: { type: 'boolean' },
		},
	});
	const { workers, runs, seed, ...others } = values;
	const passed = Object.entries(others).flatMap(([name, value]) =>
		value === true ? [`--${name}`] : [`--${name}`, value],
	);
	const share = Math.ceil(Number(runs) / Number(workers));
	const ends = Array.from({ length: Number(workers) }, (_, worker) => {
		const from = worker * share;
		const range = ['--seed', String(Number(seed) + from), '--runs', String(Math.min(share, Number(runs) - from))];
		const args = ['--import', 'tsx', 'test/simulator/cli.ts', ...range, ...passed.map(String)];
		return ended(start(process.execPath, args, { stdio: 'inherit' }));
	});
	return Math.max(...(await Promise.all(ends)));
});

/** Its exit status. @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
function ended(child) {
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
