// A range of seeds over several processes: each takes every nth seed, and what they found is added up. A broken promise
// that one of them finds ends the others, unless all are wanted.
import { fork } from 'node:child_process';
import type { Broken, Range, RangeResult } from './range.ts';
import { runRange } from './range.ts';

export interface Totals extends RangeResult {
	readonly seconds: number;
	/** Runs a second, as if each process had a core of its own. */
	readonly perCore: number;
}

type Message =
	{ readonly kind: 'progress'; readonly done: number } | { readonly kind: 'end'; readonly result: RangeResult };

/** Runs this program again as workers; `onProgress` is told of all runs that are done. */
export async function runInWorkers(
	range: Range,
	workers: number,
	onProgress: (done: number, seconds: number) => void,
): Promise<Totals> {
	const begun = performance.now();
	const seconds = () => (performance.now() - begun) / 1000;
	const done = Array.from({ length: workers }, () => 0);
	let told = begun;
	const children = done.map(() => fork(process.argv[1] ?? '', ['--worker'], { serialization: 'advanced' }));
	const results = children.map((child, worker) => {
		const share = Math.ceil((range.runs - worker) / workers);
		child.send({ ...range, seed: range.seed + worker, runs: share, stride: workers } satisfies Range);
		return new Promise<RangeResult>((resolve, reject) => {
			child.on('message', (message: Message) => {
				if (message.kind === 'end') {
					if (message.result.broken.length > 0 && !range.all) for (const other of children) other.send('enough');
					resolve(message.result);
					return;
				}
				done[worker] = message.done;
				if (performance.now() - told < 10_000) return;
				told = performance.now();
				onProgress(
					done.reduce((sum, one) => sum + one, 0),
					seconds(),
				);
			});
			child.once('exit', (code) => reject(new Error(`A worker ended with ${code}.`)));
		});
	});
	const all = await Promise.all(results);
	for (const child of children) child.disconnect();
	return {
		...all.reduce(sum),
		seconds: seconds(),
		perCore: all.reduce((rate, one) => rate + one.runs / one.cpuSeconds, 0) / workers,
	};
}

function sum(one: RangeResult, other: RangeResult): RangeResult {
	const reached = { ...one.reached };
	for (const [what, count] of Object.entries(other.reached)) reached[what] = (reached[what] ?? 0) + count;
	const bySeed = (first: Broken, second: Broken) => first.seed - second.seed;
	return {
		runs: one.runs + other.runs,
		requests: one.requests + other.requests,
		steps: one.steps + other.steps,
		cpuSeconds: one.cpuSeconds + other.cpuSeconds,
		broken: [...one.broken, ...other.broken].toSorted(bySeed),
		reached,
	};
}

/** The other side: waits for a range, runs it, tells what it found, and ends when it is let go. */
export function work(): void {
	const send = (message: Message) => void process.send?.(message);
	let enough = false;
	// Let go, or the program that wanted it is gone.
	process.once('disconnect', () => process.exit());
	process.on('message', (message: Range | 'enough') => {
		if (message === 'enough') {
			enough = true;
			return;
		}
		void runRange(message, (done) => {
			send({ kind: 'progress', done });
			return !enough;
		}).then((result) => send({ kind: 'end', result }));
	});
}
