// The simulator as a program, started by scripts/simulate.mjs: `--runs N --seed S` runs a range of seeds, `--all` goes on
// after a failure, `--long` makes long conversations only, `--explain S` shrinks one seed, `--decisions 1,2,…` plays one script, `--mutants` breaks the source on
// purpose and shows that it is noticed.
import '../support/features.ts';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runMutants } from './mutants.ts';
import { explain, runRange } from './range.ts';
import { simulate } from './run.ts';

const { values } = parseArgs({
	options: {
		runs: { type: 'string', default: '20000' },
		seed: { type: 'string', default: '1' },
		seconds: { type: 'string' },
		all: { type: 'boolean', default: false },
		brief: { type: 'boolean', default: false },
		explain: { type: 'string' },
		decisions: { type: 'string' },
		mutants: { type: 'boolean', default: false },
		only: { type: 'string' },
		long: { type: 'boolean', default: false },
	},
});

void main().then((code) => {
	process.exitCode = code;
});

async function main(): Promise<number> {
	if (values.explain !== undefined) return say(await explain(Number(values.explain), values.long));
	if (values.decisions !== undefined) {
		const { trace, failure } = await simulate(values.decisions.split(',').map(Number), {
			traced: true,
			long: values.long,
		});
		return say([...trace, failure ?? 'Every promise was kept.'].join('\n'));
	}
	if (values.mutants) {
		const root = path.resolve(import.meta.dirname, '../..');
		const { ok } = runMutants(root, { seconds: Number(values.seconds ?? 120), only: values.only }, say);
		return ok ? 0 : 1;
	}
	const [seed, runs] = [Number(values.seed), Number(values.runs)];
	const result = await runRange({
		seed,
		runs,
		long: values.long,
		...(values.seconds === undefined ? {} : { mostMs: Number(values.seconds) * 1000 }),
		...(values.all ? { mostFailures: Infinity } : {}),
		...(values.brief ? {} : { onProgress: say }),
	});
	const { requests, steps, seconds, cpuSeconds, broken, reached } = result;
	say(
		`seeds ${seed} to ${seed + result.runs - 1}: ${result.runs} runs, ${requests} requests, ${steps} steps, ` +
			`${broken.length} broken; ${Math.round(result.runs / seconds)} a second, ${Math.round(result.runs / cpuSeconds)} a second of one core`,
	);
	if (!values.brief) {
		say(
			[...reached]
				.toSorted(([one], [other]) => (one < other ? -1 : 1))
				.map(([what, count]) => `${what} ${count}`)
				.join(', '),
		);
	}
	for (const { seed: at, failure } of broken) say(`seed ${at}: ${failure.split('\n')[0]?.slice(0, 160)}`);
	const [first] = broken;
	if (first && !values.all && !values.brief) say(await explain(first.seed, values.long));
	return broken.length === 0 ? 0 : 1;
}

function say(text: string): number {
	process.stdout.write(`${text}\n`);
	return 0;
}
