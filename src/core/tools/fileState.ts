// What a conversation has read and written, by file. Staleness is judged by content, never by time stamps.
import { createHash } from 'node:crypto';
import type { KnownFile } from '../messages/journal.ts';
import { pathKey } from '../util/paths.ts';

export interface ReadRecord {
	/** Hash of the whole text as it was seen. */
	readonly hash: string;
	/** True when only a part was shown; a part does not allow overwriting. */
	readonly partial: boolean;
}

/** Mutable on purpose: shared by all calls of one conversation, keyed by the file's real path. */
export class FileState {
	private readonly records = new Map<string, ReadRecord>();
	private readonly paths = new Map<string, string>();
	/** Keys of what is not written down yet. */
	private readonly fresh = new Set<string>();

	/** `known`: from the transcript, oldest first. */
	constructor(known: readonly KnownFile[] = []) {
		for (const { path, hash, partial } of known) this.set(path, { hash, partial });
	}

	/** Call after showing a file to the model, and after writing one. A full read is not weakened by a later partial one. */
	remember(canonicalPath: string, text: string, partial: boolean): void {
		const hash = contentHash(text);
		const known = this.get(canonicalPath);
		this.set(canonicalPath, { hash, partial: partial && !(known?.hash === hash && !known.partial) });
		this.fresh.add(pathKey(canonicalPath));
	}

	/** What was remembered since the last time, for the transcript. */
	takeFresh(): readonly KnownFile[] {
		const taken = this.entries().filter(([path]) => this.fresh.has(pathKey(path)));
		this.fresh.clear();
		return taken.map(([path, record]) => ({ path, ...record }));
	}

	/** The files known so far, oldest first: their real paths and records. */
	entries(): readonly (readonly [string, ReadRecord])[] {
		return [...this.paths].flatMap(([key, path]) => {
			const record = this.records.get(key);
			return record ? [[path, record] as const] : [];
		});
	}

	/** What is remembered in the copy is not known here. */
	copy(): FileState {
		return new FileState(this.entries().map(([path, record]) => ({ path, ...record })));
	}

	get(canonicalPath: string): ReadRecord | undefined {
		return this.records.get(pathKey(canonicalPath));
	}

	private set(path: string, record: ReadRecord): void {
		const key = pathKey(path);
		this.paths.set(key, path);
		this.records.set(key, record);
	}
}

export function contentHash(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('base64');
}
