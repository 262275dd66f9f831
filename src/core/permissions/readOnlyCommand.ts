// Which shell commands only read: one simple command of a fixed list, with options that cannot write or start anything.
// Rule: when in doubt, no. Where its paths lie is judged by the engine.
import { limits } from '../limits.ts';
import { isPosixShell, plainWords } from './shellWords.ts';

export interface ReadOnlyCommand {
	readonly words: readonly string[];
	/** Words that may name files or folders, as written; every one must lie inside the workspace. */
	readonly paths: readonly string[];
	/** `cd`: the shell's folder changes, so it must not overlap other calls. */
	readonly changesFolder: boolean;
	/** It reads the contents of whole folders. */
	readonly recursive: boolean;
}

interface Options {
	/** Letters of short options that are refused, alone or in a cluster. */
	readonly short?: string;
	/** Long options that are refused, and all their abbreviations. */
	readonly long?: readonly string[];
	/** Exact words that are refused (`find` and its like). */
	readonly words?: readonly string[];
	/** Words that are no options, at most. */
	readonly operands?: number;
	/** The words are text, not paths. */
	readonly text?: boolean;
	readonly recursive?: boolean;
}

/** What is read-only about a command, or `undefined` when it may do more than read. `shell` is the shell's name. */
export function readOnlyCommand(command: string, shell = 'bash'): ReadOnlyCommand | undefined {
	if (command.length > limits.commandChars || !isPosixShell(shell)) return undefined;
	const words = plainWords(command);
	const [name] = words ?? [];
	if (words === undefined || name === undefined) return undefined;
	if (name === 'sed') return sedPrint(words);
	const rest = words.slice(1);
	const checked = name === 'git' ? gitOptions(rest) : { options: optionsOf(name), args: rest };
	if (checked?.options === undefined) return undefined;
	const { options, args } = checked;
	if (args.some((word) => isRefused(word, options))) return undefined;
	// `date +%F` only sets the format.
	const operands = args.filter((word) => !word.startsWith('-') && !(name === 'date' && word.startsWith('+')));
	if (options.operands !== undefined && operands.length > options.operands) return undefined;
	return {
		words,
		paths: options.text === true ? [] : args.flatMap(pathsOf),
		changesFolder: name === 'cd',
		recursive: options.recursive ?? false,
	};
}

/** Options by command. What is not here is not read-only. */
function optionsOf(name: string): Options | undefined {
	switch (name) {
		case 'pwd':
		case 'true':
		case 'whoami':
		case 'uname':
			return { operands: 0 };
		case 'echo':
			return { text: true };
		case 'which':
		case 'basename':
		case 'dirname':
			return { text: true };
		case 'date':
			return { operands: 0, short: 'sf', long: ['set', 'file'] };
		case 'cd':
			return { operands: 1, words: ['-'] };
		case 'ls':
		case 'cat':
		case 'head':
		case 'nl':
		case 'tac':
		case 'rev':
		case 'cut':
		case 'cmp':
		case 'comm':
		case 'stat':
		case 'du':
		case 'df':
		case 'realpath':
		case 'readlink':
			return {};
		case 'wc':
			return { long: ['files0-from'] };
		case 'tail':
			return { short: 'fF', long: ['follow', 'retry', 'pid'] };
		case 'file':
			return { short: 'Cmfz', long: ['compile', 'magic-file', 'files-from', 'uncompress'] };
		case 'diff':
			return { short: 'lX', long: ['paginate', 'exclude-from'] };
		case 'uniq':
			return { operands: 1 };
		case 'sort':
			return {
				short: 'oTS',
				long: ['output', 'compress-program', 'temporary-directory', 'files0-from', 'random-source', 'buffer-size'],
			};
		case 'tree':
			return { short: 'oR', long: ['output', 'fromfile', 'gitfile', 'infofile'], recursive: true };
		case 'grep':
		case 'egrep':
		case 'fgrep':
			return { short: 'f', long: ['file', 'exclude-from', 'decompress'], recursive: true };
		case 'rg':
			return {
				short: 'fz',
				long: ['pre', 'pre-glob', 'hostname-bin', 'search-zip', 'file', 'ignore-file', 'hyperlink-format'],
				recursive: true,
			};
		case 'find':
			return {
				words: [
					'-exec',
					'-execdir',
					'-ok',
					'-okdir',
					'-delete',
					'-fprint',
					'-fprint0',
					'-fprintf',
					'-fls',
					'-f',
					'-files0-from',
				],
				recursive: true,
			};
		default:
			return undefined;
	}
}

/** Options of git's reading commands. Options before the subcommand (`-c`, `-C`, `--git-dir`) are not among them. */
function gitOptions(words: readonly string[]): { options: Options; args: readonly string[] } | undefined {
	const [command, ...args] = words;
	const common: readonly string[] = [
		'output',
		'ext-diff',
		'textconv',
		'open-files-in-pager',
		'show-signature',
		'exec',
		'upload-pack',
		'no-index',
	];
	switch (command) {
		case 'status':
		case 'ls-files':
		case 'rev-parse':
		case 'describe':
			return { options: { long: common }, args };
		case 'log':
		case 'diff':
		case 'show':
		case 'blame':
		case 'shortlog':
			return { options: { long: common, short: 'O', recursive: true }, args };
		case 'branch':
		case 'remote':
		case 'tag': {
			// Without operands they list; only listing options are let through.
			const listing = /^(?:-a|-r|-v|-vv|-l|--all|--remotes|--verbose|--list|--show-current)$/;
			return args.every((word) => listing.test(word)) ? { options: { operands: 0 }, args } : undefined;
		}
		default:
			return undefined;
	}
}

function isRefused(word: string, options: Options): boolean {
	if (options.words?.includes(word) === true) return true;
	if (word.startsWith('--')) {
		const name = word.slice(2).split('=')[0] ?? '';
		return name !== '' && options.long?.some((long) => long === name || long.startsWith(name)) === true;
	}
	if (!word.startsWith('-') || word === '-') return false;
	return options.short !== undefined && Array.from(options.short).some((letter) => word.includes(letter));
}

/** A word, or the value of a long option: anything that could be a path. */
function pathsOf(word: string): string[] {
	if (!word.startsWith('-')) return [word];
	const value = word.startsWith('--') ? word.split('=').slice(1).join('=') : '';
	// Values glued to a short option (`-I../x`) are taken as paths when they look like one.
	const glued = !word.startsWith('--') && /[/.]/.test(word) ? word.slice(2) : '';
	return [value, glued].filter((text) => text !== '');
}

/** `sed -n 1,20p file…`: prints a range; sed's scripts can write files otherwise. */
function sedPrint(words: readonly string[]): ReadOnlyCommand | undefined {
	const [, option, script, ...files] = words;
	if (option !== '-n' || script === undefined || !/^\d+(?:,(?:\d+|\$))?p$/.test(script)) return undefined;
	if (files.some((file) => file.startsWith('-'))) return undefined;
	return { words, paths: files, changesFolder: false, recursive: false };
}
