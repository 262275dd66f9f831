// Lines as an editor counts them, with their ends, and what differs between two lists of them. Pure.
// Rule: a line that differs in the kind of its end alone is the same line.
import { lineRuns } from '../util/lineDiff.ts';

/** Replace `removed` lines from `start` (from 0) on by `put`. */
export interface LineBlock {
	readonly start: number;
	readonly removed: number;
	readonly put: readonly string[];
}

/** A place as an editor says it: lines and characters from 0, the end exclusive. */
export interface RangeChange {
	readonly startLine: number;
	readonly startCharacter: number;
	readonly endLine: number;
	readonly endCharacter: number;
	readonly text: string;
}

/** Each line with its end; the last one has none when the text does not end with one. Empty text has no lines. */
export function splitLines(text: string): readonly string[] {
	return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** The end of a line; empty when it has none. */
export function endOf(line: string): string {
	if (line.endsWith('\r\n')) return '\r\n';
	return line.endsWith('\n') || line.endsWith('\r') ? line.slice(-1) : '';
}

export function withoutEnd(line: string): string {
	return line.slice(0, line.length - endOf(line).length);
}

/** Without an end is another line than with one. */
function exactKey(line: string): string {
	const end = endOf(line);
	return end === '' ? line : `${line.slice(0, line.length - end.length)}\n`;
}

export function sameLines(some: readonly string[], others: readonly string[]): boolean {
	return some.length === others.length && some.every((line, at) => exactKey(line) === exactKey(others[at] ?? ''));
}

/** Every line but the last has an end; one that brings none gets that of the first line. */
export function withEnds(lines: readonly string[]): readonly string[] {
	const common = endOf(lines[0] ?? '') || '\n';
	return lines.map((line, at) => (at < lines.length - 1 && endOf(line) === '' ? line + common : line));
}

/** `endsCount` false: a line that only got or lost its end, as the last one does, is the same. Ascending, never touching. */
export function blocksBetween(
	old: readonly string[],
	now: readonly string[],
	endsCount: boolean,
): readonly LineBlock[] {
	const key = endsCount ? exactKey : withoutEnd;
	const same = (before: string | undefined, after: string | undefined) =>
		before === after || (before !== undefined && after !== undefined && key(before) === key(after));
	const shorter = Math.min(old.length, now.length);
	let head = 0;
	while (head < shorter && same(old[head], now[head])) head++;
	let tail = 0;
	while (tail < shorter - head && same(old[old.length - 1 - tail], now[now.length - 1 - tail])) tail++;
	const before = old.slice(head, old.length - tail);
	const after = now.slice(head, now.length - tail);
	if (before.length === 0 && after.length === 0) return [];
	if (before.length === 0 || after.length === 0) return [{ start: head, removed: before.length, put: after }];
	const blocks: { start: number; removed: number; put: string[] }[] = [];
	let [oldAt, newAt] = [0, 0];
	let open: { start: number; removed: number; put: string[] } | undefined;
	for (const { kind, count } of lineRuns(before.map(key), after.map(key))) {
		if (kind === 'same') {
			open = undefined;
			oldAt += count;
			newAt += count;
			continue;
		}
		if (open === undefined) {
			open = { start: head + oldAt, removed: 0, put: [] };
			blocks.push(open);
		}
		if (kind === 'new') {
			open.put.push(...after.slice(newAt, newAt + count));
			newAt += count;
		} else {
			open.removed += count;
			oldAt += count;
		}
	}
	return blocks;
}

export function applyBlocks(lines: readonly string[], blocks: readonly LineBlock[]): readonly string[] {
	const result: string[] = [];
	let at = 0;
	for (const { start, removed, put } of blocks) {
		for (; at < start; at++) result.push(lines[at] ?? '');
		for (const line of put) result.push(line);
		at = start + removed;
	}
	for (; at < lines.length; at++) result.push(lines[at] ?? '');
	return result;
}

/** What a change of a range does to whole lines. */
export function blockOf(lines: readonly string[], change: RangeChange): LineBlock {
	const { startLine, startCharacter, endLine, endCharacter, text } = change;
	const head = (lines[startLine] ?? '').slice(0, startCharacter);
	const tail = (lines[endLine] ?? '').slice(endCharacter);
	const start = Math.min(startLine, lines.length);
	const removed = Math.min(endLine + 1, lines.length) - start;
	return { start, removed, put: splitLines(head + text + tail) };
}

/** True when they differ in white space alone. */
export function sameButForSpace(some: readonly string[], others: readonly string[]): boolean {
	return some.join('').replaceAll(/\s+/g, '') === others.join('').replaceAll(/\s+/g, '');
}
