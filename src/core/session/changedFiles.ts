// Files that the model has seen and that somebody else has changed since: told once per change. Judged by content; the
// time stamp only saves reading what cannot have changed.
import nodePath from 'node:path';
import { limits } from '../limits.ts';
import type { AttachmentSource } from '../loop/params.ts';
import { ToldNotes } from '../loop/toldNotes.ts';
import type { Clock } from '../ports/clock.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { FileState } from '../tools/fileState.ts';
import { contentHash } from '../tools/fileState.ts';
import { knownForm } from '../tools/notebookFile.ts';

/** What the last look at a file found. */
interface Look {
	readonly mtime: number;
	readonly size: number;
	/** As the model knew the file then, and as it was. */
	readonly knownHash: string;
	readonly hash: string;
}

/** By path. */
type Looks = ReadonlyMap<string, Look>;

/** One for each conversation. Contract: as `AttachmentSource`. Turns that follow quickly share a look: what changed is told a turn later. */
export function changedFilesSource(fileState: FileState, workspace: Workspace, clock: Clock): AttachmentSource {
	const told = new ToldNotes<Looks>(new Map());
	let lastLook = -Infinity;
	return async ({ messages }, signal) => {
		if (clock.now() - lastLook < limits.changedFilesEveryMs) return [];
		lastLook = clock.now();
		const before = told.known(messages);
		const files = fileState.entries().slice(-limits.watchedFiles);
		const looks = new Map(before);
		const changed: string[] = [];
		// One after the other: the request that leaves at the same time comes first.
		for (const [path, { hash }] of files) {
			if (signal.aborted) return [];
			const last = before.get(path);
			const now = await look(path, { last, knownHash: hash, workspace });
			if (now === undefined) continue;
			looks.set(path, now);
			if (now.hash !== hash && now.hash !== last?.hash) changed.push(path);
		}
		if (changed.length === 0) return told.tell(undefined, looks);
		const root = workspace.roots[0] ?? '';
		const shown = changed.slice(0, limits.changedFilesTold).map((path) => nodePath.relative(root, path) || path);
		const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
		const note = `Changed by someone else since you saw them: ${shown.join(', ')}${more}. Read again before you rely on them.`;
		return told.tell(note, looks);
	};
}

interface Known {
	readonly last: Look | undefined;
	readonly knownHash: string;
	readonly workspace: Workspace;
}

/** What is found when it may not be as it was at the last look. */
async function look(path: string, { last, knownHash, workspace }: Known): Promise<Look | undefined> {
	try {
		const { mtime, size } = (await workspace.stat(path)) ?? { mtime: 0, size: -1 };
		if (last?.mtime === mtime && last.size === size && last.knownHash === knownHash) return undefined;
		return { mtime, size, knownHash, hash: await hashOf(path, workspace) };
	} catch {
		return undefined;
	}
}

async function hashOf(path: string, workspace: Workspace): Promise<string> {
	const known = await knownForm(workspace, path);
	return known === undefined ? 'no text' : contentHash(known);
}
