// Paths as strings: resolving what the model wrote, and "is it inside?" by separator, never by prefix of characters.
// `node:path` only; links are resolved by `Workspace.realPath`.
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';

export type ResolvedPath =
	{ readonly kind: 'path'; readonly path: string } | { readonly kind: 'refused'; readonly message: string };

/**
 * The absolute, normalised path that a tool's argument means; relative ones start at `base`. Refused, with a message for
 * the model: empty text, NUL, URIs and `~` (nothing expands it here, so it would become a folder of that name).
 */
export function resolvePath(base: string, text: string, api: PlatformPath = nodePath): ResolvedPath {
	if (text.trim() === '') return { kind: 'refused', message: 'The path is empty. Give the path of a file or folder.' };
	if (text.includes('\0')) return { kind: 'refused', message: 'The path contains a NUL character, which no file has.' };
	if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
		return { kind: 'refused', message: `"${text}" is a URI. Give a plain path, such as /folder/file.txt.` };
	}
	if (text === '~' || /^~[/\\]/.test(text)) {
		return { kind: 'refused', message: `"~" is not expanded here. Write "${text}" as an absolute path.` };
	}
	return { kind: 'path', path: isPlain(text, api) ? text : trimSeparator(api.resolve(base, text), api) };
}

function trimSeparator(path: string, api: PlatformPath): string {
	return path.endsWith(api.sep) && path.length > api.parse(path).root.length ? path.slice(0, -1) : path;
}

/** True when `path` is `folder` or lies below it. Both absolute; resolve links first where it matters. */
export function isInside(folder: string, path: string, api: PlatformPath = nodePath): boolean {
	return below(folder, path, api) !== undefined;
}

/** The way from `folder` to what is inside it, empty for the folder itself; `undefined` for what is not. */
function below(folder: string, path: string, api: PlatformPath): string | undefined {
	// The usual case without taking both apart.
	const prefix = folder.endsWith('/') ? folder : `${folder}/`;
	if (api.sep === '/' && prefix.startsWith('/') && path.startsWith(prefix)) {
		const rest = path.slice(prefix.length);
		if (!unusual.test(rest)) return rest;
	}
	const relative = api.relative(folder, path);
	const outside = relative === '..' || relative.startsWith(`..${api.sep}`) || api.isAbsolute(relative);
	return outside ? undefined : relative;
}

/** An absolute path that normalising would not change. The usual case without taking it apart. */
function isPlain(path: string, api: PlatformPath): boolean {
	return api.sep === '/' && path.startsWith('/') && !unusual.test(path.slice(1));
}

/** Segments of a path that are empty, or mean a folder relative to another. */
const unusual = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** True when `path` lies in one of the folders. */
export function isInsideAny(folders: readonly string[], path: string, api: PlatformPath = nodePath): boolean {
	return folders.some((folder) => isInside(folder, path, api));
}

/**
 * One key per file for maps, made of its real path: on Windows drive letters and case do not tell files apart. Elsewhere
 * a real path already has the case that the file system keeps.
 */
export function pathKey(realPath: string, api: PlatformPath = nodePath): string {
	if (isPlain(realPath, api)) return realPath;
	const normal = api.normalize(realPath);
	return api.sep === '\\' ? normal.toLowerCase() : normal;
}

/** For people and the model: relative to `root` with `/` when inside, else the absolute path as it is. */
export function displayPath(root: string, path: string, api: PlatformPath = nodePath): string {
	const relative = below(root, path, api);
	if (relative === undefined) return path;
	return relative === '' ? '.' : relative.split(api.sep).join('/');
}

/** Segments below `folder`, or `undefined` when `path` is not inside it. Empty for the folder itself. */
export function segmentsBelow(folder: string, path: string, api: PlatformPath = nodePath): string[] | undefined {
	const relative = below(folder, path, api);
	return relative === '' ? [] : relative?.split(api.sep);
}
