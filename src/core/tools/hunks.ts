// Changes as hunks for cards and for the model: what an edit does, with some lines around it. Pure.
// Rule: the cost is that of the changed places, not of the file.
import type { HunkView } from '../../shared/permission.ts';
import type { TextEdit } from '../ports/workspace.ts';
import { limits } from '../limits.ts';
import { lineRuns } from '../util/lineDiff.ts';
import { clip, clipAround } from '../util/text.ts';
import { applyEdits, lineEdits, lineFeeds, linesWithEnds, plainLineEnds } from './edits.ts';

export interface Hunks {
	readonly hunks: readonly HunkView[];
	/** The edits that each of `hunks` shows, by index. */
	readonly parts: readonly (readonly TextEdit[])[];
	/** Lines, of the whole change. */
	readonly added: number;
	readonly removed: number;
	/** Hunk lines that are not in `hunks` because there are too many. */
	readonly omittedLines: number;
}

const context = 3;

/** The difference for cards: three lines of context, bounded by `limits.hunkLines`. */
export function hunksBetween(oldText: string, newText: string): Hunks {
	return hunksOf(oldText, lineEdits(oldText, newText));
}

/** What the edits (ascending, apart) do to the text. */
export function hunksOf(text: string, edits: readonly TextEdit[]): Hunks {
	const hunks: HunkView[] = [];
	const parts: (readonly TextEdit[])[] = [];
	let room: number = limits.hunkLines;
	let [added, removed, all] = [0, 0, 0];
	/** Lines before the place in the old text, up to `counted`, and how many more there are in the new text. */
	let [lines, counted, shift] = [0, 0, 0];
	for (const group of groups(text, edits)) {
		lines += lineFeeds(text, counted, group.start);
		counted = group.start;
		const old = text.slice(group.start, group.end);
		const local = group.edits.map((edit) => ({
			start: edit.start - group.start,
			end: edit.end - group.start,
			text: edit.text,
		}));
		const now = applyEdits(old, local);
		// Beyond what is shown the lines are only counted, without looking for those that stay.
		const hunk = room > 0 ? patch(old, now) : oneBlock(old, now);
		all += hunk.lines.length;
		added += hunk.lines.filter((line) => line.startsWith('+')).length;
		removed += hunk.lines.filter((line) => line.startsWith('-')).length;
		const shown = hunk.lines.slice(0, room);
		room -= shown.length;
		if (shown.length > 0) {
			hunks.push({
				oldStart: hunk.oldStart + lines,
				newStart: hunk.newStart + lines + shift,
				lines: shownLines(shown.map((line) => line.replace(/\r$/, ''))),
			});
			parts.push(group.edits);
		}
		shift += lineFeeds(now, 0, now.length) - lineFeeds(old, 0, old.length);
	}
	return { hunks, parts, added, removed, omittedLines: Math.max(0, all - limits.hunkLines) };
}

/** Long lines are cut: to the place that changes where one line takes another's, else to their beginning. */
function shownLines(lines: readonly string[]): readonly string[] {
	const max = limits.hunkLineChars;
	if (lines.every((line) => line.length <= max)) return lines;
	const shown = lines.map((line) => clip(line, max));
	for (let first = 0; first < lines.length; first++) {
		const removed = signed(lines, first, '-');
		const added = signed(lines, first + removed, '+');
		for (let index = 0; index < Math.min(removed, added); index++) {
			const [old, now] = [first + index, first + removed + index];
			const [before, after] = [(lines[old] ?? '').slice(1), (lines[now] ?? '').slice(1)];
			const head = commonHead(before, after);
			shown[old] = `-${clipAround(before, head, max)}`;
			shown[now] = `+${clipAround(after, head, max)}`;
		}
		first += Math.max(0, removed + added - 1);
	}
	return shown;
}

/** How many lines from `first` on have this sign. */
function signed(lines: readonly string[], first: number, sign: string): number {
	const end = lines.findIndex((line, index) => index >= first && !line.startsWith(sign));
	return (end === -1 ? lines.length : end) - first;
}

/** Characters that both begin with. */
function commonHead(one: string, other: string): number {
	const shorter = Math.min(one.length, other.length);
	let head = 0;
	while (head < shorter && one.charCodeAt(head) === other.charCodeAt(head)) head++;
	return head;
}

interface Group {
	/** Of whole lines: the edits' lines and the context around them. */
	readonly start: number;
	readonly end: number;
	readonly edits: readonly TextEdit[];
}

/** Edits whose contexts touch are shown together. */
function groups(text: string, edits: readonly TextEdit[]): readonly Group[] {
	const found: { start: number; end: number; edits: TextEdit[] }[] = [];
	for (const edit of edits) {
		const last = found.at(-1);
		// Within the context of the one before; asked first, as lines can be megabytes.
		if (last !== undefined && edit.start <= last.end) {
			last.end = Math.max(last.end, linesAfter(text, edit.end));
			last.edits.push(edit);
			continue;
		}
		const start = linesBefore(text, edit.start);
		if (last !== undefined && start <= last.end) {
			last.end = linesAfter(text, edit.end);
			last.edits.push(edit);
		} else found.push({ start, end: linesAfter(text, edit.end), edits: [edit] });
	}
	return found;
}

function linesBefore(text: string, offset: number): number {
	let at = offset;
	for (let line = 0; line <= context && at > 0; line++) at = text.lastIndexOf('\n', at - 1);
	return at <= 0 ? 0 : at + 1;
}

function linesAfter(text: string, offset: number): number {
	// An edit that takes a line's end away joins the next line.
	let at = offset;
	for (let line = 0; line <= context + 1 && at !== -1; line++) {
		const next = text.indexOf('\n', at);
		at = next === -1 ? -1 : next + 1;
	}
	return at === -1 ? text.length : at;
}

/** One hunk, whatever stays in between: what is decided as one is shown as one. */
function patch(old: string, now: string): HunkView {
	const [before, after] = [linesWithEnds(plainLineEnds(old)), linesWithEnds(plainLineEnds(now))];
	const lines: string[] = [];
	let [oldAt, newAt] = [0, 0];
	for (const { kind, count } of lineRuns(before, after)) {
		const run = kind === 'new' ? after.slice(newAt, newAt + count) : before.slice(oldAt, oldAt + count);
		const sign = kind === 'new' ? '+' : kind === 'old' ? '-' : ' ';
		for (const line of run) lines.push(`${sign}${line.replace(/\n$/, '')}`);
		if (kind !== 'old') newAt += count;
		if (kind !== 'new') oldAt += count;
	}
	const isChange = (line: string) => !line.startsWith(' ');
	const first = Math.max(0, lines.findIndex(isChange) - context);
	const last = lines.findLastIndex(isChange) + context;
	return {
		oldStart: 1 + first,
		newStart: 1 + first,
		lines: lines.slice(first, last + 1),
	};
}

/** Everything between the common head and tail as one block, for changes too large to compare line by line. */
function oneBlock(oldText: string, newText: string): HunkView {
	const before = linesWithEnds(oldText).map((line) => line.replace(/\n$/, ''));
	const after = linesWithEnds(newText).map((line) => line.replace(/\n$/, ''));
	const shorter = Math.min(before.length, after.length);
	let head = 0;
	while (head < shorter && before[head] === after[head]) head++;
	let tail = 0;
	while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
	return {
		oldStart: head + 1,
		newStart: head + 1,
		lines: [
			...before.slice(head, before.length - tail).map((line) => `-${line}`),
			...after.slice(head, after.length - tail).map((line) => `+${line}`),
		],
	};
}
