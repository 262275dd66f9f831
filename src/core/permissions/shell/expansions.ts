// The inside of `${…}` and `$'…'`: where they end, and what in them the shell evaluates again.
import type { Part, WordHost } from './wordHost.ts';

/** Reads what may stand inside; both answer where it ended, or -1. */
interface InnerReader {
	quoted(start: number, parts: Part[]): number;
	expansion(start: number, quoted: boolean, parts: Part[]): number;
}

/** `$'…'` from behind its opening quote; `undefined` when it does not end or holds what shells read differently. */
export function decodeAnsi(source: string, start: number): { readonly text: string; readonly end: number } | undefined {
	let text = '';
	let at = start;
	while (at < source.length) {
		const char = source.charAt(at);
		if (char === "'") return { text, end: at + 1 };
		if (char !== '\\') {
			text += char;
			at++;
			continue;
		}
		const escape =
			/^\\(?:([abeEfnrtv\\'"?])|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))/.exec(
				source.slice(at, at + 12),
			);
		if (escape === null) return undefined;
		const [all, simple, hex, octal, short, long] = escape;
		const code =
			simple === undefined ? Number.parseInt(hex ?? octal ?? short ?? long ?? '0', octal === undefined ? 16 : 8) : -1;
		// NUL ends the string in the shell, and bytes above 127 depend on its encoding.
		if (code === 0 || code > 0x10ffff || (code > 127 && (hex ?? octal) !== undefined)) return undefined;
		text += simple === undefined ? String.fromCodePoint(code) : simpleEscape(simple);
		at += all.length;
	}
	return undefined;
}

function simpleEscape(char: string): string {
	const at = 'abeEfnrtv'.indexOf(char);
	return at < 0 ? char : '\u0007\b\u001b\u001b\f\n\r\t\v'.charAt(at);
}

interface Braced {
	readonly end: number;
	/** `${name}` and nothing else. */
	readonly plainName?: string;
}

/** `${…}`; `undefined` when it does not end. Contract: it ends where the tree says, or that is a problem. */
export function readBraced(reader: InnerReader, host: WordHost, start: number, quoted: boolean): Braced | undefined {
	const { source } = host;
	const head = /^\$\{([!#]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])?/.exec(source.slice(start, start + 200));
	const [all = '${', prefix, name] = head ?? [];
	const end = closing(reader, host, start + all.length, quoted);
	if (end === undefined) return undefined;
	const text = source.slice(start, end);
	if (name === undefined && !/^\$\{[#!?$@*-]\}$/.test(text)) host.problem('unsupported', start, end);
	// What is named by another variable's text is evaluated; only lists of names and keys are not.
	if (prefix === '!' && !/^\$\{![A-Za-z_]\w*(?:[@*]|\[[@*]\])\}$/.test(text)) host.problem('dynamic_code', start, end);
	const rest = text.slice(all.length, -1);
	if (/@[a-zA-Z]$/.test(rest) && rest.endsWith('P')) host.problem('dynamic_code', start, end);
	const subscript = rest.startsWith('[') ? rest.indexOf(']') + 1 : 0;
	if (subscript > 0 && !/^\[[@*]\]/.test(rest))
		host.arithmetic(start + all.length + 1, start + all.length + subscript - 1);
	if (rest.startsWith('[') && subscript === 0) host.problem('syntax', start, end);
	const operator = rest.slice(subscript);
	if (/^:(?![-=?+])/.test(operator)) host.arithmetic(start + all.length + subscript + 1, end - 1);
	if (/^:?=/.test(operator) && name !== undefined) host.assigned(name);
	const known = host.known(start);
	if (known?.type !== 'expansion' || known.end !== end) host.problem('syntax', start, end);
	return text === `\${${name}}` && name !== undefined ? { end, plainName: name } : { end };
}

/** Behind the brace that closes it. */
function closing(reader: InnerReader, host: WordHost, start: number, quoted: boolean): number | undefined {
	const { source } = host;
	let at = start;
	while (at >= 0 && at < source.length) {
		const char = source.charAt(at);
		if (char === '}') return at + 1;
		if (char === '\\') at += 2;
		else if (char === "'") {
			// Inside of double quotes it depends on the operator whether it quotes.
			if (quoted) host.problem('unsupported', start, at + 1);
			const end = source.indexOf("'", at + 1);
			at = end < 0 ? -1 : end + 1;
		} else if (char === '"') at = reader.quoted(at, []);
		else if (char === '$' && source.charAt(at + 1) === "'" && !quoted) at = decodeAnsi(source, at + 2)?.end ?? -1;
		else if (char === '$' || char === '`') at = reader.expansion(at, quoted, []);
		else if (/[<>]/.test(char) && source.charAt(at + 1) === '(') {
			const known = host.known(at);
			host.problem('unsupported', at, known?.end ?? at + 2);
			at += 2;
		} else at++;
	}
	return undefined;
}
