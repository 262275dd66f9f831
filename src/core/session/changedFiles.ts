// Files that the model has seen and that somebody else has changed since: told once per change. Judged by content; the
// time stamp only saves reading what cannot have changed.
import nodePath from 'node:path';
import { limits } from '../limits.ts';
import type { AttachmentSource } from '../loop/params.ts';
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

/** One for each conversation. Contract: as `AttachmentSource`. Turns that follow quickly share a look: what changed is told a turn later. */
export function changedFilesSource(fileState: FileState, workspace: Workspace, clock: Clock): AttachmentSource {
	const looks = new Map<string, Look>();
	let lastLook = -Infinity;
	return async (_input, signal) => {
		if (clock.now() - lastLook < limits.changedFilesEveryMs) return [];
		lastLook = clock.now();
		const files = fileState.entries().slice(-limits.watchedFiles);
		const changed: string[] = [];
		// One after the other: the request that leaves at the same time comes first.
		for (const [path, { hash }] of files) {
			if (signal.aborted) return [];
			const found = await look(path, hash, { looks, workspace });
			if (found !== undefined) changed.push(found);
		}
		if (changed.length === 0) return [];
		const root = workspace.roots[0] ?? '';
		const shown = changed.slice(0, limits.changedFilesTold).map((path) => nodePath.relative(root, path) || path);
		const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
		return [
			`Changed by someone else since you saw them: ${shown.join(', ')}${more}. Read again before you rely on them.`,
		];
	};
}

/** The path, when the file is not as the model knows it and this was not told yet. */
async function look(
	path: string,
	knownHash: string,
	{ looks, workspace }: { readonly looks: Map<string, Look>; readonly workspace: Workspace },
): Promise<string | undefined> {
	try {
		const { mtime, size } = (await workspace.stat(path)) ?? { mtime: 0, size: -1 };
		const last = looks.get(path);
		if (last?.mtime === mtime && last.size === size && last.knownHash === knownHash) return undefined;
		const hash = await hashOf(path, workspace);
		looks.set(path, { mtime, size, knownHash, hash });
		return hash === knownHash || hash === last?.hash ? undefined : path;
	} catch {
		return undefined;
	}
}

async function hashOf(path: string, workspace: Workspace): Promise<string> {
	const known = await knownForm(workspace, path);
	return known === undefined ? 'no text' : contentHash(known);
}
