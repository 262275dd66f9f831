// The store of transcripts, shared by the extension and the headless runner. Files 0600, folders 0700. Transcripts are
// append-only; a damaged one is copied before the first line is added to it.
import { copyFile, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import path from 'node:path';
import type { Journal, StoredEntry } from '../../core/messages/journal.ts';
import { activeEntries } from '../../core/messages/activeEntries.ts';
import { textOf } from '../../core/messages/types.ts';
import { isSessionId, loopwrightHome, projectFolder } from './paths.ts';
import { FileJournal, formatLine, parseTranscript } from './transcriptFile.ts';

export interface SessionJournal extends Journal {
	/** Waits for the last line and closes the file. */
	close(): Promise<void>;
}
export interface CreatedSession {
	readonly journal: SessionJournal;
	/** Of the transcript; it exists from the first entry on. */
	readonly path: string;
}
export interface OpenedSession extends CreatedSession {
	readonly entries: readonly StoredEntry[];
	/** Lines that could not be read; the file as it was is kept beside as `.damaged`. */
	readonly damaged: number;
}
export interface SessionInfo {
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly mtime: number;
	/** Empty when there is none. At most `promptShown` characters. */
	readonly firstPrompt: string;
}

export interface ForkOrder {
	readonly cwd: string;
	/** Ids of the two sessions. */
	readonly from: string;
	readonly to: string;
	/** Id of the message of the person that the new one does not have any more. */
	readonly before: string;
}

const headBytes = 64 * 1024;
const promptShown = 200;
const extension = '.jsonl';

export class SessionStore {
	readonly #home: string;
	readonly #now: () => number;

	/** `home`: the folder that holds `projects`; by default LOOPWRIGHT_HOME or `~/.loopwright`. */
	constructor(home: string = loopwrightHome(), now: () => number = Date.now) {
		this.#home = home;
		this.#now = now;
	}

	/** A new transcript. Rejects when the id is no file name or is taken, or the folder cannot be made. */
	async create({ cwd, sessionId }: { cwd: string; sessionId: string }): Promise<CreatedSession> {
		const file = this.#file(cwd, sessionId);
		await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
		if (await exists(file)) throw new Error(`There is a session ${sessionId} already.`);
		return { journal: new FileJournal(file, this.#now), path: file };
	}

	/** A stored transcript, to read and to go on with; undefined when there is none. Rejects when it cannot be read. */
	async open(cwd: string, id: string): Promise<OpenedSession | undefined> {
		const file = this.#file(cwd, id);
		if (!(await exists(file))) return undefined;
		const text = await readFile(file, 'utf8');
		const { entries, damaged } = parseTranscript(text);
		if (damaged > 0) await copyFile(file, `${file}.damaged`);
		const startsFresh = text !== '' && !text.endsWith('\n');
		return { entries, damaged, journal: new FileJournal(file, this.#now, startsFresh), path: file };
	}

	/** Copies a transcript, damage and all, under a new id. Rejects when that is taken. */
	async copy(cwd: string, from: string, to: string): Promise<void> {
		await copyFile(this.#file(cwd, from), this.#file(cwd, to), constants.COPYFILE_EXCL);
	}

	/**
	 * A new session that begins as another one did, up to a message of the person; the other one stays as it is. Resolves with
	 * false when there is no such message. Rejects when the id is taken, or it cannot be written.
	 */
	async fork({ cwd, from, to, before }: ForkOrder): Promise<boolean> {
		const stored = await this.open(cwd, from);
		const entries = activeEntries(stored?.entries ?? []);
		const end = entries.findIndex((entry) => entry.type === 'user' && entry.message.id === before);
		if (end < 0) return false;
		const lines = entries.slice(0, end).map(({ time, ...entry }) => {
			// What was taken back before does not count in the new one either.
			if (entry.type === 'rewound' || entry.type === 'rewind_undone') return '';
			return formatLine(entry.type === 'session' ? { ...entry, sessionId: to } : entry, time);
		});
		// The end that a cut exchange never had.
		lines.push(formatLine({ type: 'exchange_end', reason: 'forked' }, this.#now()));
		await writeFile(this.#file(cwd, to), lines.join(''), { flag: 'wx', mode: 0o600 });
		return true;
	}

	/** The sessions of a folder, newest first. Reads the beginning of each file only; what cannot be read is left out. */
	async list(cwd: string): Promise<readonly SessionInfo[]> {
		const files = await this.#files(cwd);
		const infos = await Promise.all(
			files.map(async ({ id, file, mtime }) => ({ id, mtime, firstPrompt: await firstPrompt(file) })),
		);
		return infos.sort((a, b) => b.mtime - a.mtime || (a.id < b.id ? -1 : 1));
	}

	/** The id of the session that was written to last; undefined when there is none. */
	async latest(cwd: string): Promise<string | undefined> {
		const files = await this.#files(cwd);
		return files.reduce<StoredFile | undefined>(
			(best, file) => (best && best.mtime >= file.mtime ? best : file),
			undefined,
		)?.id;
	}

	/** Where a session lies, whatever its folder: the folder that it was started in, as its first entry says. */
	async find(id: string): Promise<{ readonly cwd: string; readonly path: string } | undefined> {
		if (!isSessionId(id)) return undefined;
		const projects = path.join(this.#home, 'projects');
		for (const slug of await names(projects)) {
			const file = path.join(projects, slug, id + extension);
			if (!(await exists(file))) continue;
			const session = parseTranscript(await head(file)).entries.find((entry) => entry.type === 'session');
			if (session) return { cwd: session.cwd, path: file };
		}
		return undefined;
	}

	#file(cwd: string, id: string): string {
		if (!isSessionId(id)) throw new Error(`This is no session id: ${JSON.stringify(id.slice(0, 100))}`);
		return path.join(projectFolder(this.#home, cwd), id + extension);
	}

	async #files(cwd: string): Promise<readonly StoredFile[]> {
		const folder = projectFolder(this.#home, cwd);
		const found = (await names(folder)).filter((name) => name.endsWith(extension));
		const files = await Promise.all(
			found.map(async (name) => {
				const file = path.join(folder, name);
				const stats = await stat(file).catch(() => undefined);
				return stats?.isFile() ? [{ id: name.slice(0, -extension.length), file, mtime: stats.mtimeMs }] : [];
			}),
		);
		return files.flat();
	}
}

interface StoredFile {
	readonly id: string;
	readonly file: string;
	readonly mtime: number;
}

async function firstPrompt(file: string): Promise<string> {
	for (const entry of parseTranscript(await head(file)).entries) {
		if (entry.type === 'user' && entry.message?.origin === 'prompt' && Array.isArray(entry.message.content)) {
			return textOf(entry.message).slice(0, promptShown);
		}
	}
	return '';
}

/** The beginning of a file; empty when it cannot be read. */
async function head(file: string): Promise<string> {
	const handle = await open(file, 'r').catch(() => undefined);
	if (!handle) return '';
	try {
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		return '';
	} finally {
		await handle.close();
	}
}

async function exists(file: string): Promise<boolean> {
	return stat(file).then(
		(stats) => stats.isFile(),
		() => false,
	);
}

async function names(folder: string): Promise<readonly string[]> {
	return readdir(folder).catch(() => []);
}
