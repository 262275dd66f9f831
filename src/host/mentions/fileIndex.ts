// The files and folders that `@` searches: listed once, kept, and listed anew in the background when they are old. No `vscode`.
// Contract: bounded; a question waits for the first list only.
import type { FuzzyText } from './fuzzy.ts';
import { fuzzyMatch, fuzzyText } from './fuzzy.ts';

export interface IndexedPath {
	readonly kind: 'file' | 'folder';
	/** As it is written into a prompt: relative to the session's root with `/`, else absolute. A folder ends with a separator. */
	readonly name: FuzzyText;
}
export interface RankedPath {
	readonly path: IndexedPath;
	readonly score: number;
	readonly hits: readonly number[];
}

/** Milliseconds after which a list is old. */
const freshMs = 15_000;
/** Candidates that are matched before others get a turn. */
const chunk = 10_000;

export class FileIndex {
	readonly #list: () => Promise<readonly string[]>;
	readonly #now: () => number;
	#paths: readonly IndexedPath[] = [];
	#listedAt = -Infinity;
	#listing: Promise<void> | undefined;

	/** `list`: the files' names as they are written; never rejects. `now`: milliseconds. */
	constructor(list: () => Promise<readonly string[]>, now: () => number) {
		this.#list = list;
		this.#now = now;
	}

	/** Other folders: what is known is of no use. */
	forget(): void {
		this.#paths = [];
		this.#listedAt = -Infinity;
	}

	/**
	 * The best matches, the best first. `query`: from `fuzzyQuery`. `bonus`: for files that are likely meant. Undefined when
	 * `isNewest` says that nobody waits for them any more.
	 */
	async search(query: string, { limit, bonus, isNewest }: SearchOrder): Promise<readonly RankedPath[] | undefined> {
		if (this.#now() - this.#listedAt > freshMs) {
			const renewed = this.#renew();
			if (this.#paths.length === 0) await renewed;
		}
		const paths = this.#paths;
		const best: RankedPath[] = [];
		let least = -Infinity;
		for (let at = 0; at < paths.length; at++) {
			if (at % chunk === chunk - 1) {
				await new Promise((resolve) => setImmediate(resolve));
				if (!isNewest()) return undefined;
			}
			const path = paths[at];
			const match = path && fuzzyMatch(query, path.name);
			if (!match) continue;
			const score = match.score + bonus(path);
			if (score <= least) continue;
			best.push({ path, score, hits: match.hits });
			if (best.length < limit * 4) continue;
			best.sort(byRank).splice(limit);
			least = best.at(-1)?.score ?? -Infinity;
		}
		return isNewest() ? best.sort(byRank).slice(0, limit) : undefined;
	}

	#renew(): Promise<void> {
		this.#listing ??= this.#list().then((files) => {
			this.#paths = withFolders(files);
			this.#listedAt = this.#now();
			this.#listing = undefined;
		});
		return this.#listing;
	}
}

export interface SearchOrder {
	readonly limit: number;
	readonly bonus: (path: IndexedPath) => number;
	readonly isNewest: () => boolean;
}

function byRank(a: RankedPath, b: RankedPath): number {
	const [one, other] = [a.path.name.text, b.path.name.text];
	return b.score - a.score || one.length - other.length || (one < other ? -1 : 1);
}

function withFolders(files: readonly string[]): readonly IndexedPath[] {
	const folders = new Set<string>();
	for (const file of files) {
		for (let at = lastSeparator(file, file.length); at > 0; at = lastSeparator(file, at - 1)) {
			const folder = file.slice(0, at + 1);
			if (folders.has(folder)) break;
			folders.add(folder);
		}
	}
	return [
		...files.map((name): IndexedPath => ({ kind: 'file', name: fuzzyText(name) })),
		...[...folders].map((name): IndexedPath => ({ kind: 'folder', name: fuzzyText(name) })),
	];
}

function lastSeparator(path: string, before: number): number {
	return Math.max(path.lastIndexOf('/', before - 1), path.lastIndexOf('\\', before - 1));
}
