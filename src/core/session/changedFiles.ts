// Files that the model has seen and that somebody else has changed since: told once per change. Judged by content; the
// time stamp only saves reading what cannot have changed.
import nodePath from 'node:path';
import { limits } from '../limits.ts';
import { ToldNotes } from '../loop/toldNotes.ts';
import type { Message } from '../messages/types.ts';
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

/** One for each conversation. */
export class ChangedFiles {
	private readonly told = new ToldNotes<Looks>(new Map());
	private lastLook = -Infinity;
	private lastCount: number | undefined;
	private readonly fileState: FileState;
	private readonly workspace: Workspace;
	private readonly clock: Clock;

	constructor(fileState: FileState, workspace: Workspace, clock: Clock) {
		this.fileState = fileState;
		this.workspace = workspace;
		this.clock = clock;
	}

	/**
	 * The note for the next request, if there is one. Turns that follow quickly share a look, unless another conversation of the window
	 * may have changed something, or `now`. Contract: never rejects, and waits for a disk no longer than `limits.changedFilesMs`.
	 */
	async look(messages: readonly Message[], signal: AbortSignal, now = false): Promise<readonly string[]> {
		const time = this.clock.now();
		const count = this.workspace.changeCount?.();
		if (!now && count === this.lastCount && time - this.lastLook < limits.changedFilesEveryMs) return [];
		this.lastLook = time;
		this.lastCount = count;
		const before = this.told.known(messages);
		const files = this.fileState.entries().slice(-limits.watchedFiles);
		if (files.length === 0) return [];
		const looked = await this.inTime(
			Promise.all(
				files.map(async ([path, { hash: knownHash }]) => {
					const last = before.get(path);
					return { path, last, found: await look(path, { last, knownHash, workspace: this.workspace }) };
				}),
			),
			signal,
		);
		if (!looked) return [];
		const looks = new Map(before);
		const changed: string[] = [];
		for (const { path, last, found } of looked) {
			if (!found) continue;
			looks.set(path, found);
			if (found.hash !== found.knownHash && found.hash !== last?.hash) changed.push(path);
		}
		return this.told.tell(changed.length === 0 ? undefined : this.noteOn(changed), looks);
	}

	private noteOn(changed: readonly string[]): string {
		const root = this.workspace.roots[0] ?? '';
		const shown = changed.slice(0, limits.changedFilesTold).map((path) => nodePath.relative(root, path) || path);
		const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
		return `Changed by someone else since you saw them: ${shown.join(', ')}${more}. Read again before you rely on them.`;
	}

	/** Undefined when the disk is too slow, or the exchange is stopped. */
	private async inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
		const done = new AbortController();
		const late = this.clock.sleep(limits.changedFilesMs, AbortSignal.any([signal, done.signal]));
		try {
			return await Promise.race([work, late.then(() => undefined)]);
		} finally {
			done.abort();
		}
	}
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
