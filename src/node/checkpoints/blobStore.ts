// The bytes of files as they were: one file for each content, named after its hash, shared by all sessions. Files 0600, folders
// 0700. Contract: what is read is what the hash says, or nothing.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loopwrightHome } from '../sessions/paths.ts';

const day = 24 * 60 * 60_000;

export interface Bounds {
	/** Bytes of all contents together. */
	readonly maxBytes: number;
	/** Days after which a content that nobody needed is removed. */
	readonly days: number;
}

export class BlobStore {
	/** Absolute; it exists from the first content on. */
	readonly folder: string;
	private readonly now: () => number;

	/** `home`: as of sessions. */
	constructor(home: string = loopwrightHome(), now: () => number = Date.now) {
		this.folder = path.join(home, 'checkpoints');
		this.now = now;
	}

	/**
	 * Keeps the bytes; their hash. Throws when they cannot be written. Synchronous, as the agent's change waits for it: some
	 * calls into the system's cache take tens of microseconds, trips through a busy thread pool many times as long.
	 */
	put(bytes: Uint8Array): string {
		const hash = hashOf(bytes);
		const file = this.file(hash);
		const known = statSync(file, { throwIfNoEntry: false });
		if (known?.size === bytes.length) {
			// Used again: it counts as young.
			const now = this.now();
			if (now - known.mtimeMs > day) utimesSync(file, now / 1000, now / 1000);
			return hash;
		}
		const folder = path.dirname(file);
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const temporary = path.join(folder, `${randomUUID()}.tmp`);
		try {
			writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
			renameSync(temporary, file);
		} catch (error) {
			rmSync(temporary, { force: true });
			throw error;
		}
		return hash;
	}

	/** Undefined when it is not there, or is not what it should be. */
	async get(hash: string): Promise<Uint8Array | undefined> {
		if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
		const bytes = await readFile(this.file(hash)).catch(() => undefined);
		return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
	}

	/** Removes these contents. Never rejects: what cannot be removed stays. */
	async forget(hashes: Iterable<string>): Promise<void> {
		for (const hash of hashes) await rm(this.file(hash), { force: true }).catch(() => {});
	}

	/** Removes what is too old or too much, and remembers the bounds for those who know of no settings. Never rejects. */
	async prune(bounds: Bounds): Promise<number> {
		const now = this.now() / 1000;
		await writeFile(this.boundsFile, JSON.stringify(bounds), { mode: 0o600 })
			.then(() => utimes(this.boundsFile, now, now))
			.catch(() => undefined);
		return this.remove(bounds);
	}

	/** As `prune`, by the bounds that were used last (else these), unless that was within a day. Never rejects. */
	async pruneDaily(bounds: Bounds): Promise<void> {
		const last = await stat(this.boundsFile).catch(() => undefined);
		if (last && this.now() - last.mtimeMs < day) return;
		const text = last ? await readFile(this.boundsFile, 'utf8').catch(() => '') : '';
		await this.prune(parseBounds(text) ?? bounds);
	}

	private get boundsFile(): string {
		return path.join(this.folder, 'bounds.json');
	}

	/** Removes what is too old, then the oldest until the rest fits. Never rejects; the number of contents that went. */
	private async remove({ maxBytes, days }: Bounds): Promise<number> {
		const all = await this.contents();
		const oldest = this.now() - days * day;
		let bytes = all.reduce((sum, { size }) => sum + size, 0);
		let removed = 0;
		for (const { file, size, mtime } of all.toSorted((one, other) => one.mtime - other.mtime)) {
			if (mtime >= oldest && bytes <= maxBytes) break;
			await rm(file, { force: true }).then(
				() => {
					bytes -= size;
					removed++;
				},
				() => undefined,
			);
		}
		return removed;
	}

	private async contents() {
		const names = await readdir(this.folder, { recursive: true, withFileTypes: true }).catch(() => []);
		const found: { file: string; size: number; mtime: number }[] = [];
		for (const entry of names) {
			if (!entry.isFile() || !/^(?:[0-9a-f]{62}|[0-9a-f-]{36}\.tmp)$/.test(entry.name)) continue;
			const file = path.join(entry.parentPath, entry.name);
			const stats = await stat(file).catch(() => undefined);
			if (stats) found.push({ file, size: stats.size, mtime: stats.mtimeMs });
		}
		return found;
	}

	private file(hash: string): string {
		return path.join(this.folder, hash.slice(0, 2), hash.slice(2));
	}
}

function parseBounds(text: string): Bounds | undefined {
	try {
		const { maxBytes, days } = JSON.parse(text) as Partial<Bounds>;
		return typeof maxBytes === 'number' && typeof days === 'number' ? { maxBytes, days } : undefined;
	} catch {
		return undefined;
	}
}

export function hashOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}
