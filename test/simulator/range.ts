// Runs a range of seeds: counts, progress, and for a broken promise the seed and the shortest script that breaks it.
import type { Kinds } from './engine.ts';
import { simulate } from './run.ts';
import { shrink } from './shrink.ts';

export interface Range {
	/** The first seed, and how many runs. */
	readonly seed: number;
	readonly runs: number;
	/** From one seed to the next: more than 1 where others make the runs in between. */
	readonly stride: number;
	/** Milliseconds after which it stops early; unset: never. */
	readonly mostMs?: number;
	readonly kinds: Kinds;
	/** Goes on after a broken run. */
	readonly all: boolean;
}

export interface Broken {
	readonly seed: number;
	readonly failure: string;
}

export interface RangeResult {
	readonly runs: number;
	readonly requests: number;
	readonly steps: number;
	/** Of this process, user and system. */
	readonly cpuSeconds: number;
	readonly broken: readonly Broken[];
	/** Stages, changes and ends, and how often each was reached in all runs. */
	readonly reached: Readonly<Record<string, number>>;
}

/** `onProgress` is told from time to time how many runs are done; it may say that it is enough. */
export async function runRange(range: Range, onProgress: (done: number) => boolean): Promise<RangeResult> {
	const { seed, runs, stride, mostMs = Infinity, kinds, all } = range;
	const begun = performance.now();
	const broken: Broken[] = [];
	const reached: Record<string, number> = {};
	let [done, requests, steps, told] = [0, 0, 0, begun];
	const mostBroken = all ? Infinity : 1;
	while (done < runs && broken.length < mostBroken) {
		const at = seed + stride * done;
		const outcome = await simulate(at, kinds);
		requests += outcome.requests;
		steps += outcome.steps;
		for (const [what, count] of outcome.reached) reached[what] = (reached[what] ?? 0) + count;
		if (outcome.failure !== undefined) broken.push({ seed: at, failure: outcome.failure });
		done++;
		const now = performance.now();
		if (now - begun >= mostMs) break;
		if (now - told < 500) continue;
		told = now;
		if (!onProgress(done)) break;
	}
	const { user, system } = process.cpuUsage();
	return { runs: done, requests, steps, cpuSeconds: (user + system) / 1e6, broken, reached };
}

/** A broken run in words: its seed, the decisions of its shortest form, and what happens in it. */
export async function explain(seed: number, kinds: Kinds): Promise<string> {
	const failed = await simulate(seed, kinds);
	if (failed.failure === undefined) return `seed ${seed} keeps every promise`;
	const short = await shrink(failed, kinds);
	const decisions = short.decisions.slice(0, short.decisions.findLastIndex((value) => value !== 0) + 1);
	return [`seed ${seed}: ${failed.failure.slice(0, 1000)}`, `decisions ${decisions.join(',')}`, ...short.trace].join(
		'\n',
	);
}
