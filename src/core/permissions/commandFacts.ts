// What is known of a command before it is judged: how it was understood, and every path that one of its words may mean.
// Rule: rather a path too many than one too few; whoever allows by them must not rely on their being complete.
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';
import { limits } from '../limits.ts';
import { physicalPath } from './commandPlaces.ts';
import type { Place } from './places.ts';
import { analysePlain } from './shell/plainCommand.ts';
import type { ShellAnalysis, ShellCommand } from './shellAnalysis.ts';
import type { CommandParts } from './shellWords.ts';
import { commandName, commandParts, isPosixShell, plainWords } from './shellWords.ts';

/** A path that a word of a command may mean. */
export interface Mention {
	/** Absolute. */
	readonly path: string;
	/** It stands in a command that writes, or where a redirection leads. */
	readonly written: boolean;
}

export interface CommandFacts {
	readonly text: string;
	/** The shell's name. */
	readonly shell: string;
	readonly analysis: ShellAnalysis;
	/** Every sequence of words that might be a command. */
	readonly parts: CommandParts;
	readonly mentions: readonly Mention[];
	/** Files with secrets in folders whose files it reads, as far as they were found. */
	readonly secretsBelow: readonly Place[];
}

const writingCommands = new Set(
	'rm rmdir mv cp touch mkdir tee sed dd ln chmod chown truncate install rsync unlink'.split(' '),
);

/** What can be known without a parser: one simple command of plain words; anything else is not understood. */
export function plainAnalysis(text: string, shell: string, cwd: string): ShellAnalysis {
	const words = isPosixShell(shell) || !/['"%]/.test(text) ? plainWords(text) : undefined;
	if (words === undefined || text.length > limits.commandChars) {
		const code = text.length > limits.commandChars ? 'too_long' : 'no_parser';
		return { commands: [], writes: [], reads: [], unclear: [{ code, text: text.slice(0, 200) }], readOnly: false };
	}
	if (isPosixShell(shell)) return analysePlain(text.trim(), words, { shell, cwd });
	const name = commandName(words[0] ?? '');
	const command: ShellCommand = {
		text: text.trim(),
		words: words.map((value) => ({ text: value, value })),
		assignments: [],
		wrappers: [],
		cwd,
	};
	const operands = words.slice(1).filter((word) => !word.startsWith('-'));
	const removed = ['rm', 'rmdir', 'unlink', 'mv'].includes(name);
	const use = (word: string) => ({ text: word, path: nodePath.resolve(cwd, word), by: name, command: command.text });
	const writes = writingCommands.has(name) ? operands.map((word) => ({ ...use(word), removed })) : [];
	return { commands: [command], writes, reads: [], unclear: [], readOnly: false };
}

export interface MentionQuery {
	readonly text: string;
	readonly analysis: ShellAnalysis;
	readonly cwd: string;
	readonly home?: string;
	readonly api: PlatformPath;
	/** Names in a folder; empty when it cannot be read. */
	readonly list?: (folder: string) => Promise<readonly string[]>;
}

/** Everything in the command that may name a file, looked at from every folder that it may be in. */
export async function mentionsOf(query: MentionQuery): Promise<Pick<CommandFacts, 'parts' | 'mentions'>> {
	const { analysis, cwd } = query;
	const folders = [...new Set([cwd, ...analysis.commands.flatMap((command) => command.cwd ?? [])])];
	const read = commandParts(query.text);
	const found = new Map<string, boolean>();
	const add = (path: string, written: boolean) => {
		if (found.size < limits.commandPaths) found.set(path, written || found.get(path) === true);
	};
	for (const use of analysis.writes) if (use.path !== undefined) add(use.path, true);
	for (const use of analysis.reads) if (use.path !== undefined) add(use.path, false);
	const words = new Map<string, boolean>();
	for (const target of read.targets) words.set(target, true);
	for (const { words: all } of read.parts) {
		const writes = writingCommands.has(commandName(all[0] ?? ''));
		for (const word of all.slice(1)) words.set(word, writes || words.get(word) === true);
	}
	for (const command of analysis.commands) {
		const writes = writingCommands.has(commandName(command.words[0]?.value ?? ''));
		for (const word of command.words.slice(1)) {
			const text = word.value ?? word.text;
			words.set(text, writes || words.get(text) === true);
		}
	}
	for (const [word, written] of words) {
		if (found.size >= limits.commandPaths) break;
		for (const text of meaningsOf(word)) {
			for (const folder of folders) {
				const path = pathOf(text, folder, query);
				const physical = physicalPath({ text }, folder);
				add(path, written);
				if (physical !== undefined) add(physical, written);
				if (/[*?[]/.test(text)) for (const match of await globbed(path, query)) add(match, written);
			}
		}
	}
	return { parts: read, mentions: [...found].map(([path, written]) => ({ path, written })) };
}

/** A word, and the parts of it that programs take as a path: `--file=x`, `-fx`, `HEAD:x`, `@x`, `file:///x`. */
function meaningsOf(word: string): readonly string[] {
	if (word === '' || word.length > 4096 || word.includes('\0')) return [];
	const texts = new Set<string>();
	for (const text of braced(word)) {
		texts.add(text);
		for (const mark of ['=', '@', ':', ',']) {
			for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) texts.add(text.slice(at + 1));
		}
		if (/^-[A-Za-z]./.test(text)) texts.add(text.slice(2));
		const uri = /^[a-z]+:\/\/(?:localhost)?(\/.*)$/i.exec(text)?.[1];
		if (uri !== undefined) texts.add(decoded(uri));
	}
	return [...texts].filter((text) => text !== '').slice(0, 40);
}

function decoded(uri: string): string {
	try {
		return decodeURIComponent(uri);
	} catch {
		return uri;
	}
}

/** `a{b,c}` is `ab` and `ac`; a few levels, a few words. */
function braced(word: string): readonly string[] {
	let words: readonly string[] = [word];
	for (let round = 0; round < 4; round++) {
		const next = words.flatMap((text) => {
			const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(text);
			if (match === null) return [text];
			const [, before = '', inner = '', after = ''] = match;
			return inner.split(',').map((part) => `${before}${part}${after}`);
		});
		if (next.length > 64) break;
		words = next;
	}
	return [...new Set([word, ...words])];
}

function pathOf(text: string, folder: string, { home, api, cwd }: MentionQuery): string {
	const own = home === undefined ? undefined : /^(?:~|\$HOME|\$\{HOME\})(?:\/(.*))?$/s.exec(text);
	if (own && home !== undefined) return api.resolve(home, own[1] ?? '');
	const here = /^(?:\$PWD|\$\{PWD\})(?:\/(.*))?$/s.exec(text);
	if (here) return api.resolve(cwd, here[1] ?? '');
	return api.resolve(folder, text);
}

/** What a glob finds, one folder at a time; a leading dot must be written, as the shell wants it. */
async function globbed(path: string, { api, list }: MentionQuery): Promise<readonly string[]> {
	if (list === undefined) return [];
	const root = api.parse(path).root;
	let folders: readonly string[] = [root];
	for (const segment of path.slice(root.length).split(/[/\\]/)) {
		if (segment === '') continue;
		if (!/[*?[]/.test(segment)) {
			folders = folders.map((folder) => api.join(folder, segment));
			continue;
		}
		const pattern = globPattern(segment);
		const lists = await Promise.all(
			folders.slice(0, 20).map(async (folder) => ({ folder, names: await list(folder) })),
		);
		folders = lists.flatMap(({ folder, names }) =>
			names
				.filter(
					(name) => (!name.startsWith('.') || segment.startsWith('.') || segment.startsWith('[')) && pattern(name),
				)
				.map((name) => api.join(folder, name)),
		);
		if (folders.length > limits.commandPaths) folders = folders.slice(0, limits.commandPaths);
	}
	return folders;
}

/** One name against a glob. Steps are bounded, so that no pattern takes long. */
export function globPattern(glob: string): (name: string) => boolean {
	const pieces = glob.match(/\[[^\]]*\]|\*+|[\s\S]/g) ?? [];
	return (name) => {
		let reached = new Set<number>([0]);
		for (const piece of pieces) {
			const next = new Set<number>();
			for (const at of reached) {
				if (piece.startsWith('*')) for (let index = at; index <= name.length; index++) next.add(index);
				else if (at < name.length && (piece === '?' || piece.length > 1 || piece === name[at])) next.add(at + 1);
			}
			reached = next;
		}
		return reached.has(name.length);
	};
}
