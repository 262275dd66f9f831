// Which lines stay, go and come between two lists of lines. Pure. Rule: large texts cost little more than their length: lines that
// stand once in both are the fixed points, and only what lies between them is compared in full.
import { diffArrays } from 'diff';

/** Lines of both lists together, up to which they are compared in full. */
const comparedInFull = 500;
/** Changed lines that are followed in one place before it is taken as a whole: the cost is quadratic. */
const followed = 1_000;

/** So many lines that follow each other; of a place that changes, `old` comes before `new`. */
export interface LineRun {
	readonly kind: 'same' | 'old' | 'new';
	readonly count: number;
}

export function lineRuns(old: readonly string[], now: readonly string[]): readonly LineRun[] {
	const runs = new Runs();
	const small = old.length + now.length <= comparedInFull;
	const fixed = small ? [] : fixedPoints(old, now);
	let [oldAt, nowAt] = [0, 0];
	for (const point of [...fixed, { old: old.length, now: now.length }]) {
		compare(old.slice(oldAt, point.old), now.slice(nowAt, point.now), runs);
		if (point.old < old.length) runs.add('same', 1);
		[oldAt, nowAt] = [point.old + 1, point.now + 1];
	}
	return runs.all;
}

class Runs {
	readonly all: { kind: LineRun['kind']; count: number }[] = [];

	add(kind: LineRun['kind'], count: number): void {
		const last = this.all.at(-1);
		if (count === 0) return;
		if (last?.kind === kind) last.count += count;
		else this.all.push({ kind, count });
	}
}

function compare(old: readonly string[], now: readonly string[], runs: Runs): void {
	const shorter = Math.min(old.length, now.length);
	let head = 0;
	while (head < shorter && old[head] === now[head]) head++;
	let tail = 0;
	while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
	const [before, after] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
	runs.add('same', head);
	const known = new Set(before);
	const changes = after.some((line) => known.has(line))
		? diffArrays([...before], [...after], { maxEditLength: followed })
		: undefined;
	// Nothing in common, or too much to tell.
	if (changes === undefined) {
		runs.add('old', before.length);
		runs.add('new', after.length);
	}
	for (const { added, removed, count } of changes ?? []) runs.add(added ? 'new' : removed ? 'old' : 'same', count);
	runs.add('same', tail);
}

interface FixedPoint {
	readonly old: number;
	readonly now: number;
}

/** Lines that stand once in both, the longest row of them that is in the same order. Ascending in both. */
function fixedPoints(old: readonly string[], now: readonly string[]): readonly FixedPoint[] {
	const places = onceIn(now);
	const ends: { point: FixedPoint; before: Row | undefined }[] = [];
	for (const [line, at] of onceIn(old)) {
		const found = places.get(line);
		if (found === undefined) continue;
		// The shortest row that it lengthens: `ends` has, by length, the row whose end is nearest.
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((ends[middle]?.point.now ?? 0) < found) low = middle + 1;
			else high = middle;
		}
		ends[low] = { point: { old: at, now: found }, before: ends[low - 1] };
	}
	const row: FixedPoint[] = [];
	for (let end: Row | undefined = ends.at(-1); end; end = end.before) row.push(end.point);
	return row.toReversed();
}

interface Row {
	readonly point: FixedPoint;
	readonly before: Row | undefined;
}

/** Lines that stand there once, in order, and where. */
function onceIn(lines: readonly string[]): ReadonlyMap<string, number> {
	const found = new Map<string, number>();
	for (const [at, line] of lines.entries()) found.set(line, found.has(line) ? -1 : at);
	for (const [line, at] of found) if (at < 0) found.delete(line);
	return found;
}
