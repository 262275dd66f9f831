// Reading a shell command without running it, twice: strictly (`plainWords`: only what provably is one simple command),
// and generously (`commandParts`: every word sequence that might be a command, for rules that forbid).

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
	/** Quotes and escapes removed. The first word is at a place where a command's name stands. */
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
const finders = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/**
 * Every sequence of words that may run as a command: parts between operators, inside substitutions, after wrappers such
 * as `sudo` or `xargs`, and inside strings handed to a shell. Rather too many than one too few.
 */
export function commandParts(command: string, depth = 0): CommandParts {
	const parts: CommandPart[] = [];
	const targets: string[] = [];
	const scanned = scan(command);
	for (const segment of scanned.segments) addSegment(segment, parts, depth);
	targets.push(...scanned.targets);
	if (depth < 4) {
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
	const name = commandName(words[0] ?? '');
	const wrapper = introducers.has(name);
	for (const [index, word] of words.entries()) {
		if (index === 0) continue;
		if (wrapper || shells.has(name) || finders.has(words[index - 1] ?? '')) parts.push({ words: words.slice(index) });
		if (depth < 4 && /\s|[;&|]/.test(word) && (wrapper || shells.has(name) || words.some(isShellWord))) {
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

interface Scan {
	readonly segments: string[][];
	readonly targets: string[];
	/** Texts of substitutions, to be read as commands. */
	readonly nested: string[];
}

/** One pass over the characters; see `Scanner` for the rules. */
function scan(command: string): Scan {
	const scanner = new Scanner(command);
	scanner.run();
	return scanner;
}

class Scanner implements Scan {
	readonly segments: string[][] = [];
	readonly targets: string[] = [];
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
			case "'": {
				const end = this.text.indexOf("'", index + 1);
				if (end === -1) return index + 1;
				this.add(this.text.slice(index + 1, end));
				return end + 1;
			}
			case '"':
				return this.doubleQuoted(index + 1);
			case '`':
			case '$':
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
			this.add('$');
			return index + 1;
		}
		const start = index + (opened ? 2 : 1);
		const end = opened ? closing(this.text, start) : this.text.indexOf('`', start);
		const stop = end === -1 ? this.text.length : end;
		this.nested.push(this.text.slice(start, stop));
		this.add('$');
		return stop + 1;
	}

	private redirection(index: number): number {
		if (this.text[index + 1] === '(') {
			const end = closing(this.text, index + 2);
			this.nested.push(this.text.slice(index + 2, end === -1 ? undefined : end));
			this.add('$');
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
