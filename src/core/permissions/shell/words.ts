// Reads the words of a command line anew, beside the grammar: where a word ends, and its text after quoting. Contract:
// what it and the grammar read differently is reported, never guessed.
import type { ShellWord } from '../shellAnalysis.ts';
import { decodeAnsi, readBraced } from './expansions.ts';
import type { Part, WordHost } from './wordHost.ts';

export interface ReadWord extends ShellWord {
	readonly start: number;
	readonly end: number;
	/** It may come to be none or several words. */
	readonly several?: boolean;
	/** Nothing of it is quoted or expanded. */
	readonly plain?: boolean;
	/** It is the name of a pipe to another command. */
	readonly pipe?: boolean;
	/** What brace expansion makes of it, when that is known. */
	readonly braces?: readonly string[];
}

/** Unquoted, these look like the shell's own signs or like spaces, and are neither. */
const lookAlikes = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000；｜＆＞＜＄｀（）＃‘’“”＂＇]/u;

/** Reads from the source at a position; every `read…` and `skip…` answers where it ended. */
export class WordReader {
	readonly #host: WordHost;
	readonly #source: string;

	constructor(host: WordHost) {
		this.#host = host;
		this.#source = host.source;
	}

	/** The word that starts at `start`; it ends before the next unquoted space or sign of the shell. */
	word(start: number): ReadWord {
		const parts: Part[] = [];
		let at = start;
		let several = false;
		while (at < this.#source.length) {
			const char = this.#source.charAt(at);
			const next = this.#source.charAt(at + 1);
			if ((char === '<' || char === '>') && next === '(' && this.#isProcess(at)) {
				at = this.#process(at);
				parts.push({ text: undefined, quoted: true });
			} else if (/[\s;&|<>()]/.test(char)) break;
			else if (char === '\\') {
				if (next !== '\n') parts.push({ text: next, quoted: true });
				at += 2;
			} else if (char === "'") {
				const end = this.#source.indexOf("'", at + 1);
				if (end < 0) return this.#broken(start);
				parts.push({ text: this.#source.slice(at + 1, end), quoted: true });
				at = end + 1;
			} else if (char === '"' || (char === '$' && next === '"')) {
				const from = parts.length;
				at = this.quoted(char === '"' ? at : at + 1, parts);
				if (at < 0) return this.#broken(start);
				several ||= /\$\{?[\w]*(?:\[)?@/.test(this.#source.slice(start, at));
				if (parts.length === from) parts.push({ text: '', quoted: true });
			} else if (char === '$' && next === "'") {
				const ansi = decodeAnsi(this.#source, at + 2);
				if (ansi === undefined) return this.#broken(start);
				parts.push({ text: ansi.text, quoted: true });
				at = ansi.end;
			} else if (char === '$' || char === '`') {
				const from = at;
				at = this.expansion(at, false, parts);
				if (at < 0) return this.#broken(start);
				several ||= at > from + 1;
			} else {
				if (lookAlikes.test(char)) this.#host.problem('unsupported', start, at + 1);
				parts.push({ text: char, quoted: false });
				at++;
			}
		}
		return this.#finish(start, at, parts, several);
	}

	/** From a double quote to behind its end; -1 when it does not end. */
	quoted(start: number, parts: Part[]): number {
		let at = start + 1;
		let text = '';
		const flush = (): void => {
			if (text !== '') parts.push({ text, quoted: true });
			text = '';
		};
		while (at < this.#source.length) {
			const char = this.#source.charAt(at);
			if (char === '"') {
				flush();
				return at + 1;
			}
			if (char === '\\') {
				const next = this.#source.charAt(at + 1);
				text += next === '\n' ? '' : /[$`"\\]/.test(next) ? next : `\\${next}`;
				at += 2;
			} else if (char === '$' || char === '`') {
				flush();
				at = this.expansion(at, true, parts);
				if (at < 0) return -1;
			} else {
				text += char;
				at++;
			}
		}
		return -1;
	}

	/** From `$` or a backtick to behind what it begins; a lone `$` is itself. */
	expansion(start: number, quoted: boolean, parts: Part[]): number {
		if (this.#source.charAt(start) === '`') {
			parts.push({ text: undefined, quoted });
			return this.#backticks(start, quoted);
		}
		const rest = this.#source.slice(start, start + 200);
		if (/^\$[([]/.test(rest)) {
			parts.push({ text: undefined, quoted });
			return this.#parenthesis(start, rest.charAt(1) === '[');
		}
		if (rest.startsWith('${')) {
			const braced = readBraced(this, this.#host, start, quoted);
			if (braced === undefined) return -1;
			const known = braced.plainName === undefined ? undefined : this.#host.variable(braced.plainName);
			parts.push({ text: known, quoted: quoted || known !== undefined });
			return braced.end;
		}
		const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(rest)?.[0];
		if (name === undefined) {
			parts.push({ text: '$', quoted: true });
			return start + 1;
		}
		const full = /^[A-Za-z_]/.test(name.slice(1)) ? this.#name(start + 1) : name.slice(1);
		const value = this.#host.variable(full);
		parts.push({ text: value, quoted: quoted || value !== undefined });
		return start + 1 + full.length;
	}

	#name(start: number): string {
		let end = start;
		while (/\w/.test(this.#source.charAt(end))) end++;
		return this.#source.slice(start, end);
	}

	/** Goes over a text in which only quotes and expansions matter. `single`: single quotes quote. */
	skim(start: number, end: number, { single }: { readonly single: boolean }): void {
		const parts: Part[] = [];
		let at = start;
		while (at >= 0 && at < end) {
			const char = this.#source.charAt(at);
			if (char === '\\') at += 2;
			else if (char === "'" && single) {
				const close = this.#source.indexOf("'", at + 1);
				at = close < 0 ? -1 : close + 1;
			} else if (char === '"' && single) at = this.quoted(at, parts);
			else if (char === '$' && single && this.#source.charAt(at + 1) === "'") {
				at = decodeAnsi(this.#source, at + 2)?.end ?? -1;
			} else if (char === '$' || char === '`') at = this.expansion(at, !single, parts);
			else if (/[<>]/.test(char) && single && this.#source.charAt(at + 1) === '(') at = this.#process(at);
			else at++;
		}
		if (at !== end) this.#host.problem('syntax', start, end);
	}

	#isProcess(at: number): boolean {
		return this.#host.known(at)?.type === 'process_substitution';
	}

	#process(start: number): number {
		const known = this.#host.known(start);
		if (known?.type !== 'process_substitution') {
			this.#host.problem('syntax', start, start + 2);
			return start + 2;
		}
		this.#host.found({ start, end: known.end });
		return known.end;
	}

	#parenthesis(start: number, bracket: boolean): number {
		const known = this.#host.known(start);
		if (known?.type === 'command_substitution' && !bracket) {
			this.#host.found({ start, end: known.end });
			return known.end;
		}
		if (known?.type !== 'arithmetic_expansion') return -1;
		if (bracket) this.#host.arithmetic(start + 2, known.end - 1);
		else this.#host.arithmetic(start + 3, known.end - 2);
		return known.end;
	}

	#backticks(start: number, quoted: boolean): number {
		let at = start + 1;
		let code = '';
		while (at < this.#source.length) {
			const char = this.#source.charAt(at);
			if (char === '`') {
				this.#host.found({ start, end: at + 1, code });
				return at + 1;
			}
			const next = this.#source.charAt(at + 1);
			if (char === '\\' && (/[$`\\]/.test(next) || (quoted && next === '"'))) {
				code += next;
				at += 2;
			} else {
				code += char;
				at++;
			}
		}
		return -1;
	}

	#broken(start: number): ReadWord {
		this.#host.problem('syntax', start, this.#source.length);
		return { start, end: -1, text: this.#source.slice(start), several: true };
	}

	#finish(start: number, end: number, parts: readonly Part[], unsplit: boolean): ReadWord {
		const text = this.#source.slice(start, end);
		const bare = parts.map((part) => (part.quoted ? '\uffff' : (part.text ?? '\ufffe'))).join('');
		const glob = /[*?]|\[[^\]]*\]/s.test(bare);
		const braces = /\{[^{}]*(?:,|\.\.)[^{}]*\}/s.test(bare) || /\{.*(?:,|\.\.).*\}/s.test(bare);
		const value = this.#value(parts, bare);
		const several = unsplit || glob || braces;
		return {
			start,
			end,
			text,
			...(value === undefined || braces ? {} : { value }),
			...(braces ? { braces: value === undefined ? [] : expandBraces(parts) } : {}),
			...(glob ? { glob } : {}),
			...(parts.length === 1 && /^[<>]\(/.test(text) ? { pipe: true } : {}),
			...(several ? { several } : {}),
			...(parts.every(({ quoted }) => !quoted) && parts.length === end - start ? { plain: true } : {}),
		};
	}

	#value(parts: readonly Part[], bare: string): string | undefined {
		let value = '';
		for (const { text } of parts) {
			if (text === undefined) return undefined;
			value += text;
		}
		if (!bare.startsWith('~')) return value;
		const [, user = ''] = /^~([^/\uffff\ufffe]*)/.exec(bare) ?? [];
		const home = this.#host.home();
		// `~name`, `~+`, `~-`; and `~"x"`, where the quotes keep it as it is.
		if (user !== '' || bare.charAt(1) === '\ufffe' || home === undefined) return undefined;
		return bare.charAt(1) === '\uffff' ? value : home + value.slice(1);
	}
}

/** `a{b,c}d` without nesting; anything else is left unknown (an empty list). */
function expandBraces(parts: readonly Part[]): readonly string[] {
	const marked = parts.map(({ text = '', quoted }) => (quoted ? text.replace(/[{},]/g, '') : text)).join('');
	const plain = parts.map(({ text }) => text ?? '').join('');
	const [, before, inner, after] = /^([^{}~]*)\{([^{}]*)\}([^{}]*)$/s.exec(plain) ?? [];
	if (marked !== plain || inner === undefined || !inner.includes(',') || inner.includes('..')) return [];
	return inner.split(',').map((one) => `${before}${one}${after}`);
}
