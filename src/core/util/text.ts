// Small pure helpers for text: bounded excerpts, terminal output made readable, an estimate of tokens.

export interface Excerpt {
	readonly text: string;
	/** Characters left out. */
	readonly omitted: number;
}

/** At most about `max` characters: the head and the tail, cut at line ends where possible, with a line between that says how much is missing. */
export function headAndTail(text: string, max: number): Excerpt {
	if (text.length <= max) return { text, omitted: 0 };
	const half = Math.floor(max / 2);
	const head = cutHead(text, half);
	const tail = cutTail(text, half);
	const omitted = text.length - head.length - tail.length;
	return { text: `${head}\n[... ${omitted} characters left out ...]\n${tail}`, omitted };
}

function cutHead(text: string, length: number): string {
	const line = text.lastIndexOf('\n', length);
	if (line > length / 2) return text.slice(0, line);
	return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

function cutTail(text: string, length: number): string {
	const start = text.length - length;
	const line = text.indexOf('\n', start);
	if (line !== -1 && line < start + length / 2) return text.slice(line + 1);
	return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

/** The first `max` characters, with `…` when something was cut; never half a character. */
export function clip(text: string, max: number): string {
	if (text.length <= max) return text;
	const end = isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max;
	return `${text.slice(0, end)}…`;
}

/**
 * About `max` characters from shortly before `start` on, with `…` where something was cut; never half a character. A narrow view
 * shows the place without being scrolled.
 */
export function clipAround(text: string, start: number, max: number): string {
	if (text.length <= max) return text;
	const first = Math.max(0, Math.min(start - lead, text.length - max));
	const from = isLowSurrogate(text.charCodeAt(first)) ? first + 1 : first;
	return `${from > 0 ? '…' : ''}${clip(text.slice(from), max)}`;
}

/** Characters shown before the place. */
const lead = 12;

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
function isLowSurrogate(code: number): boolean {
	return code >= 0xdc00 && code <= 0xdfff;
}

// CSI and OSC/DCS/PM/APC strings, charset choices, other two-character escapes, then lone control characters.
const escapes =
	// oxlint-disable-next-line no-control-regex -- terminal output is made of control characters
	/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()*+\-./][ -~]|\u001b[ -/]*[0-~]|[\u0000-\u0007\u000b\u000c\u000e-\u001b\u007f]/g;

/** Output of a command as one reads it: escape codes removed, backspaces and carriage-return progress collapsed. */
export function readableOutput(output: string): string {
	const plain = output.replace(escapes, '').replaceAll('\r\n', '\n');
	if (!plain.includes('\r') && !plain.includes('\b')) return plain;
	return plain.split('\n').map(finalLine).join('\n');
}

/** What a terminal shows of a line at its end: each part after `\r` overwrites from the left. */
function finalLine(line: string): string {
	let shown = '';
	for (const part of line.split(/\r+/)) {
		const text = applyBackspaces(part);
		shown = text.length >= shown.length ? text : text + shown.slice(text.length);
	}
	return shown.trimEnd() === '' ? '' : shown;
}

function applyBackspaces(text: string): string {
	if (!text.includes('\b')) return text;
	const kept: string[] = [];
	for (const character of text) {
		if (character === '\b') kept.pop();
		else kept.push(character);
	}
	return kept.join('');
}

/** Removes escape codes from output that comes in pieces; a code cut between two pieces is held back. */
export class EscapeFilter {
	private held = '';

	push(chunk: string): string {
		const text = this.held + chunk;
		// oxlint-disable-next-line no-control-regex -- looks for an unfinished escape code
		const open = /(?:\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[()*+\-./ ]*)?|\u009b[0-?]*[ -/]*)$/.exec(
			text,
		);
		const cut = open !== null && text.length - open.index < 4096 ? open.index : text.length;
		this.held = text.slice(cut);
		return text.slice(0, cut).replace(escapes, '');
	}
}

/** Tokens of a text, estimated without a tokenizer; errs to the high side. */
export function roughTokens(text: string): number {
	// Counted by the runtime where it can be: this is asked for every line that is read.
	if (Buffer.byteLength(text, 'utf8') === text.length) return Math.ceil(text.length / 3.5);
	let wide = 0;
	for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) wide++;
	return Math.ceil((text.length - wide) / 3.5 + wide);
}

/** Lines without their ends (`\n` or `\r\n`); a final line end starts no further line. Empty text has none. */
export function splitLines(text: string): string[] {
	if (text === '') return [];
	const lines = text.split(/\r?\n/);
	if (lines.at(-1) === '') lines.pop();
	return lines;
}

/** Names most like `wanted`, best first, at most `count`; nothing that is not alike. */
export function similarNames(wanted: string, names: readonly string[], count: number): string[] {
	const target = wanted.toLowerCase();
	return names
		.map((name) => ({ name, score: likeness(target, name.toLowerCase()) }))
		.filter((entry) => entry.score >= 0.5)
		.sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
		.slice(0, count)
		.map((entry) => entry.name);
}

/** 0 (nothing in common) to 1 (equal): Dice's coefficient over pairs of characters. */
export function likeness(a: string, b: string): number {
	if (a === b) return 1;
	if (a.length < 2 || b.length < 2) return 0;
	const pairs = new Map<string, number>();
	for (let index = 0; index < a.length - 1; index++) {
		const pair = a.slice(index, index + 2);
		pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
	}
	let common = 0;
	for (let index = 0; index < b.length - 1; index++) {
		const pair = b.slice(index, index + 2);
		const left = pairs.get(pair) ?? 0;
		if (left > 0) {
			common++;
			pairs.set(pair, left - 1);
		}
	}
	return (2 * common) / (a.length + b.length - 2);
}
