// Reading a shell command without running it, twice: strictly (`plainWords`: only what provably is one simple command),
// and generously (`commandParts`: every word sequence that might be a command, for rules that forbid).

import { limits } from '../limits.ts';

/** POSIX-like shells, whose quoting the readers here know. */
export function isPosixShell(name: string): boolean {
	const base = name.toLowerCase().split(/[/\\]/).pop() ?? '';
	return /^(?:bash|sh|zsh|dash|ksh|ash)(?:\.exe)?$/.test(base);
}

// Letters of any script, digits, and marks that no shell gives a meaning inside a word.
const plainCharacter = /[\p{L}\p{N}\p{M}_./:=@,+%-]/u;
const specialFirst = /^[=%@:]/;

/**
 * The words of a command that has no shell syntax at all: plain words, and quotes whose content is taken literally.
 * `undefined` for anything else, such as operators, expansions, globs, escapes, comments, line ends or open quotes.
 */
export function plainWords(command: string): string[] | undefined {
	const words: string[] = [];
	let word: string | undefined;
	const characters = Array.from(command);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? '';
		if (character === ' ' || character === '\t') {
			if (word !== undefined) words.push(word);
			word = undefined;
		} else if (character === "'" || character === '"') {
			const end = characters.indexOf(character, index + 1);
			if (end === -1) return undefined;
			const content = characters.slice(index + 1, end).join('');
			if (!isLiteral(content, character)) return undefined;
			word = (word ?? '') + content;
			index = end;
		} else if (plainCharacter.test(character)) {
			if (word === undefined && specialFirst.test(character)) return undefined;
			word = (word ?? '') + character;
		} else return undefined;
	}
	if (word !== undefined) words.push(word);
	return words.length === 0 ? undefined : words;
}

function isLiteral(content: string, quote: string): boolean {
	// oxlint-disable-next-line no-control-regex -- control characters are what is refused
	if (/[\u0000-\u001f\u007f]/.test(content)) return false;
	return quote === "'" || !/[$`\\!]/.test(content);
}

export interface CommandPart {
	/** Quotes and escapes removed, expansions as written. The first word is at a place where a command's name stands. */
	readonly words: readonly string[];
}
export interface CommandParts {
	readonly parts: readonly CommandPart[];
	/** What redirections write to or read from. */
	readonly targets: readonly string[];
}

// Words after which another command begins.
const introducers = new Set(
	'if then else elif do while until ! { time case for in function coproc sudo doas env xargs nice nohup timeout stdbuf command builtin exec noglob nocorrect setsid ionice flock watch eval trap source . busybox parallel strace unbuffer chroot su runuser'.split(
		' ',
	),
);
const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'eval', 'trap', 'su', 'watch', 'ssh']);
// Substitutions in substitutions, and commands in strings of commands, that are followed.
const maxDepth = 4;
const finders = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/**
 * Every sequence of words that may run as a command: parts between operators, inside substitutions, after wrappers such
 * as `sudo` or `xargs`, and inside strings handed to a shell. Rather too many than one too few.
 */
export function commandParts(command: string, nesting = 0): CommandParts {
	// Wrappers in overlong commands are not followed (the cost is quadratic); the rules treat these with more suspicion.
	const depth = command.length > limits.commandChars ? maxDepth : nesting;
	const parts: CommandPart[] = [];
	const targets: string[] = [];
	const scanned = new Scanner(command);
	scanned.run();
	for (const segment of scanned.segments) {
		addSegment(segment.map(shown), parts, depth);
		// Expansions may come to nothing: `$x rm`, `rm$x`; and braces to several words: `{rm,-rf,x}`.
		const bare = segment.flatMap(expanded).filter((word) => word !== '');
		if (bare.length !== segment.length || bare.some((word, index) => word !== segment[index])) {
			addSegment(bare, parts, depth);
		}
	}
	targets.push(...scanned.targets.map(shown));
	if (depth < maxDepth) {
		for (const inner of scanned.nested) {
			const found = commandParts(inner, depth + 1);
			parts.push(...found.parts);
			targets.push(...found.targets);
		}
	}
	return { parts, targets };
}

function addSegment(segment: readonly string[], parts: CommandPart[], depth: number): void {
	const start = segment.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
	if (start === -1) return;
	const words = segment.slice(start);
	parts.push({ words });
	if (depth >= maxDepth) return;
	const name = commandName(words[0] ?? '');
	const wrapper = introducers.has(name);
	for (const [index, word] of words.entries()) {
		if (index === 0) continue;
		if (wrapper || shells.has(name) || finders.has(words[index - 1] ?? '')) parts.push({ words: words.slice(index) });
		if (/\s|[;&|]/.test(word) && (wrapper || shells.has(name) || words.some(isShellWord))) {
			parts.push(...commandParts(word, depth + 1).parts);
		}
	}
}

function isShellWord(word: string): boolean {
	return shells.has(commandName(word));
}

/** `/bin/rm` and `rm.exe` are `rm`. */
export function commandName(word: string): string {
	return (word.split(/[/\\]/).pop() ?? word).replace(/\.exe$/i, '');
}

// Stands before and after each expansion while a command is scanned.
const mark = '\0';

function shown(word: string): string {
	return word.replaceAll(mark, '');
}

/** A word without its expansions, and with the alternatives of braces as words of their own. */
function expanded(word: string): string[] {
	const bare = word
		.split(mark)
		.filter((_, index) => index % 2 === 0)
		.join('');
	return /^\{.*,.*\}$/s.test(bare) ? bare.slice(1, -1).split(',') : [bare];
}

/** One pass over a command's characters. */
class Scanner {
	readonly segments: string[][] = [];
	readonly targets: string[] = [];
	/** Texts of substitutions, to be read as commands. */
	readonly nested: string[] = [];
	private segment: string[] = [];
	private word: string | undefined;
	private isTarget = false;
	private readonly text: string;

	constructor(text: string) {
		this.text = text;
	}

	run(): void {
		let index = 0;
		while (index < this.text.length) index = this.step(index);
		this.endSegment();
	}

	/** Reads what begins at `index`; gives back where it ends. */
	private step(index: number): number {
		const character = this.text[index] ?? '';
		switch (character) {
			case '\\':
				// A backslash before a line end joins the lines; else the next character is literal.
				if (this.text[index + 1] !== '\n') this.add(this.text[index + 1] ?? '');
				return index + 2;
			case "'":
				return this.singleQuoted(index);
			case '"':
				return this.doubleQuoted(index + 1);
			case '`':
			case '$':
				if (this.text[index + 1] === "'") return this.escapedQuoted(index + 2);
				if (this.text[index + 1] === '"') return this.doubleQuoted(index + 2);
				return this.substitution(index);
			case ' ':
			case '\t':
				this.endWord();
				return index + 1;
			case '>':
			case '<':
				return this.redirection(index);
			case ';':
			case '&':
			case '|':
			case '\n':
			case '\r':
			case '(':
			case ')':
				this.endSegment();
				return index + 1;
			default:
				this.add(character);
				return index + 1;
		}
	}

	private singleQuoted(index: number): number {
		const end = this.text.indexOf("'", index + 1);
		// Without its end the rest is read as if there were no quote.
		if (end === -1) return index + 1;
		this.add(this.text.slice(index + 1, end));
		return end + 1;
	}

	/** `$'…'`, whose escapes stand for characters. */
	private escapedQuoted(start: number): number {
		const content = /^(?:[^'\\]|\\[\s\S])*/.exec(this.text.slice(start))?.[0] ?? '';
		this.add(
			content.replace(/\\(x[0-9a-f]{1,2}|u[0-9a-f]{1,4}|[0-7]{1,3}|[\s\S])/gi, (_, code: string) => escaped(code)),
		);
		return start + content.length + 1;
	}

	private doubleQuoted(start: number): number {
		this.add('');
		let index = start;
		while (index < this.text.length && this.text[index] !== '"') {
			const character = this.text[index];
			if (character === '\\') {
				this.add(this.text[index + 1] ?? '');
				index += 2;
			} else if (character === '$' || character === '`') index = this.substitution(index);
			else {
				this.add(character ?? '');
				index++;
			}
		}
		return index + 1;
	}

	/** `$(…)` and backticks are read as commands too; their text stays in the word. */
	private substitution(index: number): number {
		const opened = this.text.startsWith('$(', index);
		if (!opened && this.text[index] !== '`') {
			return this.variable(index);
		}
		const start = index + (opened ? 2 : 1);
		const end = opened ? closing(this.text, start) : this.text.indexOf('`', start);
		const stop = end === -1 ? this.text.length : end;
		this.nested.push(this.text.slice(start, stop));
		this.add(`${mark}$${mark}`);
		return stop + 1;
	}

	/** `$name` and `${…}`; what stands in the braces may hold substitutions. */
	private variable(index: number): number {
		const [name = '$'] = /^\$(?:\w+|[@*#?$!-])?/.exec(this.text.slice(index, index + 1_000)) ?? [];
		if (this.text[index + 1] !== '{') {
			this.add(`${mark}${name}${mark}`);
			return index + name.length;
		}
		const end = this.text.indexOf('}', index);
		const stop = end === -1 ? this.text.length : end + 1;
		this.nested.push(this.text.slice(index + 2));
		this.add(`${mark}${this.text.slice(index, stop)}${mark}`);
		return stop;
	}

	private redirection(index: number): number {
		if (this.text[index + 1] === '(') {
			const end = closing(this.text, index + 2);
			this.nested.push(this.text.slice(index + 2, end === -1 ? undefined : end));
			this.add(`${mark}$${mark}`);
			return end === -1 ? this.text.length : end + 1;
		}
		// The number of a descriptor belongs to the redirection.
		if (this.word !== undefined && /^\d+$/.test(this.word)) this.word = undefined;
		this.endWord();
		this.isTarget = true;
		let next = index + 1;
		while (next < this.text.length && /[<>&|-]/.test(this.text[next] ?? '')) next++;
		return next;
	}

	private add(text: string): void {
		this.word = (this.word ?? '') + text;
	}

	private endWord(): void {
		if (this.word === undefined) return;
		if (this.isTarget) this.targets.push(this.word);
		else this.segment.push(this.word);
		this.word = undefined;
		this.isTarget = false;
	}

	private endSegment(): void {
		this.endWord();
		this.isTarget = false;
		if (this.segment.length > 0) this.segments.push(this.segment);
		this.segment = [];
	}
}

/** What stands after the backslash in `$'…'`. */
function escaped(code: string): string {
	if (/^[xu]./i.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
	if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
	return ({ n: '\n', t: '\t', r: '\r' } as Readonly<Record<string, string>>)[code] ?? code;
}

/** The parenthesis that closes the one before `start`; quotes are passed over. -1 when there is none. */
function closing(text: string, start: number): number {
	let depth = 1;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (character === '\\') index++;
		else if (character === "'") {
			const end = text.indexOf("'", index + 1);
			if (end !== -1) index = end;
		} else if (character === '(') depth++;
		else if (character === ')' && --depth === 0) return index;
	}
	return -1;
}
