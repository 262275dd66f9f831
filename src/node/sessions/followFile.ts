// Tells when a file is another, whoever wrote it: another window may have renamed a session, a subagent goes on. By the system's own
// word; nothing is asked again and again. Contract: never throws; where the system cannot tell, nothing is told.
import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

/** `gatherMs`: what comes within it is told together. Returns how to end it; undefined while the file's folder is not there. */
export function followFile(file: string, gatherMs: number, changed: () => void): (() => void) | undefined {
	let gathering: NodeJS.Timeout | undefined;
	let watcher: FSWatcher;
	const end = () => {
		clearTimeout(gathering);
		watcher.close();
	};
	try {
		watcher = watch(path.dirname(file), { persistent: false }, (_, name) => {
			// Some systems do not say which file it is.
			if (name !== null && name !== path.basename(file)) return;
			gathering ??= setTimeout(() => {
				gathering = undefined;
				changed();
			}, gatherMs);
			gathering.unref();
		});
	} catch {
		return undefined;
	}
	watcher.on('error', end);
	return end;
}
