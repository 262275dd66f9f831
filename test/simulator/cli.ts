// The simulator as a program, started by scripts/simulate.mjs: `--runs N --seed S` runs a range of seeds, `--all` goes on
// after a failure, `--long` makes long conversations only, `--files` work on files only, `--agents` with subagents, `--explain S` shrinks one seed, `--decisions 1,2,…` plays one script, `--mutants` breaks the source on
// purpose and shows that it is noticed.
import '../support/features.ts';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runMutants } from './mutants.ts';
import { explain } from './range.ts';
import { simulate } from './run.ts';
import { runInWorkers, work } from './workers.ts';

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '20000' },
		seed: { type: 'string', default: '1' },
		seconds: { type: 'string' },
		workers: { type: 'string' },
		worker: { type: 'boolean', default: false },
		all: { type: 'boolean', default: false },
		brief: { type: 'boolean', default: false },
		explain: { type: 'string' },
		decisions: { type: 'string' },
		mutants: { type: 'boolean', default: false },
		only: { type: 'string' },
		long: { type: 'boolean', default: false },
		files: { type: 'boolean', default: false },
		agents: { type: 'boolean', default: false },
	},
});

const kinds = { long: values.long, files: values.files, agents: values.agents };
if (values.worker) work();
else {
	void main().then((code) => {
		process.exitCode = code;
	});
}

async function main(): Promise<number> {
	if (values.explain !== undefined) return say(await explain(Number(values.explain), kinds));
	if (values.decisions !== undefined) {
		const { trace, failure } = await simulate(values.decisions.split(',').map(Number), {
			traced: true,
			...kinds,
		});
		return say([...trace, failure ?? 'Every promise was kept.'].join('\n'));
	}
	if (values.mutants) {
		const { ok } = runMutants(process.cwd(), { seconds: Number(values.seconds ?? 120), only: values.only }, say);
		return ok ? 0 : 1;
	}
	return range(Number(values.seed), Number(values.runs), Number(values.workers ?? availableParallelism()));
}

async function range(seed: number, wanted: number, workers: number): Promise<number> {
	const { all, brief } = values;
	const range = {
		seed,
		runs: wanted,
		stride: 1,
		kinds,
		all,
		...(values.seconds === undefined ? {} : { mostMs: Number(values.seconds) * 1000 }),
	};
	const result = await runInWorkers(range, Math.min(workers, wanted), (done, seconds) => {
		if (!brief) say(`${done} of ${wanted} runs, ${Math.round(done / seconds)} a second`);
	});
	const { runs, requests, steps, seconds, perCore, broken, reached } = result;
	const which = runs === wanted ? `seeds ${seed} to ${seed + runs - 1}` : `seeds from ${seed} on, stopped early`;
	say(
		`${which}: ${runs} runs, ${requests} requests, ${steps} steps, ${broken.length} broken; ` +
			`${Math.round(runs / seconds)} a second in ${workers} processes, ${Math.round(perCore)} a second of one core`,
	);
	if (!brief) {
		say(
			Object.entries(reached)
				.toSorted(([one], [other]) => (one < other ? -1 : 1))
				.map(([what, count]) => `${what} ${count}`)
				.join(', '),
		);
	}
	for (const { seed: at, failure } of broken) say(`seed ${at}: ${failure.split('\n')[0]?.slice(0, 160)}`);
	const [first] = broken;
	if (first && !all && !brief) say(await explain(first.seed, kinds));
	return broken.length === 0 ? 0 : 1;
}

function say(text: string): number {
	process.stdout.write(`${text}\n`);
	return 0;
}
