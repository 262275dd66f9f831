// Removals that always ask, in every mode and whatever rules and hooks allow: what they would take is past repair. Pure.
// Source: ecosystem 2.3.
import { isInside } from '../util/paths.ts';
import type { CommandFacts } from './commandFacts.ts';
import { placesOfUse } from './commandPlaces.ts';
import type { Place, Places } from './places.ts';
import type { FileUse } from './shellAnalysis.ts';
import { commandName, isPosixShell } from './shellWords.ts';

/** The words of a command from its program on, and whether more of them, or others in their place, come from elsewhere. */
interface Words {
	readonly words: readonly string[];
	readonly fed: boolean;
}

/**
 * The first target of a removal that no mode may make unasked: the root and its children, the home folder, the working
 * folder, workspace folders and all above them, patterns that mean all in these, and anything under a variable. By `rm` and
 * its like, also where another program calls it for what it finds, and by what empties folders (`find -delete`, `git clean`,
 * `rsync --delete`).
 */
export function criticalRemoval(facts: CommandFacts, places: Places): string | undefined {
	const { parts, analysis } = facts;
	const folders = [places.cwd.path, ...analysis.commands.flatMap((command) => command.cwd ?? [])];
	const lists: readonly Words[] = [
		...parts.parts.map(({ words }) => ({ words, fed: false })),
		...analysis.commands.map(({ words, wrappers }) => ({
			words: words.map((word) => word.value ?? unquoted(word.text)),
			fed: isFed(wrappers),
		})),
	];
	const language = isPosixShell(facts.shell) ? posix : windows;
	// `iex 'rm -r /'`, `cmd /c "rd /s C:\"`: there, texts that are run are not read as commands.
	const texts = language === windows ? lists.flatMap(({ words }) => words.filter((word) => /\s/.test(word))) : [];
	const inside = texts.map((text) => ({ words: unquoted(text).split(/[\s;|&]+/), fed: false }));
	for (const list of [...lists, ...inside]) {
		const critical = removedBy(list, language, { folders, places });
		if (critical !== undefined) return critical;
	}
	for (const use of analysis.writes) {
		const critical = use.removed === true && use.recursive === true && removedAsUsed(use, folders, places);
		if (critical !== undefined && critical !== false) return critical;
	}
	return removedAsFound(facts, places);
}

interface Language {
	/** Programs that remove. */
	readonly names: readonly string[];
	readonly option: RegExp;
	/** The option with which they go into folders. */
	readonly deep: RegExp;
}

const posix: Language = {
	names: ['rm', 'rmdir', 'rimraf'],
	option: /^-/,
	deep: /^-[A-Za-z]*[rR]|^--r/,
};
/** PowerShell and cmd. */
const windows: Language = {
	names: [...posix.names, 'remove-item', 'ri', 'rd', 'del', 'erase'],
	option: /^-|^\/[a-z]$/i,
	deep: /^-r|^\/s$/i,
};

interface Where {
	readonly folders: readonly string[];
	readonly places: Places;
}

function removedBy({ words, fed }: Words, language: Language, { folders, places }: Where): string | undefined {
	const at = words.findIndex((word) => language.names.includes(commandName(word).toLowerCase()));
	if (at === -1) return undefined;
	const given = words.slice(at + 1);
	const targets = given.filter((word) => !language.option.test(word));
	const recursive = commandName(words[at] ?? '') === 'rimraf' || given.some((word) => language.deep.test(word));
	// `fd -x rm -rf`
	const called = targets.length === 0 && (at === 0 || /^--?(?:x|X|exec|exec-batch)$/.test(words[at - 1] ?? ''));
	if (recursive && (fed || called)) return words.slice(at).join(' ');
	// What `find` fills in lies below where it starts, which is looked at by itself.
	const filled = at > 0 && !words.slice(0, at).some((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
	return targets.find(
		(word) =>
			(recursive && (isUnknown(word) || (filled && word === '{}'))) ||
			folders.some((folder) => isCritical(word, folder, places)),
	);
}

function removedAsUsed(use: FileUse, folders: readonly string[], places: Places): string | undefined {
	const isTooMuch = use.byName === true ? isAbove : isKept;
	const kept = placesOfUse(use, places).find((place) => isTooMuch(place, places));
	if (kept !== undefined) return kept.real;
	const text = unquoted(use.text);
	// Where it starts shows only when it runs (something before it may lead elsewhere): it may as well start here.
	const open = use.path === undefined || (use.by !== 'mv' && use.byName !== true && /[*?[{$`~]/.test(text));
	if (!open) return undefined;
	// `rmdir -p` takes what is empty.
	const unknown = use.by !== 'rmdir' && isUnknown(text);
	return unknown || folders.some((folder) => isCritical(text, folder, places)) ? text : undefined;
}

/** `find / -type f | xargs rm` */
function removedAsFound({ analysis }: CommandFacts, places: Places): string | undefined {
	const fed = analysis.commands.some(
		({ words, wrappers }) => isFed(wrappers) && posix.names.includes(commandName(words[0]?.value ?? '')),
	);
	const found = fed ? analysis.reads.filter(({ by }) => by === 'find') : [];
	return found.flatMap((use) => placesOfUse(use, places)).find((place) => isAbove(place, places))?.real;
}

/** With options the wrapper's label has more words. */
function isFed(wrappers: readonly string[]): boolean {
	return wrappers.some((wrapper) => wrapper.startsWith('xargs'));
}

/** A word that is nothing but a variable, or what a command prints. */
function isUnknown(word: string): boolean {
	return /^(?:\$(?:[\w:]*|[@*]|\{.*\}|\(.*\))|`.*`|\(.*\))$/s.test(word);
}

function unquoted(text: string): string {
	return text.replaceAll(/["']/g, '');
}

/** A segment that stands for all names in a folder, or for nearly all: `*`, `.*`, `.[!.]*`, `*.*`. */
const allNames = /^(?:[.*?]|\[[^\]]*\])*\*(?:[.*?]|\[[^\]]*\])*$/;
/** `$DIR`, which could be empty; not `${DIR:?}`, which could not. */
const perhapsEmpty = /^\$(?:\w*|[@*]|\{(?!\w+:?\?).*\})$/s;

function isCritical(written: string, cwd: string, places: Places): boolean {
	return alternatives(written).some((word) => {
		if (/^[A-Za-z]:(?:[/\\][^/\\]*)?[/\\]?\*?$/.test(word)) return true;
		const segments = word.split('/');
		const isEnd = (segment: string | undefined) =>
			segment === '' || segment === '.' || (segment !== undefined && allNames.test(segment));
		while (segments.length > 1 && isEnd(segments.at(-1))) segments.pop();
		const rest = segments.join('/') || '/';
		if (allNames.test(rest)) return true;
		if (/^~[^/]*$/.test(rest)) return true;
		// `$DIR/`, `$DIR/*`: empty, it would mean the root.
		if (rest !== word && perhapsEmpty.test(rest)) return true;
		const folder = rest
			.replace(/^\$(?:HOME\b|\{HOME\b[^}]*\})/, places.home?.path ?? '~')
			.replace(/^\$(?:PWD\b|\{PWD\b[^}]*\})/, cwd);
		if (folder.includes('\0')) return false;
		const path = places.api.resolve(cwd, folder);
		return isKept({ path, real: places.known.get(path)?.real ?? path }, places);
	});
}

/** Words that braces may make of one; of more nobody knows what they are, so they count as the root. */
const mostAlternatives = 200;

/** What braces make of a word. */
function alternatives(word: string): readonly string[] {
	let words = [word];
	for (let round = 0; round < 4; round++) {
		const next: string[] = [];
		for (const one of words) {
			const [whole = '', inner = ''] = /(?<!\$)\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
			const parts = whole === '' ? [''] : inner.split(',');
			if (next.length + parts.length > mostAlternatives) return ['/'];
			for (const part of parts) next.push(one.replace(whole, () => part));
		}
		words = next;
	}
	return words;
}

function isKept(place: Place, places: Places): boolean {
	return isAbove(place, places) || [places.cwd, ...places.roots].some((kept) => isSame(place, kept));
}

/** A place that holds more than the agent works on. */
function isAbove(place: Place, places: Places): boolean {
	const { cwd, roots, home, api } = places;
	const works = [cwd, ...roots];
	if (home !== undefined && isSame(place, home)) return true;
	const kept = [...works, ...(home === undefined ? [] : [home])].flatMap(spellings);
	return spellings(place).some((at) => {
		const { root } = api.parse(at);
		if (at === root) return true;
		if (works.some((folder) => isSame(place, folder))) return false;
		return api.dirname(at) === root || kept.some((folder) => isInside(at, folder, api));
	});
}

function isSame(one: Place, other: Place): boolean {
	const [first, second] = [spellings(one), spellings(other)];
	return first.some((at) => second.includes(at));
}

/** Without what some file systems see no difference in. */
function spellings({ path, real }: Place): readonly string[] {
	return [path, real].map((at) => at.normalize('NFC').toLowerCase());
}
