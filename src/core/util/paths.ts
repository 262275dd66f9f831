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
	const resolved = api.resolve(base, text);
	const root = api.parse(resolved).root;
	return { kind: 'path', path: resolved.length > root.length ? trimSeparators(resolved, api) : resolved };
}

function trimSeparators(path: string, api: PlatformPath): string {
	return path.endsWith(api.sep) ? path.slice(0, -1) : path;
}

/** True when `path` is `folder` or lies below it. Both absolute; resolve links first where it matters. */
export function isInside(folder: string, path: string, api: PlatformPath = nodePath): boolean {
	const relative = api.relative(folder, path);
	return relative === '' || (relative !== '..' && !relative.startsWith(`..${api.sep}`) && !api.isAbsolute(relative));
}

/** True when `path` lies in one of the folders. */
export function isInsideAny(folders: readonly string[], path: string, api: PlatformPath = nodePath): boolean {
	return folders.some((folder) => isInside(folder, path, api));
}

/**
 * One key per file for maps, made of its real path: on Windows drive letters and case do not tell files apart. Elsewhere
 * a real path already has the case that the file system keeps.
 */
export function pathKey(realPath: string, api: PlatformPath = nodePath): string {
	const normal = api.normalize(realPath);
	return api.sep === '\\' ? normal.toLowerCase() : normal;
}

/** For people and the model: relative to `root` with `/` when inside, else the absolute path as it is. */
export function displayPath(root: string, path: string, api: PlatformPath = nodePath): string {
	if (!isInside(root, path, api)) return path;
	const relative = api.relative(root, path);
	return relative === '' ? '.' : relative.split(api.sep).join('/');
}

/** Segments below `folder`, or `undefined` when `path` is not inside it. Empty for the folder itself. */
export function segmentsBelow(folder: string, path: string, api: PlatformPath = nodePath): string[] | undefined {
	if (!isInside(folder, path, api)) return undefined;
	const relative = api.relative(folder, path);
	return relative === '' ? [] : relative.split(api.sep);
}
