// Gathers what an analysis finds, and what all parts of a command line share: home folder, shell, depth, names set on the way.
import nodePath from 'node:path';
import { limits } from '../../limits.ts';
import type { FileUse, ShellAnalysis, ShellCommand, Unclear } from '../shellAnalysis.ts';
import type { ReadWord } from './words.ts';

/** Which shell's reading counts. `posix`: sh may be bash or dash, so only what both read alike is understood. */
export type Flavour = 'bash' | 'posix' | 'zsh';

/** The folders that a command may start in; `undefined` among them: somewhere unknown. */
export type Folders = ReadonlySet<string | undefined>;

/** Where, and inside of what, a command stands. */
export interface Place {
	readonly folders: Folders;
	/** The folder that the whole command line starts in. */
	readonly start: string | undefined;
	readonly wrappers: readonly string[];
	/** The source text of the whole command. */
	readonly text: string;
	/** How many programs within programs deep. */
	readonly depth: number;
}

export interface UseOptions {
	readonly by: string;
	readonly recursive?: boolean;
	readonly removed?: boolean;
	readonly byName?: boolean;
}

/** Folders held apart; beyond, they count as unknown. */
const maxFolders = 4;

export class Collector {
	readonly commands: ShellCommand[] = [];
	readonly writes: FileUse[] = [];
	readonly reads: FileUse[] = [];
	readonly unclear: Unclear[] = [];
	readonly home: string | undefined;
	#harmless = true;

	constructor(home: string | undefined) {
		this.home = home;
	}

	/** Something that makes it more than reading. */
	notReadOnly(): void {
		this.#harmless = false;
	}

	command(command: ShellCommand, readOnly: boolean): void {
		this.commands.push(readOnly ? { ...command, readOnly } : command);
		if (!readOnly) this.#harmless = false;
	}

	problem(code: Unclear['code'], text: string): void {
		const shown = text.length > limits.unclearChars ? `${text.slice(0, limits.unclearChars)}…` : text;
		if (this.unclear.length < limits.unclearPlaces) this.unclear.push({ code, text: shown });
	}

	write(word: ReadWord, place: Place, options: UseOptions): void {
		if (isNoFile(word.value) || word.pipe === true) return;
		this.#harmless = false;
		const paths = this.#paths(word, place.folders);
		if (paths.includes(undefined)) this.problem('dynamic_target', word.text);
		for (const path of paths) this.writes.push(use(word, path, place, options));
	}

	read(word: ReadWord, place: Place, options: UseOptions): void {
		if (isNoFile(word.value) || word.value === '-' || word.pipe === true) return;
		const paths = this.#paths(word, place.folders);
		// A file that is not known could be one that must stay secret.
		if (paths.includes(undefined)) this.#harmless = false;
		for (const path of paths) this.reads.push(use(word, path, place, options));
	}

	#paths(word: ReadWord, folders: Folders): readonly (string | undefined)[] {
		const values = word.braces !== undefined && word.braces.length > 0 ? word.braces : [word.value];
		const froms = folders.size === 0 ? [undefined] : [...folders];
		return values.flatMap((value) => froms.map((folder) => pathFrom(folder, value)));
	}

	result(): ShellAnalysis {
		const { commands, writes, reads, unclear } = this;
		const readOnly = this.#harmless && unclear.length === 0 && writes.length === 0 && commands.length > 0;
		return { commands, writes, reads, unclear, readOnly };
	}
}

function use(word: ReadWord, path: string | undefined, place: Place, options: UseOptions): FileUse {
	const { by, recursive = false, removed = false, byName = false } = options;
	return {
		text: word.text,
		by,
		command: place.text,
		...(path === undefined ? {} : { path }),
		...(recursive || word.glob === true ? { recursive: true } : {}),
		...(removed ? { removed: true } : {}),
		...(byName ? { byName: true } : {}),
	};
}

/** Files that take anything and keep nothing, and those that are open already. */
function isNoFile(value: string | undefined): boolean {
	return value !== undefined && /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+|tty|zero|full)$/.test(value);
}

/**
 * Absolute, or `undefined` when it is not known: a `..` behind a name may lead anywhere if the name is a link. A pattern
 * stands for the folder that it begins in.
 */
export function pathFrom(folder: string | undefined, value: string | undefined): string | undefined {
	if (value === undefined || value === '' || value.includes('\0')) return undefined;
	const segments = value.split('/').filter((segment) => segment !== '' && segment !== '.');
	const climbs = segments.lastIndexOf('..');
	if (climbs > 0 && segments.slice(0, climbs).some((segment) => segment !== '..')) return undefined;
	if (nodePath.isAbsolute(value)) return nodePath.resolve(value);
	return folder === undefined ? undefined : nodePath.resolve(folder, value);
}

export function commandFolder(folders: Folders): { readonly cwd?: string } {
	const [only] = folders;
	return folders.size === 1 && only !== undefined ? { cwd: only } : {};
}

export function unite(...all: readonly Folders[]): Folders {
	const united = new Set(all.flatMap((folders) => [...folders]));
	return united.size > maxFolders ? new Set([undefined]) : united;
}
