// Makes a failing run short: leaves decisions out and makes them plainer, as long as the same promise stays broken.
import type { Outcome } from './run.ts';
import type { Kinds } from './engine.ts';
import { simulate } from './run.ts';

/** The shortest run that was found; `most`: runs that it may take. */
export async function shrink(failed: Outcome, kinds: Kinds, most = 3000): Promise<Outcome> {
	const kind = kindOf(failed);
	let best = trimmed(failed.decisions);
	const budget = { left: most };
	const works = async (list: readonly number[]): Promise<boolean> => {
		if (budget.left-- <= 0) return false;
		const outcome = await simulate(list, kinds);
		if (outcome.failure === undefined || kindOf(outcome) !== kind) return false;
		best = trimmed(list.length <= outcome.decisions.length ? list : outcome.decisions);
		return true;
	};
	for (let before = -1; before !== measure(best) && budget.left > 0;) {
		before = measure(best);
		for (let size = Math.max(1, best.length >> 1); size >= 1; size >>= 1) {
			for (let at = best.length - size; at >= 0 && budget.left > 0; at -= size) {
				const without = [...best.slice(0, at), ...best.slice(at + size)];
				const zeros = best.map((value, index) => (index >= at && index < at + size ? 0 : value));
				if (!(await works(without)) && zeros.some((value, index) => value !== best[index])) await works(zeros);
			}
		}
		for (let at = 0; at < best.length && budget.left > 0; at++) {
			const value = best[at] ?? 0;
			for (const smaller of [value >> 1, value - 1]) {
				if (value > 1 && (await works(best.map((old, index) => (index === at ? smaller : old))))) break;
			}
		}
	}
	return simulate(best, { traced: true, ...kinds });
}

/** Which promise is broken: its number, or its first words. */
export function kindOf({ failure }: Outcome): string {
	return (
		(failure ?? '')
			.replace(/\d+/g, '#')
			.replace(/[\n"].*/s, '')
			.slice(0, 40) + (failure ?? '').slice(0, 2)
	);
}

function trimmed(list: readonly number[]): readonly number[] {
	return list.slice(0, list.findLastIndex((value) => value !== 0) + 1);
}

function measure(list: readonly number[]): number {
	return list.length * 1000 + list.reduce((sum, value) => sum + value, 0);
}
