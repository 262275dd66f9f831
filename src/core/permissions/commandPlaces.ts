// The places that a command's file uses mean. Pure. Rule: a path is judged by what the system makes of it, not by how it
// looks.
import type { Place, Places } from './places.ts';
import type { FileUse, ShellAnalysis } from './shellAnalysis.ts';
import { commandName } from './shellWords.ts';

/** The place of an absolute path; one that was not looked up stands for itself. */
export function placeOf(places: Places, path: string): Place {
	return places.known.get(path) ?? { path, real: path };
}

/** Devices that keep nothing. */
export function isNowhere({ path }: FileUse): boolean {
	return path !== undefined && /^\/dev\/(?:null|zero|u?random|std(?:in|out|err)|tty|fd\/\d+)$/.test(path);
}

/** Every path that the uses of a command mean, to be looked up. */
export function usedPaths({ reads, writes }: ShellAnalysis, cwd: string): readonly string[] {
	return [...reads, ...writes].flatMap((use) => {
		const physical = physicalPath(use, cwd);
		return [...(use.path === undefined ? [] : [use.path]), ...(physical === undefined ? [] : [physical])];
	});
}

/** A use's path, and what the system makes of `link/..`, which is not what it looks like; none when it is not known. */
export function placesOfUse(use: FileUse, places: Places): readonly Place[] {
	const physical = physicalPath(use, places.cwd.path);
	return [use.path, physical].flatMap((path) => (path === undefined ? [] : [placeOf(places, path)]));
}

/** The unshortened path of a use with `..` behind a name; undefined when there is none. */
export function physicalPath({ text }: Pick<FileUse, 'text'>, cwd: string): string | undefined {
	const bare = text.replace(/^(['"])(.*)\1$/, '$2');
	if (!/[^/.][^/]*\/+(?:\.\/+)*\.\.(?:\/|$)/.test(bare)) return undefined;
	return bare.startsWith('/') ? bare : `${cwd}/${bare}`;
}

const listing = new Set('ls find tree du df stat file wc realpath readlink'.split(' '));
/** They read the files that a glob names, and no folders. */
const flat = new Set('cat head tail nl tac rev cut sort uniq cmp comm diff sed'.split(' '));

/** It reads the contents of files that its words do not name. */
export function readsUnnamed({ by, text, recursive }: FileUse): boolean {
	const name = commandName(by);
	return recursive === true && !listing.has(name) && !(flat.has(name) && /[*?[{]/.test(text));
}
