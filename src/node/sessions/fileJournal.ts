// Appends to one transcript. Contract: lines are written whole and in the order of the calls; `append` resolves when the line is
// with the operating system, or, while the disk fails, in memory. What waits in memory is written, in order and before anything
// else, as soon as the disk takes it again; secrets are masked on the way.
// Writes synchronously: a line into the system's cache takes some microseconds, a trip through the thread pool a hundred times as
// long, and each turn waits for half a dozen lines one after the other. On a disk that is slow it does take the pool.
import { closeSync, existsSync, mkdirSync, openSync, write, writeSync } from 'node:fs';
import path from 'node:path';
import { maskEntry } from '../../core/messages/maskEntry.ts';
import type { Entry, Journal } from '../../core/messages/journal.ts';
import { mayHoldSecret } from '../../core/util/secrets.ts';
import { formatLine } from './transcriptFile.ts';

/** Why a transcript is kept in memory: no room, no right to write, or something else. */
export type StorageTrouble = 'full' | 'read_only' | 'failed';

/** The file system as a journal needs it; all of it may throw. */
export interface JournalFs {
	/** For appending, 0600, in folders 0700. `fresh`: throws EEXIST when it exists. */
	open(file: string, fresh: boolean): number;
	/** Appends as much as it can; gives the bytes written. */
	write(descriptor: number, bytes: Buffer): number;
	/** The same without holding up the process. */
	writeLater(descriptor: number, bytes: Buffer): Promise<number>;
	close(descriptor: number): void;
}

export interface FileJournalOptions {
	readonly file: string;
	/** Milliseconds since the epoch. It may go backwards, the times of the entries do not. */
	readonly now: () => number;
	/** The file must not exist yet. */
	readonly fresh?: boolean;
	/** The file does not end with a line end, so the first line begins with one. */
	readonly torn?: boolean;
	/** Of the last entry that is stored. */
	readonly lastTime?: number;
	/** Values that are secret whatever they look like, at the moment of writing. */
	readonly secrets?: () => readonly string[];
	/** Called before the first write of all; throws when it must not be written. */
	readonly claim?: () => void;
	/** Called when the journal is closed. */
	readonly release?: () => void;
	/** Called once when the disk fails, until it works again. */
	readonly trouble?: (trouble: StorageTrouble, error: Error) => void;
	/** Called when all that had waited is written, and nothing is missing. */
	readonly recovered?: () => void;
	readonly fs?: JournalFs;
}

/** A write that took longer than this makes the next ones take the thread pool. */
const slowMs = 100;
/** Beyond this what could not be written is let go, for good: a gap would be a false history. */
const mostWaiting = 64 * 1024 * 1024;

export class FileJournal implements Journal {
	readonly #options: FileJournalOptions;
	readonly #fs: JournalFs;
	/** The descriptor, from the first line on. */
	#descriptor: number | undefined;
	#torn: boolean;
	#lastTime: number;
	#claimed = false;
	/** Lines that the disk did not take yet. */
	#waiting: string[] = [];
	#waitingSize = 0;
	#rest: Buffer | undefined;
	#failing = false;
	#given = false;
	#slow = false;
	#closed = false;
	#queue: Promise<void> = Promise.resolve();

	constructor(options: FileJournalOptions) {
		this.#options = options;
		this.#fs = options.fs ?? realFs;
		this.#torn = options.torn ?? false;
		this.#lastTime = options.lastTime ?? 0;
	}

	/** Rejects only where it must not be written: the id is taken, somebody else writes, or may write since it was closed. */
	async append(entry: Entry): Promise<void> {
		if (this.#closed) throw new Error('The transcript is closed.');
		this.#claim();
		this.#lastTime = Math.max(this.#lastTime, this.#options.now());
		this.#keep(this.#line(entry));
		if (!this.#slow) return this.#flush();
		this.#queue = this.#queue.then(() => this.#flushLater());
		await this.#queue;
	}

	/** Lines wait for the disk. */
	get waits(): boolean {
		return this.#waiting.length > 0;
	}

	/** Tries again to write what waits. */
	async retry(): Promise<void> {
		if (this.#closed || !this.waits) return;
		if (!this.#slow) return this.#flush();
		this.#queue = this.#queue.then(() => this.#flushLater());
		await this.#queue;
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#queue;
		if (this.#waiting.length > 0 && this.#claimed) this.#flush();
		if (this.#descriptor !== undefined) this.#fs.close(this.#descriptor);
		this.#descriptor = undefined;
		this.#options.release?.();
	}

	#claim(): void {
		if (this.#claimed) return;
		this.#options.claim?.();
		this.#claimed = true;
	}

	#line(entry: Entry): string {
		const secrets = this.#options.secrets?.() ?? [];
		const line = formatLine(entry, this.#lastTime);
		return mayHoldSecret(line, secrets) ? formatLine(maskEntry(entry, secrets), this.#lastTime) : line;
	}

	#keep(line: string): void {
		if (this.#given) return;
		this.#waiting.push(line);
		this.#waitingSize += line.length;
		if (this.#waitingSize <= mostWaiting) return;
		this.#given = true;
		this.#waiting = [];
	}

	#flush(): void {
		try {
			const descriptor = this.#open();
			while (this.#waiting.length > 0) {
				const began = performance.now();
				let rest = this.#next();
				while (rest.length > 0) rest = this.#taken(rest, this.#fs.write(descriptor, rest));
				this.#done();
				if (performance.now() - began > slowMs) this.#slow = true;
			}
		} catch (error) {
			this.#failed(error);
		}
	}

	async #flushLater(): Promise<void> {
		try {
			const descriptor = this.#open();
			while (this.#waiting.length > 0) {
				let rest = this.#next();
				while (rest.length > 0) rest = this.#taken(rest, await this.#fs.writeLater(descriptor, rest));
				this.#done();
			}
		} catch (error) {
			this.#failed(error);
		}
	}

	#open(): number {
		const { file, fresh = false } = this.#options;
		this.#descriptor ??= this.#fs.open(file, fresh);
		return this.#descriptor;
	}

	/** What is to be written of the first line that waits: the rest of it where the disk was full in its middle. */
	#next(): Buffer {
		this.#rest ??= Buffer.from((this.#torn ? '\n' : '') + (this.#waiting[0] ?? ''), 'utf8');
		return this.#rest;
	}

	#taken(bytes: Buffer, written: number): Buffer {
		this.#rest = bytes.subarray(written);
		return this.#rest;
	}

	#done(): void {
		this.#rest = undefined;
		this.#torn = false;
		this.#waitingSize -= this.#waiting.shift()?.length ?? 0;
		if (!this.#failing || this.#waiting.length > 0) return;
		this.#failing = false;
		this.#options.recovered?.();
	}

	#failed(error: unknown): void {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		if (code === 'EEXIST') {
			this.#given = true;
			this.#waiting = [];
			throw new Error(`There is a session at ${this.#options.file} already.`, { cause: error });
		}
		if (this.#failing) return;
		this.#failing = true;
		const reason = error instanceof Error ? error : new Error(String(error));
		this.#options.trouble?.(troubles[code] ?? 'failed', reason);
	}
}

const troubles: Readonly<Record<string, StorageTrouble>> = {
	ENOSPC: 'full',
	EDQUOT: 'full',
	EFBIG: 'full',
	EROFS: 'read_only',
	EACCES: 'read_only',
	EPERM: 'read_only',
};

/** With those that it is in. Throws why it cannot: making several at once names a disk that can only be read a folder that is missing. */
function makeFolder(folder: string): void {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
	} catch (error) {
		let missing = folder;
		while (!existsSync(path.dirname(missing))) missing = path.dirname(missing);
		if (!existsSync(missing)) mkdirSync(missing, { mode: 0o700 });
		throw error;
	}
}

const realFs: JournalFs = {
	open(file, fresh) {
		const flags = fresh ? 'ax' : 'a';
		try {
			return openSync(file, flags, 0o600);
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
			makeFolder(path.dirname(file));
			return openSync(file, flags, 0o600);
		}
	},
	write: (descriptor, bytes) => writeSync(descriptor, bytes),
	writeLater: (descriptor, bytes) =>
		new Promise((resolve, reject) => {
			write(descriptor, bytes, (error, written) => (error ? reject(error) : resolve(written)));
		}),
	close: (descriptor) => closeSync(descriptor),
};
