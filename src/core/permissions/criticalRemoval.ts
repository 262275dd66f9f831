// Removals that always ask, in every mode and whatever rules and hooks allow: what they would take is past repair. Pure.
// Source: ecosystem 2.3.
import { isInside } from '../util/paths.ts';
import type { CommandFacts } from './commandFacts.ts';
import { placesOfUse } from './commandPlaces.ts';
import type { Place, Places } from './places.ts';
import { commandName } from './shellWords.ts';

/**
 * The first target of an `rm` or `rmdir` that no mode may delete unasked: the root and its children, the home folder, the
 * working folder, workspace folders and all above them, globs in these, and anything under a variable.
 */
export function criticalRemoval(facts: CommandFacts, places: Places): string | undefined {
	const { parts, analysis } = facts;
	const folders = [places.cwd.path, ...analysis.commands.flatMap((command) => command.cwd ?? [])];
	const lists = [
		...parts.parts.map(({ words }) => words),
		...analysis.commands.map(({ words }) => words.map((word) => word.value ?? word.text)),
	];
	for (const words of lists) {
		const at = words.findIndex((word) => ['rm', 'rmdir'].includes(commandName(word)));
		if (at === -1) continue;
		const targets = words.slice(at + 1).filter((word) => !word.startsWith('-'));
		const recursive = words.slice(at + 1).some((word) => /^-[A-Za-z]*[rR]|^--recursive/.test(word));
		const critical = targets.find(
			(word) => (recursive && isVariable(word)) || folders.some((folder) => isCritical(word, folder, places)),
		);
		if (critical !== undefined) return critical;
	}
	const removed = analysis.writes.filter((use) => use.removed === true && use.recursive === true);
	const kept = removed.flatMap((use) => placesOfUse(use, places)).find((place) => isKept(place, places));
	if (kept !== undefined) return kept.real;
	// Where it starts shows only when it runs (something before it may lead elsewhere): it may as well start here.
	const somewhere = removed.filter(({ path }) => path === undefined).map(({ text }) => unquoted(text));
	return somewhere.find((word) => isVariable(word) || folders.some((folder) => isCritical(word, folder, places)));
}

function isVariable(word: string): boolean {
	return /^\$\{?\w*\}?$/.test(word);
}

function unquoted(text: string): string {
	return text.replace(/^(['"])(.*)\1$/, '$2');
}

function isCritical(word: string, cwd: string, places: Places): boolean {
	if (/^~[^/]*\/?\*?$/.test(word)) return true;
	// `$DIR/`, `$DIR/*`: empty, it would mean the root.
	if (/^\$\{?\w*\}?\/\*?$/.test(word)) return true;
	if (/^[A-Za-z]:(?:[/\\][^/\\]*)?[/\\]?\*?$/.test(word)) return true;
	if (word === '*' || word === '.*') return true;
	const folder = word.replace(/\/(?:\.?\*+|\{[^/]*\})$/, '') || '/';
	if (folder.includes('\0')) return false;
	const path = places.api.resolve(cwd, folder);
	return isKept({ path, real: places.known.get(path)?.real ?? path }, places);
}

function isKept({ path, real }: Place, { cwd, roots, home, api }: Places): boolean {
	const kept = [cwd, ...roots, ...(home === undefined ? [] : [home])];
	return [path, real].some((at) => {
		const root = api.parse(at).root;
		if (at === root || api.dirname(at) === root) return true;
		return kept.some((place) => isInside(at, place.path, api) || isInside(at, place.real, api));
	});
}
