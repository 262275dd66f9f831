// The sessions of a store as the person manages them: list, names, pins, deletion with a way back, and what is cleared away after a
// time. Contract: a session that is open is never deleted, a pinned one only by the person; what is deleted lies in the trash
// first.
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BlobStore } from '../checkpoints/blobStore.ts';
import { adoptTranscript } from './adoptTranscript.ts';
import { followFile } from './followFile.ts';
import { keptContents } from './keptContents.ts';
import { leaseHolder } from './lease.ts';
import { isSessionId, loopwrightHome, projectFolder, projectSlug } from './paths.ts';
import { aboutFile, changeAbout, readAbout, type SessionAbout } from './sessionAbout.ts';
import { infoOf, readEnds, type SessionInfo, type TranscriptEnds } from './sessionInfo.ts';
import { folderOf, transcriptExtension } from './sessionStore.ts';

interface Known {
	/** Time and size of the transcript, time of what is said about it. */
	readonly key: string;
	readonly ends: TranscriptEnds;
	readonly about: SessionAbout;
}

export type Removal = 'removed' | 'open' | 'missing';

const dayMs = 24 * 60 * 60_000;
/** Of files that are looked at at once. */
const together = 32;
/** Of sessions that one clearing away takes; the next one goes on. */
const mostCleared = 500;
/** How long what was deleted can be taken back. */
const trashDays = 7;
/** Of what is told of a name, milliseconds. */
const gatherMs = 50;

export class SessionLibrary {
	readonly #home: string;
	readonly #now: () => number;
	readonly #known = new Map<string, Known>();

	/** `home`: the folder that holds `projects`. */
	constructor(home: string = loopwrightHome(), now: () => number = Date.now) {
		this.#home = home;
		this.#now = now;
	}

	/** The sessions of folders: pinned ones first, then the newest. Of each only the ends are read, and only when they changed. */
	async list(...roots: readonly string[]): Promise<readonly SessionInfo[]> {
		const infos: SessionInfo[] = [];
		for (const root of roots) infos.push(...(await this.#infos(root)));
		return infos.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.mtime - a.mtime || (a.id < b.id ? -1 : 1));
	}

	/** One session, as `list` would have it; undefined when it is not there or cannot be read. */
	async info(root: string, id: string): Promise<SessionInfo | undefined> {
		const file = path.join(projectFolder(this.#home, root), this.#checked(id) + transcriptExtension);
		try {
			const { mtimeMs, size } = await stat(file);
			return await this.#info(root, { id, file, mtime: mtimeMs, size });
		} catch {
			return undefined;
		}
	}

	/** Absolute paths of the transcripts of folders, the one that was written to last first. */
	async transcripts(...roots: readonly string[]): Promise<readonly { readonly id: string; readonly file: string }[]> {
		const files = await Promise.all(roots.map((root) => transcriptsIn(projectFolder(this.#home, root))));
		return files.flat().toSorted((a, b) => b.mtime - a.mtime);
	}

	/** An empty title takes the person's own away again. Rejects when it cannot be written. */
	rename(cwd: string, id: string, title: string): Promise<void> {
		return changeAbout(this.#folder(cwd, id), { title, titleBy: 'person' });
	}

	/** The small model's title; it never takes the place of the person's. */
	suggestTitle(cwd: string, id: string, title: string): Promise<void> {
		return changeAbout(this.#folder(cwd, id), { title, titleBy: 'model' });
	}

	pin(cwd: string, id: string, pinned: boolean): Promise<void> {
		return changeAbout(this.#folder(cwd, id), { pinned });
	}

	archive(cwd: string, id: string, archived: boolean): Promise<void> {
		return changeAbout(this.#folder(cwd, id), { archived });
	}

	/** Tells when a title, a pin may be another. Returns how to end it; undefined while nothing of the session is stored. */
	follow(cwd: string, id: string, changed: () => void): (() => void) | undefined {
		return followFile(aboutFile(this.#folder(cwd, id)), gatherMs, changed);
	}

	/** Puts a session with all that is its own into the trash. Rejects when it cannot be moved. */
	async remove(cwd: string, id: string): Promise<Removal> {
		return await this.#remove(projectFolder(this.#home, cwd), this.#trash(cwd), this.#checked(id));
	}

	/** Takes it back out of the trash; false when it is not there any more, or the id is taken again. */
	async restore(cwd: string, id: string): Promise<boolean> {
		const trash = path.join(this.#trash(cwd), this.#checked(id));
		const folder = projectFolder(this.#home, cwd);
		const transcript = id + transcriptExtension;
		const names = await namesIn(trash);
		if (!names.includes(transcript) || (await isThere(path.join(folder, transcript)))) return false;
		await mkdir(folder, { recursive: true, mode: 0o700 });
		// The transcript comes last: with it the session is there again.
		for (const name of [...names.filter((other) => other !== transcript), transcript]) {
			await rename(path.join(trash, name), path.join(folder, name));
		}
		await rm(trash, { recursive: true, force: true });
		return true;
	}

	/** The sessions of a folder that goes belong to another one from now on. Rejects when one cannot be moved; the others are. */
	async adopt(from: string, to: string): Promise<void> {
		const target = projectFolder(this.#home, to);
		for (const { id, file } of await transcriptsIn(projectFolder(this.#home, from))) {
			if (leaseHolder(folderOf(file)) || (await isThere(path.join(target, path.basename(file))))) continue;
			await adoptTranscript(file, path.join(target, path.basename(file)), to);
			if (await isThere(folderOf(file))) await rename(folderOf(file), path.join(target, id));
		}
	}

	/**
	 * Clears away what is older than `days` in all folders: into the trash, and out of the trash what lies there for a week. 0
	 * or less: nothing. Gives the ids that went into the trash. Never rejects: what cannot be moved stays.
	 */
	async cleanUp(days: number): Promise<readonly string[]> {
		if (!(days > 0)) return [];
		const now = this.#now() / 1000;
		await writeFile(this.#stamp, '', { mode: 0o600 })
			.then(() => utimes(this.#stamp, now, now))
			.catch(() => {});
		const removed: string[] = [];
		for (const slug of await namesIn(path.join(this.#home, 'projects'))) {
			const folder = path.join(this.#home, 'projects', slug);
			const trash = path.join(this.#home, 'trash', slug);
			for (const { id, file, mtime } of await transcriptsIn(folder)) {
				if (removed.length >= mostCleared) break;
				if (this.#now() - mtime <= days * dayMs || (await readAbout(folderOf(file))).pinned) continue;
				const outcome = await this.#remove(folder, trash, id).catch(() => 'missing' as const);
				if (outcome === 'removed') removed.push(id);
			}
		}
		await this.#purge(trashDays);
		return removed;
	}

	/** As `cleanUp`, unless that was within a day, whoever did it. */
	async cleanUpDaily(days: number): Promise<readonly string[]> {
		const last = await stat(this.#stamp).catch(() => undefined);
		const since = last ? this.#now() - last.mtimeMs : Infinity;
		return since >= 0 && since < dayMs ? [] : await this.cleanUp(days);
	}

	/**
	 * Deletes all that is kept of folders, for good, settings included, and the versions of files that no session of another folder
	 * needs. The ids of their sessions that are open stop it, and nothing is deleted.
	 */
	async deleteWorkspace(...roots: readonly string[]): Promise<readonly string[]> {
		const folders = roots.map((root) => projectFolder(this.#home, root));
		const all = (await Promise.all(folders.map(transcriptsIn))).flat();
		const open = all.filter(({ file }) => leaseHolder(folderOf(file))).map(({ id }) => id);
		if (open.length > 0) return open;
		const going = [...folders, ...roots.map((root) => this.#trash(root))];
		const gone = await keptContents(going);
		for (const folder of going) await rm(folder, { recursive: true, force: true });
		if (gone.size > 0) {
			const needed = await keptContents([path.join(this.#home, 'projects'), path.join(this.#home, 'trash')]);
			await new BlobStore(this.#home).forget([...gone].filter((hash) => !needed.has(hash)));
		}
		return [];
	}

	async #purge(days: number): Promise<void> {
		const trash = path.join(this.#home, 'trash');
		for (const slug of await namesIn(trash)) {
			for (const id of await namesIn(path.join(trash, slug))) {
				const item = path.join(trash, slug, id);
				const mtime = await stat(item).then(
					({ mtimeMs }) => mtimeMs,
					() => Infinity,
				);
				if (this.#now() - mtime > days * dayMs) await rm(item, { recursive: true, force: true }).catch(() => {});
			}
		}
	}

	async #remove(folder: string, trash: string, id: string): Promise<Removal> {
		const file = path.join(folder, id + transcriptExtension);
		if (!(await isThere(file))) return 'missing';
		if (leaseHolder(folderOf(file))) return 'open';
		const target = path.join(trash, id);
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true, mode: 0o700 });
		// The transcript goes first: without it there is no session any more.
		await rename(file, path.join(target, path.basename(file)));
		for (const name of await namesIn(folder)) {
			if (name === id || name.startsWith(`${id}${transcriptExtension}`)) {
				await rename(path.join(folder, name), path.join(target, name));
			}
		}
		const now = new Date(this.#now());
		await utimes(target, now, now);
		this.#known.delete(file);
		return 'removed';
	}

	async #infos(root: string): Promise<readonly SessionInfo[]> {
		const files = await transcriptsIn(projectFolder(this.#home, root));
		const infos: SessionInfo[] = [];
		for (let at = 0; at < files.length; at += together) {
			const group = files.slice(at, at + together).map((found) => this.#info(root, found));
			for (const settled of await Promise.allSettled(group))
				if (settled.status === 'fulfilled') infos.push(settled.value);
		}
		return infos;
	}

	async #info(root: string, found: Found): Promise<SessionInfo> {
		const { ends, about } = await this.#look(found);
		return infoOf({ ...found, root, folder: folderOf(found.file) }, ends, about);
	}

	async #look({ file, mtime, size }: Found): Promise<Known> {
		const folder = folderOf(file);
		const said = await stat(aboutFile(folder)).then(
			({ mtimeMs }) => mtimeMs,
			() => 0,
		);
		const key = `${mtime} ${size} ${said}`;
		const known = this.#known.get(file);
		if (known?.key === key) return known;
		const fresh = { key, ends: await readEnds(file, size), about: said === 0 ? {} : await readAbout(folder) };
		this.#known.set(file, fresh);
		return fresh;
	}

	#folder(cwd: string, id: string): string {
		return path.join(projectFolder(this.#home, cwd), this.#checked(id));
	}

	/** Its time says when things were cleared away last. */
	get #stamp(): string {
		return path.join(this.#home, 'cleared');
	}

	#trash(cwd: string): string {
		return path.join(this.#home, 'trash', projectSlug(cwd));
	}

	#checked(id: string): string {
		if (!isSessionId(id)) throw new Error(`This is no session id: ${JSON.stringify(id.slice(0, 100))}`);
		return id;
	}
}

interface Found {
	readonly id: string;
	readonly file: string;
	readonly mtime: number;
	readonly size: number;
}

async function transcriptsIn(folder: string): Promise<readonly Found[]> {
	const names = (await namesIn(folder)).filter((name) => name.endsWith(transcriptExtension));
	const found: Found[] = [];
	for (let at = 0; at < names.length; at += together) {
		const group = names.slice(at, at + together).map(async (name) => {
			const file = path.join(folder, name);
			const stats = await stat(file).catch(() => undefined);
			const id = name.slice(0, -transcriptExtension.length);
			return stats?.isFile() && isSessionId(id) ? [{ id, file, mtime: stats.mtimeMs, size: stats.size }] : [];
		});
		found.push(...(await Promise.all(group)).flat());
	}
	return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
	return await readdir(folder).catch(() => []);
}

async function isThere(file: string): Promise<boolean> {
	return stat(file).then(
		() => true,
		() => false,
	);
}
