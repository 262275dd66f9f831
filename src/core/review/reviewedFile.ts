// A file with edits of the agent that nobody has judged yet: its lines, and which of them are the agent's, with what was there
// before. Contract: what the person types is never in a hunk, so that undoing one cannot take it away. Pure.
import type { TextEdit } from '../ports/workspace.ts';
import {
	applyBlocks,
	blockOf,
	blocksBetween,
	endOf,
	sameButForSpace,
	sameLines,
	splitLines,
	withEnds,
	withoutEnd,
} from './lines.ts';
import type { LineBlock, RangeChange } from './lines.ts';

/** What the agent was asked when it made the edit. */
export interface ReviewTurn {
	readonly sessionId: string;
	/** Of the person's message. */
	readonly promptId: string;
	/** Its beginning. */
	readonly prompt: string;
}

/** Lines that the agent changed and the person has not touched. */
export interface ReviewHunk {
	/** Within the file; stays the same while the hunk moves. */
	readonly id: number;
	/** From 0; of a deletion, the line before which the lines were. */
	readonly start: number;
	readonly count: number;
	/** The lines before the agent's first edit of this place, with their ends. */
	readonly original: readonly string[];
	/** The last one that changed it. */
	readonly turn: ReviewTurn;
}

export interface ReviewedFile {
	/** With their ends. */
	readonly lines: readonly string[];
	/** Ascending and apart. Undoing all of them gives the baseline. */
	readonly hunks: readonly ReviewHunk[];
	readonly nextId: number;
	/** Set for a file that the agent created: one hunk, whatever is in it; undoing it means removing the file. */
	readonly created?: { readonly touched: boolean };
}

/**
 * Who changed it. `typing`: the person; hunks it goes into are the person's from then on. `saving`: the editor while it saves;
 * hunks stay the agent's. `unknown`: a change of white space alone is the editor's, everything else the person's.
 */
export type ChangedBy = 'typing' | 'saving' | 'unknown';

export function unreviewed(text: string): ReviewedFile {
	return { lines: splitLines(text), hunks: [], nextId: 1 };
}

/** A file that the agent has just created. */
export function createdFile(text: string, turn: ReviewTurn): ReviewedFile {
	const lines = splitLines(text);
	return { lines, hunks: [wholeHunk(lines, turn)], nextId: 2, created: { touched: false } };
}

/** The agent made this the file's text. Edits of the same or of neighbouring lines become one hunk, as of this turn. */
export function agentEdited(file: ReviewedFile, text: string, turn: ReviewTurn): ReviewedFile {
	const lines = splitLines(text);
	if (file.created) return { ...file, lines, hunks: [wholeHunk(lines, turn)] };
	const blocks = blocksBetween(file.lines, lines, true);
	let nextId = file.nextId;
	const hunks = clustersOf(file.hunks, blocks, (end, start) => start <= end).flatMap((cluster) => {
		const shift = deltaBefore(cluster, blocks);
		if (cluster.blocks.length === 0) return cluster.hunks.map((hunk) => ({ ...hunk, start: hunk.start + shift }));
		const start = cluster.start + shift;
		const now = lines.slice(start, start + newCount(cluster));
		const original = originalOf(file, cluster);
		const parts = together(blocksBetween(original, now, true), original, now);
		return parts.map((block, index, all): ReviewHunk => {
			const grown = all.slice(0, index).reduce((sum, { put, removed }) => sum + put.length - removed, 0);
			return {
				id: nextId++,
				start: start + block.start + grown,
				count: block.put.length,
				original: original.slice(block.start, block.start + block.removed),
				turn,
			};
		});
	});
	return { lines, hunks, nextId };
}

/** The editor's own report of what changed; all ranges are of the text before. */
export function edited(file: ReviewedFile, changes: readonly RangeChange[], by: ChangedBy): ReviewedFile {
	const descending = changes.toSorted((one, other) => {
		return other.startLine - one.startLine || other.startCharacter - one.startCharacter;
	});
	let lines = file.lines;
	for (const change of descending) lines = applyBlocks(lines, [blockOf(lines, change)]);
	return changed(followed(file, lines), lines, blocksOf(file.lines, lines, changes), by);
}

/** What changed in lines, line ends apart; of a single change by its own place. */
function blocksOf(
	old: readonly string[],
	now: readonly string[],
	changes: readonly RangeChange[],
): readonly LineBlock[] {
	const [only] = changes;
	if (only === undefined || changes.length > 1) return blocksBetween(old, now, false);
	const block = blockOf(old, only);
	const removed = old.slice(block.start, block.start + block.removed);
	return blocksBetween(removed, block.put, false).map((part) => ({ ...part, start: part.start + block.start }));
}

/** The file was found with this text. */
export function replaced(file: ReviewedFile, text: string, by: ChangedBy): ReviewedFile {
	const lines = splitLines(text);
	const blocks = blocksBetween(file.lines, lines, false);
	if (!file.created && baselineOf(file) === text) return { ...file, lines, hunks: [] };
	return changed(followed(file, lines), lines, blocks, by);
}

export function kept(file: ReviewedFile, ids: readonly number[]): ReviewedFile {
	const hunks = file.hunks.filter(({ id }) => !ids.includes(id));
	const { created, ...rest } = file;
	return { ...rest, hunks, ...(created && hunks.length > 0 ? { created } : {}) };
}

/** The edits that put back what was there before these hunks, and the file after them. Of a created file they empty it. */
export function undone(
	file: ReviewedFile,
	ids: readonly number[],
): { readonly edits: readonly TextEdit[]; readonly file: ReviewedFile } {
	const lines = withEnds(applyBlocks(file.lines, file.hunks.filter(({ id }) => ids.includes(id)).map(backwards)));
	const hunks: ReviewHunk[] = [];
	let shift = 0;
	for (const hunk of file.hunks) {
		if (ids.includes(hunk.id)) shift += hunk.original.length - hunk.count;
		else hunks.push({ ...hunk, start: hunk.start + shift });
	}
	return { edits: editsBetween(file.lines, lines), file: { lines, hunks, nextId: file.nextId } };
}

/** The text as it would be without what the agent did and nobody has judged yet. */
export function baselineOf(file: ReviewedFile): string {
	return withEnds(applyBlocks(file.lines, file.hunks.map(backwards))).join('');
}

export function textOf(file: ReviewedFile): string {
	return file.lines.join('');
}

/** The hunk at a line (from 0): one that has it, or a deletion next to it. The empty line after the last belongs to that. */
export function hunkAt(file: ReviewedFile, line: number): ReviewHunk | undefined {
	if (file.created) return file.hunks[0];
	const at = line === file.lines.length ? Math.max(0, line - 1) : line;
	const inside = file.hunks.find(({ start, count }) => at >= start && at < start + count);
	return inside ?? file.hunks.find(({ start, count }) => count === 0 && (line === start || line === start - 1));
}

function wholeHunk(lines: readonly string[], turn: ReviewTurn): ReviewHunk {
	return { id: 1, start: 0, count: lines.length, original: [], turn };
}

function backwards({ start, count, original }: ReviewHunk): LineBlock {
	return { start, removed: count, put: original };
}

function editsBetween(old: readonly string[], now: readonly string[]): readonly TextEdit[] {
	let [line, offset] = [0, 0];
	const to = (wanted: number) => {
		for (; line < wanted; line++) offset += old[line]?.length ?? 0;
		return offset;
	};
	return blocksBetween(old, now, true).map(({ start, removed, put }) => {
		return { start: to(start), end: to(start + removed), text: put.join('') };
	});
}

function changed(
	file: ReviewedFile,
	lines: readonly string[],
	blocks: readonly LineBlock[],
	by: ChangedBy,
): ReviewedFile {
	const parts = by === 'typing' ? blocks : blocks.flatMap((block) => lineByLine(file.lines, block));
	const isLayout = (block: LineBlock) =>
		by === 'saving' || (by === 'unknown' && sameButForSpace(removedBy(file.lines, block), block.put));
	if (file.created) {
		const touched = file.created.touched || parts.some((block) => !isLayout(block));
		return {
			...file,
			lines,
			hunks: file.hunks.map((hunk) => ({ ...hunk, count: lines.length })),
			created: { touched },
		};
	}
	const persons = parts.filter((block) => !isLayout(block));
	const hunks = file.hunks.filter((hunk) => !persons.some((block) => goesInto(block, hunk) || putsBack(block, hunk)));
	const layout = parts.filter((block) => isLayout(block) && hunks.some((hunk) => goesInto(block, hunk)));
	const clusters = clustersOf(hunks, layout, (end, start) => start < end);
	const moved = clusters.flatMap((cluster) => {
		const start = cluster.start + deltaBefore(cluster, parts);
		const [first] = cluster.hunks;
		if (first === undefined) return [];
		if (cluster.blocks.length === 0) {
			return cluster.hunks.map((hunk) => ({ ...hunk, start: hunk.start + start - cluster.start }));
		}
		const now = lines.slice(start, start + newCount(cluster));
		const hunk = { ...first, start, count: now.length, original: originalOf(file, cluster) };
		return sameLines(hunk.original, now) ? [] : [hunk];
	});
	return { ...file, lines, hunks: moved };
}

function removedBy(lines: readonly string[], { start, removed }: LineBlock): readonly string[] {
	return lines.slice(start, start + removed);
}

/** A block whose lines stay what they are but for white space, as one block for each. */
function lineByLine(lines: readonly string[], block: LineBlock): readonly LineBlock[] {
	const old = removedBy(lines, block);
	if (old.length !== block.put.length) return [block];
	const alike = old.every((line, at) => sameButForSpace([line], [block.put[at] ?? '']));
	return alike ? block.put.map((line, at) => ({ start: block.start + at, removed: 1, put: [line] })) : [block];
}

/** At the edge of a hunk is outside of it. */
function goesInto(block: LineBlock, hunk: ReviewHunk): boolean {
	const [blockEnd, hunkEnd] = [block.start + block.removed, hunk.start + hunk.count];
	return block.start < hunkEnd && blockEnd > hunk.start;
}

/** The deleted lines are there again. */
function putsBack({ start, removed, put }: LineBlock, hunk: ReviewHunk): boolean {
	return hunk.count === 0 && removed === 0 && start === hunk.start && sameLines(put, hunk.original);
}

interface Cluster {
	/** Lines before the change. */
	readonly start: number;
	readonly end: number;
	readonly hunks: readonly ReviewHunk[];
	readonly blocks: readonly LineBlock[];
}

/** Hunks and blocks that `joins` puts together: a thing that starts there with what ends here. Ascending. */
function clustersOf(
	hunks: readonly ReviewHunk[],
	blocks: readonly LineBlock[],
	joins: (end: number, start: number) => boolean,
): readonly Cluster[] {
	const things = [
		...hunks.map((hunk) => ({ start: hunk.start, end: hunk.start + hunk.count, hunks: [hunk], blocks: [] })),
		...blocks.map((block) => ({ start: block.start, end: block.start + block.removed, hunks: [], blocks: [block] })),
	].toSorted((one, other) => one.start - other.start || one.end - other.end);
	const clusters: Cluster[] = [];
	for (const thing of things) {
		const last = clusters.at(-1);
		if (last === undefined || !joins(last.end, thing.start)) clusters.push(thing);
		else {
			clusters[clusters.length - 1] = {
				start: last.start,
				end: Math.max(last.end, thing.end),
				hunks: [...last.hunks, ...thing.hunks],
				blocks: [...last.blocks, ...thing.blocks],
			};
		}
	}
	return clusters;
}

/** By how many lines the blocks before a cluster move it. */
function deltaBefore(cluster: Cluster, blocks: readonly LineBlock[]): number {
	return blocks
		.filter((block) => block.start + block.removed <= cluster.start && !cluster.blocks.includes(block))
		.reduce((sum, { put, removed }) => sum + put.length - removed, 0);
}

/** Lines of a cluster after the change. */
function newCount({ start, end, blocks }: Cluster): number {
	return blocks.reduce((sum, { put, removed }) => sum + put.length - removed, end - start);
}

function originalOf({ lines }: ReviewedFile, { start, end, hunks }: Cluster): readonly string[] {
	const original: string[] = [];
	let at = start;
	for (const hunk of hunks) {
		original.push(...lines.slice(at, hunk.start), ...hunk.original);
		at = hunk.start + hunk.count;
	}
	return [...original, ...lines.slice(at, end)];
}

/**
 * Of lines that are alike a comparison may take the wrong ones, so that a line which stayed is removed in one part and put in
 * another: judged apart, the line would come twice or be lost. Such parts are one.
 */
function together(
	parts: readonly LineBlock[],
	original: readonly string[],
	now: readonly string[],
): readonly LineBlock[] {
	const texts = (lines: readonly string[]) =>
		new Set(lines.map(withoutEnd).filter((line) => /[\p{L}\p{N}]/u.test(line)));
	const removed = parts.map(({ start, removed: count }) => texts(original.slice(start, start + count)));
	const put = parts.map((part) => texts(part.put));
	const moved = (index: number) =>
		[...(put[index] ?? [])].some((line) => removed.some((of, at) => at !== index && of.has(line)));
	const lost = (index: number) =>
		[...(removed[index] ?? [])].some((line) => put.some((of, at) => at !== index && of.has(line)));
	const tangled = parts.map((_, index) => index).filter((index) => moved(index) || lost(index));
	const [first, last] = [parts[tangled[0] ?? 0], parts[tangled.at(-1) ?? 0]];
	if (first === undefined || last === undefined || first === last) return parts;
	const [from, to] = [parts.indexOf(first), parts.indexOf(last)];
	const grown = (until: number) => parts.slice(0, until).reduce((sum, part) => sum + part.put.length - part.removed, 0);
	const end = last.start + last.removed;
	const one = {
		start: first.start,
		removed: end - first.start,
		put: now.slice(first.start + grown(from), end + grown(to + 1)),
	};
	return [...parts.slice(0, from), one, ...parts.slice(to + 1)];
}

/** All line ends became others: those of the baseline follow. */
function followed(file: ReviewedFile, lines: readonly string[]): ReviewedFile {
	const kinds = (all: readonly string[]) => new Set(all.map(endOf).filter((end) => end !== ''));
	const [before, now] = [kinds(file.lines), kinds(lines)];
	const [end] = now;
	if (end === undefined || now.size > 1 || before.size !== 1 || before.has(end)) return file;
	const follow = (line: string) => (endOf(line) === '' ? line : withoutEnd(line) + end);
	return { ...file, hunks: file.hunks.map((hunk) => ({ ...hunk, original: hunk.original.map(follow) })) };
}
