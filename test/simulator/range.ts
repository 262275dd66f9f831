// Runs a range of seeds: counts, progress, and for a broken promise the seed and the shortest script that breaks it.
import { simulate } from './run.ts';
import { shrink } from './shrink.ts';

export interface Range {
	/** The first seed, and how many. */
	readonly seed: number;
	readonly runs: number;
	/** Milliseconds after which it stops early; unset: never. */
	readonly mostMs?: number;
	/** Long conversations only. */
	readonly long?: boolean;
	/** Broken runs after which it stops. */
	readonly mostFailures?: number;
	readonly onProgress?: (line: string) => void;
}

export interface Broken {
	readonly seed: number;
	readonly failure: string;
}

export interface RangeResult {
	readonly runs: number;
	readonly requests: number;
	readonly steps: number;
	readonly seconds: number;
	/** Of this process, user and system. */
	readonly cpuSeconds: number;
	readonly broken: readonly Broken[];
	/** Stages, changes and ends, and how often each was reached in all runs. */
	readonly reached: ReadonlyMap<string, number>;
}

export async function runRange(range: Range): Promise<RangeResult> {
	const { seed, runs, mostMs = Infinity, mostFailures = 1, long = false, onProgress } = range;
	const begun = performance.now();
	const cpu = process.cpuUsage();
	const broken: Broken[] = [];
	const reached = new Map<string, number>();
	let [done, requests, steps, told] = [0, 0, 0, begun];
	const seconds = () => (performance.now() - begun) / 1000;
	while (done < runs && seconds() * 1000 < mostMs && broken.length < mostFailures) {
		const outcome = await simulate(seed + done, { long });
		requests += outcome.requests;
		steps += outcome.steps;
		for (const [what, count] of outcome.reached) reached.set(what, (reached.get(what) ?? 0) + count);
		if (outcome.failure !== undefined) broken.push({ seed: seed + done, failure: outcome.failure });
		done++;
		if (performance.now() - told < 10_000) continue;
		told = performance.now();
		onProgress?.(`${done} of ${runs} runs, next seed ${seed + done}, ${Math.round(done / seconds())} a second`);
	}
	const { user, system } = process.cpuUsage(cpu);
	return { runs: done, requests, steps, seconds: seconds(), cpuSeconds: (user + system) / 1e6, broken, reached };
}

/** A broken run in words: its seed, the decisions of its shortest form, and what happens in it. */
export async function explain(seed: number, long = false): Promise<string> {
	const failed = await simulate(seed, { long });
	if (failed.failure === undefined) return `seed ${seed} keeps every promise`;
	const short = await shrink(failed, long);
	const decisions = short.decisions.slice(0, short.decisions.findLastIndex((value) => value !== 0) + 1);
	return [`seed ${seed}: ${failed.failure.slice(0, 1000)}`, `decisions ${decisions.join(',')}`, ...short.trace].join(
		'\n',
	);
}
