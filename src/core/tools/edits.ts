// Text in, edits out: finding what an Edit means, and keeping the file's own line ends. Pure.
// Rule: only what has to change is touched; a line that stays keeps its bytes.
import type { TextEdit } from '../ports/workspace.ts';
import { limits } from '../limits.ts';
import { lineRuns } from '../util/lineDiff.ts';

/** What applying would do. `edits` are offsets into the text that they were planned on, ascending. */
export interface EditPlan {
	readonly edits: readonly TextEdit[];
	readonly newText: string;
}
export type ReplacementPlan =
	| ({ readonly kind: 'plan'; readonly count: number } & EditPlan)
	| { readonly kind: 'not_found' }
	/** 1-based lines where matches start, each once: `limits.matchLines`, and one more if there are more. */
	| { readonly kind: 'ambiguous'; readonly count: number; readonly lines: readonly number[] };

interface Span {
	readonly start: number;
	readonly end: number;
}

/** Plain application; the reference that adapters must agree with. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
	let result = '';
	let position = 0;
	for (const edit of edits) {
		result += text.slice(position, edit.start) + edit.text;
		position = edit.end;
	}
	return result + text.slice(position);
}

/**
 * Replaces `search` (not empty) by `replacement`, both literal. Line ends match each other (`\n` finds `\r\n`), and what
 * is put in gets those of the place. Uniqueness counts overlapping matches (`aa` is in `aaa` twice); `all` replaces from
 * the left without overlap.
 */
export function planReplacement(text: string, search: string, replacement: string, all: boolean): ReplacementPlan {
	const spans = findSpans(text, search, !all);
	if (spans.length === 0) return { kind: 'not_found' };
	if (spans.length > 1 && !all) {
		return { kind: 'ambiguous', count: spans.length, lines: firstLines(text, spans) };
	}
	const edits = spans.flatMap((span) => replaceSpan(text, span, replacement));
	return { kind: 'plan', count: spans.length, edits, newText: applyEdits(text, edits) };
}

/**
 * Makes `content` the whole text. Without any `\r` in it, lines that stay keep their line ends and new ones get the
 * file's prevailing ones; with one, `content` is taken as it is.
 */
export function planOverwrite(text: string, content: string): EditPlan {
	const wanted = content.includes('\r') ? content : keepLineEnds(text, content, lineEndStyle(text));
	const edits = lineEdits(text, wanted);
	return { edits, newText: wanted };
}

/** 1-based lines, each once, where the first spans start. */
function firstLines(text: string, spans: readonly Span[]): readonly number[] {
	const plain = plainLineEnds(text);
	const lines: number[] = [];
	let [line, counted] = [1, 0];
	for (const { start } of spans) {
		line += lineFeeds(plain, counted, start);
		counted = start;
		if (lines.at(-1) !== line) lines.push(line);
		if (lines.length > limits.matchLines) break;
	}
	return lines;
}

/** How many `\n` lie in [start, end). */
export function lineFeeds(text: string, start: number, end: number): number {
	let count = 0;
	for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
	return count;
}

/** Of a text whose lines end with `\r` alone, the same with `\n`, offset by offset; any other text as it is. */
export function plainLineEnds(text: string): string {
	return endsLinesWithCr(text) ? text.replaceAll('\r', '\n') : text;
}

function endsLinesWithCr(text: string): boolean {
	return !text.includes('\n') && text.includes('\r');
}

/** Where `search` occurs, line ends matching each other. Exact occurrences win when `search` itself has `\r\n`. */
function findSpans(text: string, search: string, overlapping: boolean): Span[] {
	if (search.includes('\r\n')) {
		const exact = occurrences(text, search, overlapping).map((start) => ({ start, end: start + search.length }));
		if (exact.length > 0) return exact;
	}
	const wanted = search.replaceAll('\r\n', '\n');
	if (!text.includes('\r\n')) {
		const literal = occurrences(text, wanted, overlapping);
		const found = literal.length > 0 ? literal : occurrences(plainLineEnds(text), wanted, overlapping);
		return found.map((start) => ({ start, end: start + wanted.length }));
	}
	const plain = text.replaceAll('\r\n', '\n');
	const original = offsetMapper(text);
	return occurrences(plain, wanted, overlapping).map((start) => ({
		start: original(start),
		end: original(start + wanted.length),
	}));
}

function occurrences(text: string, search: string, overlapping: boolean): number[] {
	const found: number[] = [];
	const step = overlapping ? 1 : search.length;
	for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + step)) found.push(at);
	return found;
}

/** From an offset in the text with `\r\n` read as `\n` to the offset in the text. Offsets must be asked by binary search. */
function offsetMapper(text: string): (offset: number) => number {
	/** Offsets, in the shortened text, of the `\n` that were `\r\n`. */
	const shortened: number[] = [];
	for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
		shortened.push(at - shortened.length);
	return (offset) => {
		let low = 0;
		let high = shortened.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((shortened[middle] ?? 0) < offset) low = middle + 1;
			else high = middle;
		}
		return offset + low;
	};
}

type LineEnd = '\n' | '\r\n' | '\r';

/** The line end that most lines of the text have; `\n` when it has none. */
function lineEndStyle(text: string): LineEnd {
	if (endsLinesWithCr(text)) return '\r';
	let windows = 0;
	let all = 0;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
		all++;
		if (text[at - 1] === '\r') windows++;
	}
	return windows * 2 > all ? '\r\n' : '\n';
}

function replaceSpan(text: string, span: Span, replacement: string): TextEdit[] {
	const old = text.slice(span.start, span.end);
	const style = old.includes('\n') ? lineEndStyle(old) : nearestStyle(text, span);
	const wanted = keepLineEnds(old, replacement.replaceAll('\r\n', '\n'), style);
	return lineEdits(old, wanted).map((edit) => ({
		start: edit.start + span.start,
		end: edit.end + span.start,
		text: edit.text,
	}));
}

/** The line end after the place, else the one before it. */
function nearestStyle(text: string, span: Span): LineEnd {
	const after = text.indexOf('\n', span.end);
	const at = after !== -1 ? after : text.lastIndexOf('\n', Math.max(0, span.start - 1));
	if (at === -1) return lineEndStyle(text);
	return text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** `wanted` (line ends `\n`) with the line ends of `old` where a line stays, and `style` elsewhere. */
function keepLineEnds(old: string, wanted: string, style: LineEnd): string {
	if (!old.includes('\r\n')) return style === '\n' ? wanted : wanted.replaceAll('\n', style);
	const oldLines = linesWithEnds(old);
	if (style === '\r\n' && oldLines.every((line) => !line.endsWith('\n') || line.endsWith('\r\n'))) {
		return wanted.replaceAll('\n', '\r\n');
	}
	const newLines = linesWithEnds(wanted);
	const runs = lineRuns(
		oldLines.map((line) => line.replace('\r\n', '\n')),
		newLines,
	);
	let result = '';
	let oldIndex = 0;
	let newIndex = 0;
	for (const { kind, count } of runs) {
		for (let step = 0; step < count; step++) {
			if (kind === 'old') oldIndex++;
			else if (kind === 'new') result += (newLines[newIndex++] ?? '').replace('\n', style);
			else {
				result += oldLines[oldIndex++] ?? '';
				newIndex++;
			}
		}
	}
	return result;
}

export function linesWithEnds(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The smallest edits, by line and then trimmed within each block, that turn `old` into `wanted`. */
export function lineEdits(old: string, wanted: string): TextEdit[] {
	if (old === wanted) return [];
	const { head, tail } = commonLines(old, wanted);
	const middle = old.slice(head, old.length - tail);
	const edits = middleEdits(middle, wanted.slice(head, wanted.length - tail));
	return edits.map((edit) => ({ start: edit.start + head, end: edit.end + head, text: edit.text }));
}

/** Characters of the whole lines that both begin with, and end with: comparing the rest is what costs. */
function commonLines(old: string, wanted: string): { readonly head: number; readonly tail: number } {
	const shorter = Math.min(old.length, wanted.length);
	let head = 0;
	for (let at = 0; at < shorter && old.charCodeAt(at) === wanted.charCodeAt(at); at++) {
		if (old.charCodeAt(at) === 10) head = at + 1;
	}
	let tail = 0;
	for (
		let at = 1;
		at <= shorter - head && old.charCodeAt(old.length - at) === wanted.charCodeAt(wanted.length - at);
		at++
	) {
		const [before, after] = [old.length - at - 1, wanted.length - at - 1];
		const starts = (text: string, index: number) => index < head || text.charCodeAt(index) === 10;
		if (starts(old, before) && starts(wanted, after)) tail = at;
	}
	return { head, tail };
}

function middleEdits(old: string, wanted: string): TextEdit[] {
	if (old === '' || wanted === '') return [{ start: 0, end: old.length, text: wanted }];
	const [oldLines, newLines] = [linesWithEnds(old), linesWithEnds(wanted)];
	const edits: TextEdit[] = [];
	let [position, oldAt, newAt] = [0, 0, 0];
	let open: { start: number; end: number; text: string } | undefined;
	for (const { kind, count } of lineRuns(oldLines, newLines)) {
		const text = (kind === 'new' ? newLines.slice(newAt, newAt + count) : oldLines.slice(oldAt, oldAt + count)).join(
			'',
		);
		if (kind === 'same') {
			if (open !== undefined) edits.push(trimmed(open, old));
			open = undefined;
		} else {
			open ??= { start: position, end: position, text: '' };
			if (kind === 'new') open.text += text;
			else open.end += text.length;
		}
		if (kind !== 'old') newAt += count;
		if (kind !== 'new') {
			oldAt += count;
			position += text.length;
		}
	}
	if (open !== undefined) edits.push(trimmed(open, old));
	return edits;
}

/** The edit without what it has in common with the text at both ends; never splits a pair of surrogates or a `\r\n`. */
function trimmed(edit: TextEdit, old: string): TextEdit {
	const before = old.slice(edit.start, edit.end);
	const after = edit.text;
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head++;
	while (head > 0 && (splits(before, head) || splits(after, head))) head--;
	let tail = 0;
	while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
	while (tail > 0 && (splits(before, before.length - tail) || splits(after, after.length - tail))) tail--;
	return { start: edit.start + head, end: edit.end - tail, text: after.slice(head, after.length - tail) };
}

function splits(text: string, at: number): boolean {
	const before = text.charCodeAt(at - 1);
	const after = text.charCodeAt(at);
	return (
		(before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) || (before === 13 && after === 10)
	);
}
