// The store of transcripts, shared by the extension and the headless runner. Files 0600, folders 0700. Transcripts are
// append-only, written by one process at a time; a damaged one is copied before the first line is added to it.
import { copyFile, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import path from 'node:path';
import { activeEntries } from '../../core/messages/activeEntries.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { AgentTranscript } from '../../core/session/sessionExport.ts';
import { agentsNamedIn, copyAgents, readAgents } from './agentTranscripts.ts';
import type { StorageTrouble } from './fileJournal.ts';
import { checkpointList } from './keptContents.ts';
import type { Lease, LeaseHolder, LeaseOutcome } from './lease.ts';
import { leaseHolder, takeLease } from './lease.ts';
import { removeLeftBehind } from './leftBehind.ts';
import { readForRequest, readNewest, readPage, readWhole } from './partialRead.ts';
import type { NewestPage, PageOrder, TranscriptPage } from './partialRead.ts';
import { isSessionId, loopwrightHome, projectFolder } from './paths.ts';
import { SessionFiles, type SessionJournal } from './sessionFiles.ts';
import { formatLine, parseTranscript, type Transcript } from './transcriptFile.ts';

export interface CreatedSession {
	readonly journal: SessionJournal;
	/** Of the transcript; it exists from the first entry on. */
	readonly path: string;
}
export interface OpenedSession extends CreatedSession {
	/** Of a large transcript only what is needed to go on. */
	readonly entries: readonly StoredEntry[];
	/** All of it is there, and can be shown at once; else `readPage` gives what is to be shown. */
	readonly small: boolean;
	/** Of the transcript as it was read, in bytes. */
	readonly size: number;
	/** Lines that could not be read, and were not told of before; the file as it was is kept beside as `.damaged`. */
	readonly damaged: number;
	/** Another process, or another window of this one, has the session: it can be read here, not written. */
	readonly openElsewhere: boolean;
}

export interface ForkOrder {
	readonly cwd: string;
	/** Ids of the two sessions. */
	readonly from: string;
	readonly to: string;
	/** Id of the message of the person that the new one does not have any more. */
	readonly before: string;
}

export interface StoreOptions {
	/** Bytes: transcripts up to this size are read whole. */
	readonly wholeBytes?: number;
	/** Milliseconds since the epoch. */
	readonly now?: () => number;
	/** Values that are secret whatever they look like, such as the key in use, at the moment of writing. */
	readonly secrets?: () => readonly string[];
	/** Called once when the disk takes no more of a session; the conversation goes on in memory. */
	readonly trouble?: (trouble: StorageTrouble, error: Error) => void;
	/** Called when all of it is stored again. */
	readonly recovered?: () => void;
}

export const transcriptExtension = '.jsonl';
const headBytes = 64 * 1024;

export class SessionStore {
	readonly #home: string;
	readonly #options: StoreOptions;

	/** `home`: the folder that holds `projects`; by default LOOPWRIGHT_HOME or `~/.loopwright`. */
	constructor(home: string = loopwrightHome(), options: StoreOptions = {}) {
		this.#home = home;
		this.#options = options;
	}

	/** A new transcript; nothing is made before its first entry, whose `append` rejects when the id is taken. Rejects when the id is no file name. */
	async create({ cwd, sessionId }: { cwd: string; sessionId: string }): Promise<CreatedSession> {
		const file = this.#file(cwd, sessionId);
		return { journal: this.#journal(file, { fresh: true }), path: file };
	}

	/**
	 * A stored transcript, to read and to go on with; undefined when there is none. Rejects when it cannot be read.
	 */
	async open(cwd: string, id: string): Promise<OpenedSession | undefined> {
		const file = this.#file(cwd, id);
		if (!(await exists(file))) return undefined;
		const outcome = takeLease(folderOf(file));
		const transcript = await readForRequest(file, this.#options.wholeBytes).catch((error: unknown) => {
			if (outcome.kind === 'held') outcome.lease.release();
			throw error;
		});
		if (outcome.kind === 'taken') {
			return { ...transcript, journal: readOnly, path: file, openElsewhere: true };
		}
		const { entries } = transcript;
		const damaged = await newDamage(file, transcript.damaged);
		await removeLeftBehind(entries, { cwd, folder: folderOf(file) });
		const torn = await isTorn(file);
		const lastTime = entries.at(-1)?.time ?? 0;
		const journal = this.#journal(file, {
			torn,
			lastTime,
			...(outcome.kind === 'held' ? { lease: outcome.lease } : {}),
		});
		return { ...transcript, damaged, journal, path: file, openElsewhere: false };
	}

	/** The whole of a stored transcript, to look at; undefined when there is none. */
	async read(cwd: string, id: string): Promise<Transcript | undefined> {
		const file = this.#file(cwd, id);
		return (await exists(file)) ? await readWhole(file) : undefined;
	}

	/** The transcripts of a session's subagents; those that cannot be read are left out. */
	async readAgents(cwd: string, id: string): Promise<readonly AgentTranscript[]> {
		return await readAgents(folderOf(this.#file(cwd, id)));
	}

	/** The end of a large transcript, as it is now; undefined for one that is small, or not there. */
	async newestPage(cwd: string, id: string): Promise<NewestPage | undefined> {
		const file = this.#file(cwd, id);
		return (await exists(file)) ? await readNewest(file, this.#options.wholeBytes) : undefined;
	}

	/** Entries from the end on, or from an earlier page's start; undefined when there is no such session. */
	async readPage(cwd: string, id: string, order: PageOrder = {}): Promise<TranscriptPage | undefined> {
		const file = this.#file(cwd, id);
		return (await exists(file)) ? await readPage(file, order) : undefined;
	}

	/** Who has a session open, if anybody has. */
	holder(cwd: string, id: string): LeaseHolder | undefined {
		return leaseHolder(folderOf(this.#file(cwd, id)));
	}

	/** Copies a transcript and those of its subagents, damage and all, under a new id. Rejects when that is taken. */
	async copy(cwd: string, from: string, to: string): Promise<void> {
		const [source, target] = [this.#file(cwd, from), this.#file(cwd, to)];
		await copyFile(source, target, constants.COPYFILE_EXCL);
		await copyAgents(folderOf(source), folderOf(target), () => true);
	}

	/** Copies the list of a session's checkpoints, if it has any, so that its copy can go back, too. */
	async copyCheckpoints(cwd: string, from: string, to: string): Promise<void> {
		const [source, target] = [this.#file(cwd, from), this.#file(cwd, to)].map(folderOf);
		if (source === undefined || target === undefined || !(await exists(path.join(source, checkpointList)))) return;
		await mkdir(target, { recursive: true, mode: 0o700 });
		await copyFile(path.join(source, checkpointList), path.join(target, checkpointList));
	}

	/**
	 * A new session that begins as another one did, up to a message of the person; the other one stays as it is. Resolves with
	 * false when there is no such message. Rejects when the id is taken, or it cannot be written.
	 */
	async fork({ cwd, from, to, before }: ForkOrder): Promise<boolean> {
		const stored = await this.read(cwd, from);
		const entries = activeEntries(stored?.entries ?? []);
		const end = entries.findIndex((entry) => entry.type === 'user' && entry.message.id === before);
		if (end < 0) return false;
		const lines = entries.slice(0, end).map(({ time, ...entry }) => {
			// What was taken back before does not count in the new one either.
			if (entry.type === 'rewound' || entry.type === 'rewind_undone' || entry.type === 'switched') return '';
			return formatLine(entry.type === 'session' ? { ...entry, sessionId: to } : entry, time);
		});
		// The end that a cut exchange never had.
		lines.push(formatLine({ type: 'exchange_end', reason: 'forked' }, this.#now()));
		await writeFile(this.#file(cwd, to), lines.join(''), { flag: 'wx', mode: 0o600 });
		const named = agentsNamedIn(entries.slice(0, end));
		await copyAgents(folderOf(this.#file(cwd, from)), folderOf(this.#file(cwd, to)), (agent) => named.has(agent));
		return true;
	}

	/** The id of the session that was written to last; undefined when there is none. */
	async latest(cwd: string): Promise<string | undefined> {
		const folder = projectFolder(this.#home, cwd);
		const files = (await names(folder)).filter((name) => name.endsWith(transcriptExtension));
		let latest: { readonly name: string; readonly mtime: number } | undefined;
		for (const name of files) {
			const stats = await stat(path.join(folder, name)).catch(() => undefined);
			if (stats?.isFile() && (!latest || stats.mtimeMs > latest.mtime)) latest = { name, mtime: stats.mtimeMs };
		}
		return latest?.name.slice(0, -transcriptExtension.length);
	}

	/** Where a session lies, whatever its folder: the folder that it was started in, as its first entry says. */
	async find(id: string): Promise<{ readonly cwd: string; readonly path: string } | undefined> {
		if (!isSessionId(id)) return undefined;
		const projects = path.join(this.#home, 'projects');
		for (const slug of await names(projects)) {
			const file = path.join(projects, slug, id + transcriptExtension);
			if (!(await exists(file))) continue;
			const session = parseTranscript(await head(file)).entries.find((entry) => entry.type === 'session');
			if (session) return { cwd: session.cwd, path: file };
		}
		return undefined;
	}

	#journal(
		file: string,
		from: { readonly fresh?: boolean; readonly torn?: boolean; readonly lastTime?: number; readonly lease?: Lease },
	): SessionJournal {
		const { lease: held, ...options } = from;
		let lease = held;
		const claim = () => {
			// A new session has an id of its own: others can only look whether it is open.
			const outcome: LeaseOutcome = lease ? { kind: 'held', lease } : takeLease(folderOf(file));
			if (outcome.kind === 'held') lease = outcome.lease;
			if (outcome.kind === 'taken' || lease?.isMine() === false) throw new Error(openElsewhere);
		};
		const { secrets, trouble, recovered } = this.#options;
		return new SessionFiles({
			file,
			folder: folderOf(file),
			now: () => this.#now(),
			claim,
			release: () => lease?.release(),
			...options,
			...(secrets ? { secrets } : {}),
			...(trouble ? { trouble } : {}),
			...(recovered ? { recovered } : {}),
		});
	}

	#now(): number {
		return (this.#options.now ?? Date.now)();
	}

	#file(cwd: string, id: string): string {
		if (!isSessionId(id)) throw new Error(`This is no session id: ${JSON.stringify(id.slice(0, 100))}`);
		return path.join(projectFolder(this.#home, cwd), id + transcriptExtension);
	}
}

const openElsewhere = 'The session is open elsewhere: it can only be read here, or gone on with in a copy.';

const readOnly: SessionJournal = {
	append: () => Promise.reject(new Error(openElsewhere)),
	agentJournal: () => ({ append: () => Promise.reject(new Error(openElsewhere)), close: () => {} }),
	close: () => Promise.resolve(),
};

/** Of a session's own files. */
export function folderOf(transcript: string): string {
	return transcript.slice(0, -transcriptExtension.length);
}

/** Keeps the file as it was, and how much of it is broken: each line is told of once. */
async function newDamage(file: string, damaged: number): Promise<number> {
	if (damaged === 0) return 0;
	const note = path.join(folderOf(file), 'damaged');
	const known = Number(await readFile(note, 'utf8').catch(() => '0')) || 0;
	if (known >= damaged) return 0;
	await copyFile(file, `${file}.damaged`)
		.then(() => writeFile(note, String(damaged), { mode: 0o600 }))
		.catch(() => {});
	return damaged - known;
}

async function isTorn(file: string): Promise<boolean> {
	const handle = await open(file, 'r');
	try {
		const { size } = await handle.stat();
		if (size === 0) return false;
		const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
		return buffer[0] !== 0x0a;
	} finally {
		await handle.close();
	}
}

/** The beginning of a file; empty when it cannot be read. */
export async function head(file: string): Promise<string> {
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
