// Where a call's paths really are: each as written and with its links resolved, gathered before the engine judges.
// Rule: "inside" compares real paths by segments; what cannot be resolved counts as outside.
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';
import { isInside } from '../util/paths.ts';

/** A path as it was written, made absolute, and the same with all links resolved. */
export interface Place {
	readonly path: string;
	readonly real: string;
}

export interface Places {
	/** The workspace's folders and additional ones, the session's root first. */
	readonly roots: readonly Place[];
	readonly home?: Place;
	/** Where a command starts. */
	readonly cwd: Place;
	/** What is read or written. */
	readonly target?: Place;
	/** Of a command: all paths that were looked up, by the absolute path. */
	readonly known: ReadonlyMap<string, Place>;
	/** Windows' or POSIX' ways with paths. */
	readonly api: PlatformPath;
}

export interface PlacesQuery {
	readonly roots: readonly string[];
	readonly home?: string;
	readonly cwd: string;
	readonly target?: string;
	/** Absolute paths that a command may touch. */
	readonly paths: readonly string[];
	readonly api?: PlatformPath;
	realPath(path: string): Promise<string>;
}

/** Resolves every path of a call, all at once and each once: every call of a tool waits for this. */
export async function resolvePlaces(query: PlacesQuery): Promise<Places> {
	const api = query.api ?? nodePath;
	const known = new Map<string, Promise<Place>>();
	const place = (path: string): Promise<Place> => {
		const found = known.get(path) ?? resolved(path, query, api);
		known.set(path, found);
		return found;
	};
	const named = [...new Set(query.paths)].filter((path) => !path.includes('\0'));
	const [roots, cwd, home, target, paths] = await Promise.all([
		Promise.all(query.roots.map(place)),
		place(query.cwd),
		query.home === undefined ? undefined : place(query.home),
		query.target === undefined ? undefined : place(query.target),
		Promise.all(named.map(async (path) => [path, await place(path)] as const)),
	]);
	return { roots, cwd, ...(home ? { home } : {}), ...(target ? { target } : {}), known: new Map(paths), api };
}

/** Contract: a path on another machine is not touched before it is permitted: the look alone would send credentials there. */
async function resolved(path: string, query: PlacesQuery, api: PlatformPath): Promise<Place> {
	const away = api.sep === '\\' && /^[\\/]{2}/.test(path) && !query.roots.some((root) => isInside(root, path, api));
	if (away) return { path, real: path };
	try {
		return { path, real: await query.realPath(path) };
	} catch {
		// Loops of links, names that are too long: the path stands for itself.
		return { path, real: path };
	}
}

/** True when the real path lies in a workspace folder (its real path), compared by segments. */
export function isInWorkspace(places: Places, place: Place): boolean {
	return places.roots.some((root) => isInside(root.real, place.real, places.api));
}

/** With `/` and, on Windows, the drive as the first folder: `C:\a` is `/c/a`. */
export function posixPath(path: string, api: PlatformPath): string {
	if (api.sep !== '\\') return path;
	const slashes = path.replaceAll('\\', '/');
	return slashes.replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
}

/** `path` below `folder` with `/`; '' for the folder itself, undefined when it is not inside. */
export function below(folder: string, path: string, api: PlatformPath): string | undefined {
	if (!isInside(folder, path, api)) return undefined;
	return api.relative(folder, path).split(api.sep).join('/');
}
