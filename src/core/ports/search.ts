// Search over files, done by ripgrep. Adapter: `RipgrepSearch`.

export interface FileSearch {
	/** A glob, relative to `folder` (or absolute). */
	readonly pattern: string;
	readonly folder: string;
	readonly limit: number;
}
export interface FoundFiles {
	/** Absolute paths, newest first, `limit` at most. */
	readonly files: readonly string[];
	readonly truncated: boolean;
	readonly total: number;
	/** How many of `total` are ignored by git; those come after the others, newest first among themselves. */
	readonly ignored?: number;
	/** The listing was stopped by a bound; there are more than `total`. */
	readonly incomplete?: boolean;
}

export interface ContentSearch {
	/** A ripgrep regular expression. */
	readonly pattern: string;
	/** Absolute path of a file or folder. */
	readonly path: string;
	readonly glob?: string;
	/** ripgrep's file type, such as `ts`. */
	readonly type?: string;
	readonly mode: 'files_with_matches' | 'content' | 'count';
	readonly caseInsensitive?: boolean;
	readonly lineNumbers?: boolean;
	readonly onlyMatching?: boolean;
	/** Lines after, before, around a match. */
	readonly after?: number;
	readonly before?: number;
	readonly multiline?: boolean;
	/** Entries (lines or files) to return, and how many to pass over first. */
	readonly limit: number;
	readonly offset?: number;
}
export interface ContentMatch {
	readonly file: string;
	/** 1-based; absent in file modes. */
	readonly line?: number;
	readonly text?: string;
	/** True for a context line around a match. */
	readonly context?: boolean;
	/** In `count` mode. */
	readonly count?: number;
}
export interface FoundContent {
	readonly matches: readonly ContentMatch[];
	readonly truncated: boolean;
	/** Entries in all, as far as counted. */
	readonly total: number;
	readonly files: number;
	/** The search was stopped by a bound; there are more than `total`. */
	readonly incomplete?: boolean;
	/** After an empty result: some files that do match, but are ignored by git and were not searched. */
	readonly ignoredFiles?: readonly string[];
}
/** `invalid`: the pattern, glob or type was refused; `message` is ripgrep's own diagnosis. `failed`: it could not run. */
export type SearchFailure = { readonly kind: 'invalid' | 'failed'; readonly message: string };
export type SearchResult<T> = ({ readonly kind: 'found' } & T) | SearchFailure;

export interface Search {
	files(query: FileSearch, signal: AbortSignal): Promise<SearchResult<FoundFiles>>;
	content(query: ContentSearch, signal: AbortSignal): Promise<SearchResult<FoundContent>>;
}
