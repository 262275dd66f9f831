// A clock for waits that a test does not want to wait for.
import type { Clock } from '../../src/core/ports/clock.ts';

/** Time that passes only by sleeping; `waits` are the sleeps. */
export function fastClock(): { clock: Clock; waits: number[] } {
	let time = Date.UTC(2026, 0, 2);
	const waits: number[] = [];
	const sleep = (ms: number) => {
		waits.push(ms);
		time += ms;
		return Promise.resolve();
	};
	return { clock: { now: () => time, sleep }, waits };
}
