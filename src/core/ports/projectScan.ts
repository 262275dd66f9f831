// Looks over a project for changes that nobody announced. Adapter: `NodeProjectScan`. Contract: nothing is written, also not by
// git; whatever cannot be found out is simply not known.

/** What tells cheaply whether a file is another one. */
export interface FileMark {
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly mtime: number;
	/** When its text, name or rights changed last; no program can set it. Milliseconds since the epoch. */
	readonly changed: number;
}

export interface Listing {
	/** By absolute path: what is neither ignored nor git's. */
	readonly files: ReadonlyMap<string, FileMark>;
	/** False: there were too many files, it took too long, or it was stopped. */
	readonly complete: boolean;
}

/** What git has of the files that were as it has them when this was asked for. */
export interface TrackedFiles {
	/** Undefined when git has not exactly that many bytes of it. */
	bytes(path: string, size: number): Promise<Uint8Array | undefined>;
}

export interface ProjectScan {
	/** Bounded in files and time. Never rejects. */
	list(signal: AbortSignal): Promise<Listing>;
	/** Never rejects. */
	tracked(signal: AbortSignal): Promise<TrackedFiles>;
	/** The files that a path stands for: itself, or what is in the folder, up to `limit`. Never rejects. */
	filesOf(path: string, limit: number): Promise<readonly string[]>;
	/** The mark of one file. */
	mark(path: string): Promise<FileMark | undefined>;
	/** When something was put into a folder, or taken out of it; undefined when it is not there. */
	folderChanged(folder: string): Promise<number | undefined>;
}
