// Real time, real ids, real chance.
import { randomUUID } from 'node:crypto';
import type { Clock, NewId, Random } from '../core/ports/clock.ts';

export const systemClock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) =>
		new Promise((resolve) => {
			if (signal?.aborted) return resolve();
			const timer = setTimeout(done, ms);
			function done(): void {
				clearTimeout(timer);
				signal?.removeEventListener('abort', done);
				resolve();
			}
			signal?.addEventListener('abort', done, { once: true });
		}),
};

export const newUuid: NewId = () => randomUUID();

export const systemRandom: Random = () => Math.random();
