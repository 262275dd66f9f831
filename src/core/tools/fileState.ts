// What a conversation has read and written, by file. Staleness is judged by content, never by time stamps.
import { createHash } from 'node:crypto';
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

	/** Call after showing a file to the model, and after writing one. A full read is not weakened by a later partial one. */
	remember(canonicalPath: string, text: string, partial: boolean): void {
		const key = pathKey(canonicalPath);
		const hash = contentHash(text);
		const known = this.records.get(key);
		this.paths.set(key, canonicalPath);
		this.records.set(key, { hash, partial: partial && !(known?.hash === hash && !known.partial) });
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
		const copy = new FileState();
		for (const [key, record] of this.records) copy.records.set(key, record);
		for (const [key, path] of this.paths) copy.paths.set(key, path);
		return copy;
	}

	get(canonicalPath: string): ReadRecord | undefined {
		return this.records.get(pathKey(canonicalPath));
	}
}

export function contentHash(text: string): string {
	return createHash('sha256').update(text, 'utf8').digest('base64');
}
