// What a command of the review is about: it may come from a lens, the peek's title, the list, a key or the palette.
import * as vscode from 'vscode';
import * as z from 'zod';
import { hunkAt, type ReviewHunk } from '../../core/review/reviewedFile.ts';
import type { ReviewBook } from './reviewBook.ts';

/** Hunks of one file. */
export interface Target {
	readonly path: string;
	readonly ids: readonly number[];
}

const fromLens = z.object({ path: z.string(), id: z.int() });
const fromList = z.object({ path: z.string(), hunkIds: z.array(z.int()) });
const fromGroup = z.object({ resourceStates: z.array(fromList) });
/** A change of the quick diff: lines from 1; an end of 0 is that of a deletion. */
const fromPeek = z.tuple([
	z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
	z.array(z.object({ modifiedStartLineNumber: z.int(), modifiedEndLineNumber: z.int() })),
	z.int(),
]);

/** One hunk, or those that the peek shows as one; without arguments the one at the cursor. */
export function hunkTarget(book: ReviewBook, args: readonly unknown[]): Target | undefined {
	const lens = fromLens.safeParse(args[0]);
	if (lens.success) return { path: lens.data.path, ids: [lens.data.id] };
	const peek = fromPeek.safeParse(args.slice(0, 3));
	if (peek.success) {
		const [{ fsPath }, changes, index] = peek.data;
		const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = changes[index] ?? {
			modifiedStartLineNumber: 0,
			modifiedEndLineNumber: 0,
		};
		const hunks = book.file(fsPath)?.hunks.filter((hunk) => isIn(hunk, first, last)) ?? [];
		return hunks.length > 0 ? { path: fsPath, ids: hunks.map(({ id }) => id) } : undefined;
	}
	const editor = vscode.window.activeTextEditor;
	const path = activeFile();
	const file = book.file(path);
	const hunk = editor && file && hunkAt(file, editor.selection.active.line);
	return hunk && { path, ids: [hunk.id] };
}

/** Whole files: those that are selected in the list, else the one in the active editor. */
export function fileTargets(book: ReviewBook, args: readonly unknown[]): readonly Target[] {
	const chosen = args.flatMap((arg) => fromList.safeParse(arg).data ?? []);
	if (chosen.length > 0) return chosen.map(({ path, hunkIds }) => ({ path, ids: hunkIds }));
	const path = activeFile();
	const file = book.file(path);
	return file ? [{ path, ids: file.hunks.map(({ id }) => id) }] : [];
}

/** A group of the list, else everything. */
export function allTargets(book: ReviewBook, args: readonly unknown[]): readonly Target[] {
	const group = fromGroup.safeParse(args[0]);
	if (group.success) return group.data.resourceStates.map(({ path, hunkIds }) => ({ path, ids: hunkIds }));
	return book.files.map(({ path, file }) => ({ path, ids: file.hunks.map(({ id }) => id) }));
}

/** Not the other side of a diff, whose lines are others. */
function activeFile(): string {
	const uri = vscode.window.activeTextEditor?.document.uri;
	return uri?.scheme === 'file' ? uri.fsPath : '';
}

function isIn({ start, count }: ReviewHunk, first: number, last: number): boolean {
	// A deletion lies after the line that it is told with.
	if (last === 0) return count === 0 && start === first;
	return count === 0 ? start >= first - 1 && start <= last : start < last && start + count > first - 1;
}
