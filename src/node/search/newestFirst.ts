// Sorting paths by modification time with a bounded number of `stat` calls in flight.
import { stat } from 'node:fs/promises';
import { limits } from '../../core/limits.ts';

/** Newest first; equal times (and files that are gone) by path. */
export async function newestFirst(files: readonly string[]): Promise<string[]> {
	const times = new Map<string, number>();
	let next = 0;
	const worker = async (): Promise<void> => {
		while (next < files.length) {
			const file = files[next++];
			if (file === undefined) return;
			times.set(file, (await stat(file).catch(() => undefined))?.mtimeMs ?? 0);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limits.statConcurrency, files.length) }, worker));
	return [...files].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0) || (a < b ? -1 : 1));
}
