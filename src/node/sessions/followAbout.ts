// Tells when what is said about a session is another, whoever said it: another window may have renamed it. Of one folder alone, by
// the system's own word; nothing is asked again and again. Contract: never throws; where the system cannot tell, nothing is told.
import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { aboutFile } from './sessionAbout.ts';

/** What comes together is told together. Milliseconds. */
const gatherMs = 50;

/** `folder`: of the session's own files. Returns how to end it; undefined while there is no such folder. */
export function followAbout(folder: string, changed: () => void): (() => void) | undefined {
	const about = path.basename(aboutFile(folder));
	let gathering: NodeJS.Timeout | undefined;
	let watcher: FSWatcher;
	const end = () => {
		clearTimeout(gathering);
		watcher.close();
	};
	try {
		watcher = watch(folder, { persistent: false }, (_, name) => {
			// Some systems do not say which file it is.
			if (name !== null && name !== about) return;
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
