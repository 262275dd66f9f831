// Which rule covers a call. Rules that forbid reach as far as they can; rules that allow only as far as is proven.
import { limits } from '../limits.ts';
import type { PermissionNeed } from './access.ts';
import type { Places } from './places.ts';
import { pathMatches } from './places.ts';
import type { Rule, Specifier } from './rule.ts';
import type { CommandPart } from './shellWords.ts';
import { commandName, commandParts, isPosixShell, plainWords } from './shellWords.ts';

export interface Matched {
	readonly tool: string;
	readonly need: PermissionNeed;
	readonly places: Places;
	/** The shell's name. */
	readonly shell: string;
}

type CommandSpecifier = Extract<Specifier, { kind: 'command' }>;

/** The first deny or ask rule that covers the call. `blocksWrites`: rules on reading hold for writing too (deny). */
export function forbiddingRule(rules: readonly Rule[], call: Matched, blocksWrites: boolean): Rule | undefined {
	return rules.find((rule) => forbids(rule, call, blocksWrites));
}

/** The first allow rule that covers the call wholly. */
export function allowingRule(rules: readonly Rule[], call: Matched): Rule | undefined {
	return rules.find((rule) => {
		if (!namesTool(rule.tool, call.tool, false)) return false;
		const { specifier } = rule;
		switch (specifier.kind) {
			case 'any':
				return true;
			case 'path':
				return call.places.target !== undefined && pathMatches(specifier, call.places.target, call.places, false);
			case 'command':
				return call.need.access.kind === 'command' && allowsCommand(specifier, call.need.access.command, call.shell);
		}
	});
}

function forbids(rule: Rule, call: Matched, blocksWrites: boolean): boolean {
	const { access } = call.need;
	const { specifier } = rule;
	if (specifier.kind === 'path' && access.kind === 'command') return forbidsWords(rule, specifier, call);
	if (!namesTool(rule.tool, call.tool, blocksWrites)) return false;
	switch (specifier.kind) {
		case 'any':
			return true;
		case 'path':
			return call.places.target !== undefined && pathMatches(specifier, call.places.target, call.places, true);
		case 'command':
			return access.kind === 'command' && forbidsCommand(specifier, access.command, call.shell);
	}
}

/** `Read` holds for all that reads files, `Edit` for all that writes them. */
function namesTool(named: string, tool: string, blocksWrites: boolean): boolean {
	if (named === tool || named === '*') return true;
	if (named.endsWith('*')) return tool.startsWith(named.slice(0, -1));
	const reads = tool === 'Grep' || tool === 'Glob';
	const writes = tool === 'Edit' || tool === 'Write' || tool === 'NotebookEdit';
	return (named === 'Read' && (reads || (blocksWrites && writes))) || (named === 'Edit' && writes);
}

const writers = new Set(
	'rm rmdir mv cp touch mkdir tee sed dd ln chmod chown truncate install rsync unlink'.split(' '),
);

/** A path rule against a command: what its redirections lead to, and what its words name. */
function forbidsWords(rule: Rule, specifier: Extract<Specifier, { kind: 'path' }>, { need, places }: Matched): boolean {
	if (need.access.kind !== 'command') return false;
	const { parts, targets } = commandParts(need.access.command);
	const reading = rule.tool === 'Read';
	const words = parts
		.filter((part) => reading || writers.has(commandName(part.words[0] ?? '')))
		.flatMap((part) => part.words.slice(1));
	return [...targets, ...words].some((word) => {
		const place = places.words.get(word);
		return place !== undefined && pathMatches(specifier, place, places, true);
	});
}

/** Words of a command that may name paths, for `resolvePlaces`. */
export function wordsOfCommand(command: string): readonly string[] {
	const { parts, targets } = commandParts(command);
	return [...targets, ...parts.flatMap((part) => part.words.slice(1))];
}

const neverByPrefix = new Set('watch setsid ionice flock'.split(' '));

function allowsCommand(specifier: CommandSpecifier, command: string, shell: string): boolean {
	if (specifier.match === 'exact' && command.trim() === specifier.text) return true;
	const posix = isPosixShell(shell);
	if (!posix && /['"%]/.test(command)) return false;
	const words = plainWords(command);
	if (words === undefined || !matchesWords(specifier, words)) return false;
	if (specifier.match === 'exact') return true;
	const name = commandName(words[0] ?? '');
	if (neverByPrefix.has(name)) return false;
	if (
		name === 'find' &&
		words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(word))
	) {
		return false;
	}
	return name !== 'git' || !hasGitConfig(words);
}

/** `git -c x=y …` can make git run anything. */
function hasGitConfig(words: readonly string[]): boolean {
	const command = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
	return words.some((word, index) => {
		if (index === 0 || (command !== -1 && index > command)) return false;
		return word.startsWith('-c') || word.startsWith('--config-env') || word.startsWith('--exec-path');
	});
}

function forbidsCommand(specifier: CommandSpecifier, command: string, shell: string): boolean {
	if (command.trim() === specifier.text) return true;
	// A rule that is itself no simple command holds wherever its text stands.
	if (plainWords(specifier.text) === undefined && command.includes(specifier.text)) return true;
	if (command.length > limits.commandChars) return command.includes(specifier.text.split(/\s/)[0] ?? '');
	const posix = isPosixShell(shell);
	const parts = posix ? commandParts(command).parts : everySequence(command);
	return parts.some((part) => forms(part, posix).some((words) => matchesWords(specifier, words, couldBe)));
}

/** For shells whose syntax is not known here: a command may begin at any word. */
function everySequence(command: string): readonly CommandPart[] {
	const words = command.split(/[\s;&|(){}'"`]+/).filter((word) => word !== '');
	return words.map((_, index) => ({ words: words.slice(index) }));
}

/** A part as written, by the command's bare name, and without git's options before the subcommand. */
function forms({ words }: CommandPart, posix: boolean): readonly (readonly string[])[] {
	const named = [commandName(words[0] ?? ''), ...words.slice(1)];
	const lower = posix ? [] : [[(named[0] ?? '').toLowerCase(), ...named.slice(1)]];
	if (named[0] !== 'git') return [words, named, ...lower];
	const rest = named.slice(1);
	while (rest[0]?.startsWith('-') === true) {
		const option = rest.shift();
		if (/^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/.test(option ?? '')) {
			rest.shift();
		}
	}
	return [words, named, ['git', ...rest]];
}

function matchesWords({ text, match }: CommandSpecifier, words: readonly string[], same = isSame): boolean {
	const wanted = plainWords(text) ?? text.split(/\s+/);
	if (words.length < wanted.length || (match === 'exact' && words.length !== wanted.length)) return false;
	return wanted.every((word, index) => {
		const found = words[index] ?? '';
		return match === 'prefix' && index === wanted.length - 1 ? found.startsWith(word) : same(found, word);
	});
}

function isSame(found: string, wanted: string): boolean {
	return found === wanted;
}

/** A glob such as `/bin/r?` may come to be the word that is forbidden. */
function couldBe(found: string, wanted: string): boolean {
	if (found === wanted || found.length > 200 || !/[?[*]/.test(found)) return found === wanted;
	if (/^\*+$/.test(found)) return false;
	const pattern = found
		.replace(/\[[^\]]*\]|\*+|[\\^$.+?()|{}]/g, (token) =>
			token.startsWith('[') || token === '?' ? '.' : token.startsWith('*') ? '.*' : `\\${token}`,
		)
		.replaceAll('[', '\\[');
	return new RegExp(`^${pattern}$`, 's').test(wanted);
}
