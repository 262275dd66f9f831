// Where a call's paths really are: each as written and with its links resolved, gathered before the engine judges.
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';
import { isInside, segmentsBelow } from '../util/paths.ts';
import type { PathBase, Specifier } from './rule.ts';

/** A path as it was written, made absolute, and the same with all links resolved. */
export interface Place {
	readonly path: string;
	readonly real: string;
}

export interface Places {
	/** The workspace's folders, the session's root first. */
	readonly roots: readonly Place[];
	readonly home?: Place;
	/** Where a command starts. */
	readonly cwd: Place;
	/** What is read or written. */
	readonly target?: Place;
	/** Of a command: what its words name, and where its redirections lead, by the word. */
	readonly words: ReadonlyMap<string, Place>;
}

export interface PlacesQuery {
	readonly roots: readonly string[];
	readonly home?: string;
	readonly cwd: string;
	readonly target?: string;
	/** Words of a command that may be paths. */
	readonly words: readonly string[];
	realPath(path: string): Promise<string>;
}

/** Resolves every path of a call. */
export async function resolvePlaces(query: PlacesQuery): Promise<Places> {
	// All at once, each path once: every call of a tool waits for this.
	const known = new Map<string, Promise<Place>>();
	const place = (path: string): Promise<Place> => {
		const found = known.get(path) ?? query.realPath(path).then((real) => ({ path, real }));
		known.set(path, found);
		return found;
	};
	const named = [...new Set(query.words)].filter((word) => !word.includes('\0'));
	const [roots, cwd, home, target, words] = await Promise.all([
		Promise.all(query.roots.map(place)),
		place(query.cwd),
		query.home === undefined ? undefined : place(query.home),
		query.target === undefined ? undefined : place(query.target),
		Promise.all(named.map(async (word) => [word, await place(pathOfWord(word, query))] as const)),
	]);
	return { roots, cwd, ...(home ? { home } : {}), ...(target ? { target } : {}), words: new Map(words) };
}

function pathOfWord(word: string, { home, cwd }: PlacesQuery): string {
	return word.startsWith('~/') && home !== undefined
		? nodePath.resolve(home, word.slice(2))
		: nodePath.resolve(cwd, word);
}

/** True when the real path lies in a workspace folder (its real path), compared by segments. */
export function isInWorkspace(places: Places, place: Place, api: PlatformPath = nodePath): boolean {
	return places.roots.some((root) => isInside(root.real, place.real, api));
}

/** Does a rule's path cover the place? Forbidding rules reach further: either path may match, a lone folder at any depth. */
export function pathMatches(
	specifier: Extract<Specifier, { kind: 'path' }>,
	place: Place,
	places: Places,
	forbids: boolean,
): boolean {
	if (forbids && specifier.base === 'home' && places.home === undefined) return isSomewhere(specifier, place);
	const bases = basesOf(specifier.base, places);
	const matches = (path: string): boolean => bases.some((base) => matchesBelow(specifier, base, path, forbids));
	return forbids ? matches(place.path) || matches(place.real) : matches(place.path) && matches(place.real);
}

/** Where the home folder is not known, a forbidding rule on it holds for such a path anywhere. */
function isSomewhere({ segments }: Extract<Specifier, { kind: 'path' }>, place: Place): boolean {
	return [place.path, place.real].some((path) => {
		const found = path.split(/[/\\]/);
		return found.some((_, at) =>
			segments.every((segment, index) => sameSegment(found[at + index] ?? '', segment, true)),
		);
	});
}

function basesOf(base: PathBase, places: Places): readonly string[] {
	switch (base) {
		case 'filesystem':
			return [nodePath.parse(places.cwd.path).root];
		case 'home':
			return places.home === undefined ? [] : [places.home.path, places.home.real];
		case 'root':
			return places.roots.slice(0, 1).flatMap((root) => [root.path, root.real]);
	}
}

function matchesBelow(
	{ base, segments, match }: Extract<Specifier, { kind: 'path' }>,
	folder: string,
	path: string,
	forbids: boolean,
): boolean {
	const drive = base === 'filesystem' && /^[A-Za-z]:$/.test(segments[0] ?? '');
	const start = drive ? `${segments[0]}${nodePath.sep}` : folder;
	const wanted = drive ? segments.slice(1) : segments;
	const found = segmentsBelow(start, path);
	if (found === undefined) return false;
	const [only] = wanted;
	if (match === 'name') return only !== undefined && found.some((segment) => sameSegment(segment, only, forbids));
	if (match === 'below' && forbids && base === 'root' && wanted.length === 1 && only !== undefined) {
		return found.some((segment) => sameSegment(segment, only, forbids));
	}
	const same = wanted.every((segment, index) => sameSegment(found[index] ?? '', segment, forbids));
	return same && (match === 'below' || found.length === wanted.length);
}

/** Forbidding rules ignore case: on many file systems it makes no difference. */
function sameSegment(a: string, b: string, forbids: boolean): boolean {
	return a === b || (forbids && a.toLowerCase() === b.toLowerCase());
}
