// Rules on commands: `Bash(npm run *)`. Rules that forbid hold for every place where the words could run; rules that allow
// only for a sub-command that is known to the letter. Pure. Source of the algorithm: ecosystem 2.4.
import { limits } from '../limits.ts';
import type { CommandFacts } from './commandFacts.ts';
import { globPattern } from './commandFacts.ts';
import { hasUnsafeAssignment, isPassedThrough, neverByPattern, runsOtherPrograms } from './launchers.ts';
import { coversInput, matchesText } from './ruleMatch.ts';
import type { CallInput } from './ruleMatch.ts';
import type { Rule, Specifier } from './rule.ts';
import type { ShellCommand } from './shellAnalysis.ts';
import { commandName, isPosixShell, plainWords } from './shellWords.ts';

type CommandSpecifier = Extract<Specifier, { kind: 'command' }>;

/** Does the rule cover the whole line, to the letter? Then it holds for commands that are not understood, too. */
export function allowsExactly(rule: Rule, text: string): boolean {
	const { specifier } = rule;
	return specifier.kind === 'command' && specifier.match === 'exact' && specifier.text === text.trim();
}

/** Does an allow rule cover this sub-command? */
export function allowsCommand(rule: Rule, command: ShellCommand): boolean {
	const { specifier } = rule;
	if (specifier.kind === 'any') return true;
	if (specifier.kind !== 'command') return false;
	if (specifier.match === 'exact' && specifier.text === command.text && saysItAll(command)) return true;
	const wanted = patternText(specifier.text);
	if (wanted === undefined) return false;
	return formsToAllow(command, specifier.match).some((form) =>
		specifier.match === 'exact' ? form === wanted : matchesText(wanted, form),
	);
}

/** What a program within a program is given (`sudo sh -c '…'`) does not say who runs it. */
function saysItAll({ wrappers, text }: ShellCommand): boolean {
	const outer = wrappers[0]?.split(' ')[0];
	return outer === undefined || wrappers.every(isPassedThrough) || text.startsWith(outer);
}

/** The texts by which a sub-command may be allowed; none when something else could run than it says. */
function formsToAllow(command: ShellCommand, match: CommandSpecifier['match']): readonly string[] {
	const values = command.words.map((word) => (word.glob === true ? undefined : word.value));
	const words = values.filter((value) => value !== undefined);
	if (words.length !== values.length || words.length === 0) return [];
	if (hasUnsafeAssignment(command)) return [];
	if (match === 'pattern' && (runsOtherPrograms(words) || command.wrappers.some(neverByPattern))) return [];
	if (command.wrappers.every(isPassedThrough)) {
		const plain = withoutQuietOptions(words);
		return [...new Set([canonical(words), canonical(plain)])];
	}
	// The wrapper itself must be named: `Bash(sudo apt *)`.
	const written = plainWords(command.text);
	const outer = command.wrappers[0]?.split(' ')[0];
	return written !== undefined && written[0] === outer && !runsOtherPrograms(written) ? [canonical(written)] : [];
}

/** git's options that change nothing about what it does. */
function withoutQuietOptions(words: readonly string[]): readonly string[] {
	if (words[0] !== 'git') return words;
	const at = words.findIndex((word, index) => index > 0 && !/^(?:--no-pager|-P|--no-optional-locks)$/.test(word));
	return at === -1 ? words : ['git', ...words.slice(at)];
}

/** Words as one text, quoted where it matters, so that `a b` and `'a b'` are not the same. */
export function canonical(words: readonly string[]): string {
	return words.map((word) => (/^[\p{L}\p{N}\p{M}_./:=@,+%~^-]+$/u.test(word) ? word : quoted(word))).join(' ');
}

function quoted(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A rule's text with its quoting in the same form; undefined when it holds other syntax of a shell. */
function patternText(text: string): string | undefined {
	const words: string[] = [];
	const token = /\s*((?:[^\s'"`$\\;&|<>(){}#!]|'[^']*'|"[^"`$\\]*")+)/y;
	let at = 0;
	while (at < text.trimEnd().length) {
		token.lastIndex = at;
		const [all, word] = token.exec(text) ?? [];
		if (all === undefined || word === undefined) return undefined;
		words.push(
			word.replace(
				/'([^']*)'|"([^"]*)"/g,
				(_, single: string | undefined, double: string | undefined) => single ?? double ?? '',
			),
		);
		at += all.length;
	}
	const forms = words.map((word) => (/^[\p{L}\p{N}\p{M}_./:=@,+%~^*?[\]-]+$/u.test(word) ? word : quoted(word)));
	return forms.join(' ');
}

/** The part of the command, or of what could run in it, that a forbidding rule covers; '' for all of it. */
export function forbiddenPart(rule: Rule, facts: CommandFacts, input: CallInput): string | undefined {
	const { specifier } = rule;
	if (specifier.kind !== 'command') return specifier.kind === 'any' || coversInput(rule, input) ? '' : undefined;
	if (forbidsWhole(rule, specifier, facts, input)) return '';
	const posix = isPosixShell(facts.shell);
	const part = sequences(facts).find(({ words, text }) => {
		// As it is written: with what stands before the program's name, which a rule may name, too.
		const forms = [plainWords(text) ?? [text], ...formsToForbid(words, posix)];
		return forms.some((form) => matchesWords(specifier, form));
	});
	if (part === undefined) return undefined;
	return part.text === facts.text.trim() ? '' : part.text;
}

function forbidsWhole(rule: Rule, specifier: CommandSpecifier, facts: CommandFacts, input: CallInput): boolean {
	const { text } = specifier;
	const command = facts.text;
	if (command.trim() === text) return true;
	const [, name, value] = /^([A-Za-z_]\w*):(\S[\s\S]*)$/.exec(text) ?? [];
	if (name !== undefined && value !== undefined && name in input) {
		const parameter = { kind: 'parameter', name, text: value, match: specifier.match } as const;
		if (coversInput({ ...rule, specifier: parameter }, input)) return true;
	}
	// A rule that is itself no simple command holds wherever its text stands.
	if (patternText(text) === undefined && matchesText(`*${text}*`, command)) return true;
	return command.length > limits.commandChars && command.includes(text.split(/[\s*]/)[0] ?? '');
}

/** Words that might come to run, and how they are shown. */
interface Sequence {
	readonly words: readonly string[];
	readonly text: string;
}

/** Every sequence of words that might come to run; those that surely do come first. */
function sequences({ text, shell, parts, analysis }: CommandFacts): readonly Sequence[] {
	const shown = (words: readonly string[]): Sequence => ({ words, text: words.join(' ') });
	const found = parts.parts.map(({ words }) => shown(words));
	const listed = analysis.commands.map((command) => ({
		words: command.words.map((word) => word.value ?? word.text),
		text: command.text,
	}));
	if (isPosixShell(shell)) return [...listed, ...found];
	// For shells whose syntax is not known here a command may begin at any word.
	const words = text.split(/[\s;&|(){}'"`]+/).filter((word) => word !== '');
	return [...listed, ...found, ...words.map((_, index) => shown(words.slice(index)))];
}

/** As written, by the command's bare name, and without git's options before the subcommand. */
function formsToForbid(words: readonly string[], posix: boolean): readonly (readonly string[])[] {
	const name = commandName(words[0] ?? '');
	const named = [name, ...words.slice(1)];
	const lower = posix ? [] : [[name.toLowerCase(), ...named.slice(1)]];
	if (name.toLowerCase() !== 'git') return [words, named, ...lower];
	const rest = named.slice(1);
	while (rest[0]?.startsWith('-') === true) {
		const option = rest.shift();
		if (
			/^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix|--attr-source)$/.test(
				option ?? '',
			)
		) {
			rest.shift();
		}
	}
	return [words, named, ...lower, ['git', ...rest]];
}

function matchesWords({ text }: CommandSpecifier, words: readonly string[]): boolean {
	if (matchesText(text, words.join(' ')) || matchesText(patternText(text) ?? text, canonical(words))) return true;
	return words.some((word) => /[?[*]/.test(word)) && couldMatch(text, words);
}

/** A glob such as `/bin/r?` may come to be the word that is forbidden. */
function couldMatch(text: string, words: readonly string[]): boolean {
	const wanted = (patternText(text) ?? text).split(' ');
	for (const [index, want] of wanted.entries()) {
		if (want === '*' && index === wanted.length - 1) return true;
		if (want.includes('*')) return matchesText(wanted.slice(index).join(' '), words.slice(index).join(' '));
		const found = words[index];
		if (found === undefined || !couldBe(found, want)) return false;
	}
	return words.length === wanted.length;
}

function couldBe(found: string, wanted: string): boolean {
	if (found === wanted) return true;
	if (found.length > 200 || !/[?[*]/.test(found) || /^\*+$/.test(found)) return false;
	return globPattern(found)(wanted);
}
