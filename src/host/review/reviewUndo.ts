// Undoing what the agent did: one hunk at once, several after a question, which can be taken back. Contract: what is not the
// agent's any more is left alone, and the person is told.
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReviewBook, UndoStep } from './reviewBook.ts';
import { baselineUri } from './reviewScm.ts';
import type { Target } from './reviewTargets.ts';
import { changesInFiles } from './reviewWords.ts';

export interface ReviewUndoDeps {
	readonly book: ReviewBook;
	readonly failed: (what: string, error: unknown) => void;
}

/** What one place of the editor shows as one change. */
export async function undoHunks(deps: ReviewUndoDeps, targets: readonly Target[]): Promise<void> {
	await undo(deps, targets, askToRemove);
}

/** Whole files, turns or all: asks once when it is more than one change. */
export async function undoMany(deps: ReviewUndoDeps, chosen: readonly Target[]): Promise<void> {
	const targets = byFile(chosen);
	const changes = targets.reduce((sum, { ids }) => sum + ids.length, 0);
	if (changes <= 1) return undoHunks(deps, targets);
	const undoIt = vscode.l10n.t('Undo');
	const question = questionOf(changes, targets);
	const options = { modal: true, detail: detailOf(deps.book, targets) };
	if ((await vscode.window.showWarningMessage(question, options, undoIt)) !== undoIt) return;
	const steps = await undo(deps, targets, () => Promise.resolve(true));
	if (steps.length > 0) void offerBack(deps, steps);
}

/** The list may show one file in several turns. */
function byFile(targets: readonly Target[]): readonly Target[] {
	const files = new Map<string, ReadonlySet<number>>();
	for (const { path: file, ids } of targets) files.set(file, new Set([...(files.get(file) ?? []), ...ids]));
	return [...files].map(([file, ids]) => ({ path: file, ids: [...ids] }));
}

function questionOf(changes: number, targets: readonly Target[]): string {
	const [first] = targets;
	return targets.length === 1 && first
		? vscode.l10n.t('Undo {0} changes of the agent in {1}?', changes, path.basename(first.path))
		: vscode.l10n.t('Undo {0} changes of the agent in {1} files?', changes, targets.length);
}

function detailOf(book: ReviewBook, targets: readonly Target[]): string {
	const created = targets.filter((target) => book.file(target.path)?.created);
	const written = created.filter((target) => book.file(target.path)?.created?.touched);
	const names = (some: readonly Target[]) => some.map((target) => path.basename(target.path)).join(', ');
	return [
		vscode.l10n.t('What was there before comes back. What you typed yourself stays.'),
		...(created.length > 0 ? [vscode.l10n.t('Created by the agent, and deleted: {0}', names(created))] : []),
		...(written.length > 0 ? [vscode.l10n.t('Has text that you wrote, which goes with it: {0}', names(written))] : []),
		vscode.l10n.t('You can take this back afterwards.'),
	].join('\n');
}

async function offerBack({ book, failed }: ReviewUndoDeps, steps: readonly UndoStep[]): Promise<void> {
	const back = vscode.l10n.t('Take Back');
	const changes = steps.reduce((sum, { count }) => sum + count, 0);
	const said = vscode.l10n.t('Undone: {0}.', changesInFiles(changes, steps.length));
	if ((await vscode.window.showInformationMessage(said, back)) !== back) return;
	const left: string[] = [];
	for (const step of steps) {
		const outcome = await book.redo(step);
		if (outcome.kind === 'redone') continue;
		left.push(path.basename(step.before.path));
		if (outcome.kind === 'failed') failed('taking an undo back', new Error(outcome.message));
	}
	if (left.length === 0) return;
	void vscode.window.showWarningMessage(
		vscode.l10n.t('Not taken back, as it has changed meanwhile or cannot be written: {0}', left.join(', ')),
	);
}

/** How to take back what was undone. `mayRemove`: of a file that the agent created and the person wrote into. */
async function undo(
	{ book, failed }: ReviewUndoDeps,
	targets: readonly Target[],
	mayRemove: (file: string) => Promise<boolean>,
): Promise<readonly UndoStep[]> {
	const steps: UndoStep[] = [];
	const gone: string[] = [];
	for (const { path: file, ids } of targets) {
		if (book.file(file)?.created) {
			steps.push(...(await removeCreated(book, file, mayRemove)));
			continue;
		}
		const outcome = await book.undo(file, ids);
		if (outcome.kind === 'undone') steps.push(outcome.step);
		else if (outcome.kind === 'gone') gone.push(file);
		else {
			failed('undoing a change', new Error(outcome.message));
			void vscode.window.showErrorMessage(
				vscode.l10n.t('{0} cannot be written now. Its changes stay as they are.', path.basename(file)),
			);
		}
	}
	const [first] = gone;
	if (first === undefined) return steps;
	void vscode.window.showWarningMessage(
		vscode.l10n.t('{0} has changed there meanwhile. Nothing was undone; compare and decide.', path.basename(first)),
	);
	if (book.file(first)) await compare(first);
	return steps;
}

async function askToRemove(file: string): Promise<boolean> {
	const remove = vscode.l10n.t('Delete');
	const question = vscode.l10n.t('{0} has text that you wrote. Delete the file all the same?', path.basename(file));
	return (await vscode.window.showWarningMessage(question, { modal: true }, remove)) === remove;
}

/** As it was before the file was made: it goes. What the person wrote into it goes with their consent only. */
async function removeCreated(
	book: ReviewBook,
	file: string,
	mayRemove: (file: string) => Promise<boolean>,
): Promise<readonly UndoStep[]> {
	await book.sync(file);
	if (book.file(file)?.created?.touched && !(await mayRemove(file))) return [];
	const before = book.stored(file);
	const edit = new vscode.WorkspaceEdit();
	edit.deleteFile(vscode.Uri.file(file), { ignoreIfNotExists: true });
	if (await vscode.workspace.applyEdit(edit)) {
		book.forget(file);
		return before ? [{ before, text: undefined, count: 1 }] : [];
	}
	void vscode.window.showErrorMessage(vscode.l10n.t('{0} could not be deleted.', path.basename(file)));
	return [];
}

async function compare(file: string): Promise<void> {
	const title = vscode.l10n.t('{0} (changes of the agent)', path.basename(file));
	await vscode.commands.executeCommand('vscode.diff', baselineUri(file), vscode.Uri.file(file), title, {
		preview: true,
	});
}
