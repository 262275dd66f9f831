// What the bench measures: the scenario that the server plays, and how a run's figures come out of its times.
import { longTurns, readTurns, streamedMegabytes } from './answers.mjs';

/**
 * Times in milliseconds of the server's clock. `spawned`: when the process was asked for.
 * @typedef {{ begun: number, arrived: number, ended: number, bytes: number }} Turn
 * @typedef {{ cpuSeconds: number, maxRssKb: number }} Usage
 * @typedef {{ spawned: number, turns: readonly Turn[], usage: Usage }} Run
 * @typedef {{ name: string, scenario: string, title: string, unit: string, peer: number, figure: (runs: readonly Run[]) => number }} Measure
 */

/** From the end of an answer until the request after it has arrived. @param {readonly Turn[]} turns */
function gaps(turns) {
	return turns.slice(1).map((turn, index) => turn.arrived - (turns[index]?.ended ?? 0));
}

/** @param {readonly number[]} values */
export function median(values) {
	return quantile(values, 0.5);
}

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
	const sorted = values.toSorted((a, b) => a - b);
	const place = (sorted.length - 1) * share;
	const low = sorted[Math.floor(place)] ?? NaN;
	return low + ((sorted[Math.ceil(place)] ?? NaN) - low) * (place % 1);
}

/** The median over the runs of one figure of each. @param {(run: Run) => number} figure */
function each(figure) {
	return (/** @type {readonly Run[]} */ runs) => median(runs.map(figure));
}

/** @param {Run} run */
const firstGap = ({ turns }) => gaps(turns)[0] ?? NaN;

/** In the order in which they are printed. `peer`: the best of the field. @type {readonly Measure[]} */
export const measures = [
	{
		name: 'start',
		scenario: 'start',
		title: 'start to first request',
		unit: 'ms',
		peer: 410,
		figure: each(({ spawned, turns }) => (turns[0]?.arrived ?? NaN) - spawned),
	},
	{
		name: 'turns',
		scenario: 'reads',
		title: `between turns (${readTurns} Reads), median`,
		unit: 'ms',
		peer: 6.4,
		figure: each(({ turns }) => median(gaps(turns))),
	},
	{
		name: 'turns-p95',
		scenario: 'reads',
		title: `between turns (${readTurns} Reads), p95`,
		unit: 'ms',
		peer: 22,
		figure: each(({ turns }) => quantile(gaps(turns), 0.95)),
	},
	{
		name: 'long-first',
		scenario: 'long',
		title: `${longTurns} turns with 20 kB results, turns 1-10`,
		unit: 'ms',
		peer: 10,
		figure: each(({ turns }) => median(gaps(turns).slice(0, 10))),
	},
	{
		name: 'long-last',
		scenario: 'long',
		title: `${longTurns} turns with 20 kB results, turns 91-100`,
		unit: 'ms',
		peer: 16,
		figure: each(({ turns }) => median(gaps(turns).slice(longTurns - 10))),
	},
	{
		name: 'ten-reads',
		scenario: 'tenReads',
		title: 'ten Reads in one turn',
		unit: 'ms',
		peer: 47,
		figure: each(firstGap),
	},
	{
		name: 'command',
		scenario: 'command',
		title: '1 s command at the head of a 2 s answer',
		unit: 'ms',
		peer: 46,
		figure: each(firstGap),
	},
	{
		name: 'cpu',
		scenario: 'stream',
		title: 'CPU per MB streamed',
		unit: 's',
		peer: 1,
		figure: each(({ usage }) => usage.cpuSeconds / streamedMegabytes),
	},
	{ name: 'input', scenario: 'input', title: '100 kB tool input', unit: 'ms', peer: 166, figure: each(firstGap) },
	{
		name: 'memory',
		scenario: 'long',
		title: `peak memory, ${longTurns} turns with 20 kB results`,
		unit: 'MB',
		peer: 280,
		figure: each(({ usage }) => usage.maxRssKb / 1024),
	},
];
