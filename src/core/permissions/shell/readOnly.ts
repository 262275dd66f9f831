// Does one command only read? A fixed list of programs with options that cannot write or start anything. Rule: when in
// doubt, no. Where its paths lie is judged by the engine.
import type { Place } from './collector.ts';
import { readGitWords } from './git.ts';
import type { ReadOnlyProgram } from './readOnlyTable.ts';
import { gitRefused, knownVersions, readOnlyGit, readOnlyPrograms } from './readOnlyTable.ts';
import type { ReadWord } from './words.ts';

/** `words` without the program's name. */
export function isReadOnly(name: string, words: readonly ReadWord[], place: Place): boolean {
	const [only] = words;
	if (words.length === 1 && knownVersions.has(name) && /^(?:--version|--help)$/.test(only?.value ?? '')) return true;
	if (name === 'git') return isReadOnlyGit(words, place);
	if (name === 'node' && words.length === 1 && only?.value === '-v') return true;
	const program = Object.hasOwn(readOnlyPrograms, name) ? readOnlyPrograms[name] : undefined;
	if (program === undefined) return false;
	if (name === 'command') return /^-[vV]$/.test(only?.value ?? '');
	if (
		program.anyText !== true &&
		words.some(({ value, braces, pipe }) => value === undefined && pipe !== true && (braces ?? []).length === 0)
	)
		return false;
	if (program.noGlob === true && words.some(({ glob }) => glob === true)) return false;
	return words.every((word) => !isRefused(name, word, program)) && fewEnough(name, words, program);
}

function fewEnough(name: string, words: readonly ReadWord[], { operands }: ReadOnlyProgram): boolean {
	// `date +%F` only sets the format; without it, `date 01020304` sets the clock.
	const most = name === 'date' ? 0 : operands;
	if (most === undefined) return true;
	const given = words.filter(
		({ value }) => !(value ?? '').startsWith('-') && !(name === 'date' && value?.startsWith('+') === true),
	);
	if (given.some(({ several }) => several === true)) return false;
	const behind = name === 'date' ? words.filter(({ value }) => value === '-d' || value === '-r').length : 0;
	return given.length <= most + behind;
}

function isRefused(name: string, { value, braces }: ReadWord, program: ReadOnlyProgram): boolean {
	if (value === undefined) return (braces ?? []).some((one) => one.startsWith('-'));
	if (program.words?.includes(value) === true) return true;
	if (value.startsWith('--')) {
		const given = value.slice(2).split('=')[0] ?? '';
		return given !== '' && program.long?.some((long) => long.startsWith(given)) === true;
	}
	if (!value.startsWith('-') || value === '-' || program.short === undefined) return false;
	if (name === 'tail' && /^-\d*f/.test(value)) return true;
	return Array.from(program.short).some((letter) => value.includes(letter));
}

function isReadOnlyGit(words: readonly ReadWord[], place: Place): boolean {
	const { command, args, folders, changed, unclear } = readGitWords(words);
	if (changed || unclear || folders.length > 0 || command === undefined) return false;
	// The configuration of another folder could name programs to run.
	if (place.folders.size !== 1 || !place.folders.has(place.start)) return false;
	const table = Object.hasOwn(readOnlyGit, command) ? readOnlyGit[command] : undefined;
	if (table === undefined) return false;
	if (args.some(({ value, several }) => value === undefined || several === true)) return false;
	const texts = args.map(({ value }) => value ?? '');
	const options = texts
		.slice(0, texts.includes('--') ? texts.indexOf('--') : undefined)
		.filter((text) => /^-./.test(text));
	const operands = texts.filter((text) => !text.startsWith('-'));
	if (options.some((text) => isRefusedByGit(command, text))) return false;
	if (table.only !== undefined && !options.every((text) => table.only?.test(text) === true)) return false;
	if (table.operands !== undefined && operands.length > table.operands) return false;
	const [first] = texts;
	if (table.first === undefined || (table.alone === true && operands.length === 0)) return true;
	return first !== undefined && table.first.test(first);
}

function isRefusedByGit(command: string, text: string): boolean {
	if (text.startsWith('--')) {
		const given = text.slice(2).split('=')[0] ?? '';
		return gitRefused.some((long) => long.startsWith(given));
	}
	// `-O` of grep opens a pager; in diff it names a file of orders.
	return /^-[^-]*O/.test(text) || (command === 'grep' && /^-[^-]*f/.test(text));
}
