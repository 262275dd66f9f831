// The commands of the review. Contract: what is not the agent's any more is left alone, and the person is told; a file is shown
// only when the person asked to go there.
import path from 'node:path';
import * as vscode from 'vscode';
import { pathKey } from '../../core/util/paths.ts';
import { reference } from '../commands/reference.ts';
import type { ReviewBook } from './reviewBook.ts';
import { lineOf } from './reviewMarks.ts';
import { baselineUri } from './reviewScm.ts';
import { allTargets, fileTargets, hunkTarget, type Target } from './reviewTargets.ts';

export interface ReviewCommandDeps {
	readonly book: ReviewBook;
	/** Puts a text into the composer and the focus there. */
	readonly compose: (text: string) => Promise<void>;
	readonly failed: (what: string, error: unknown) => void;
}

/** Lines of a change that go into the composer. */
const commentLines = 60;

type Command = (...args: unknown[]) => Promise<void>;

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function reviewCommands(deps: () => ReviewCommandDeps): Readonly<Record<string, Command>> {
	const book = () => deps().book;
	const one = (args: readonly unknown[]) => {
		const target = hunkTarget(book(), args);
		if (!target) tell(vscode.l10n.t('There is no change of the agent here to review.'));
		return target ? [target] : [];
	};
	return {
		'review.next': () => go(book(), 1),
		'review.previous': () => go(book(), -1),
		'review.keepHunk': (...args) => keep(book(), one(args)),
		'review.undoHunk': (...args) => undo(deps(), one(args)),
		'review.keepFile': (...args) => keep(book(), fileTargets(book(), args)),
		'review.undoFile': (...args) => undo(deps(), fileTargets(book(), args)),
		'review.keepAll': (...args) => keep(book(), allTargets(book(), args)),
		'review.undoAll': (...args) => undo(deps(), allTargets(book(), args)),
		'review.openAll': (...args) => openAll(allTargets(book(), args), book()),
		'review.comment': async (...args) => {
			for (const target of one(args)) await comment(deps(), target);
		},
	};
}

async function keep(book: ReviewBook, targets: readonly Target[]): Promise<void> {
	for (const { path: file, ids } of targets) await book.keep(file, ids);
}

async function undo({ book, failed }: ReviewCommandDeps, targets: readonly Target[]): Promise<void> {
	const gone: string[] = [];
	for (const { path: file, ids } of targets) {
		if (book.file(file)?.created) {
			await removeCreated(book, file);
			continue;
		}
		const outcome = await book.undo(file, ids);
		if (outcome.kind === 'gone') gone.push(file);
		else if (outcome.kind === 'failed') {
			failed('undoing a change', new Error(outcome.message));
			void vscode.window.showErrorMessage(
				vscode.l10n.t('{0} cannot be written now. Its changes stay as they are.', path.basename(file)),
			);
		}
	}
	const [first] = gone;
	if (first === undefined) return;
	void vscode.window.showWarningMessage(
		vscode.l10n.t('{0} has changed there meanwhile. Nothing was undone; compare and decide.', path.basename(first)),
	);
	if (book.file(first)) await compare(first);
}

/** As it was before the file was made: it goes. What the person wrote into it goes with their consent only. */
async function removeCreated(book: ReviewBook, file: string): Promise<void> {
	await book.sync(file);
	const uri = vscode.Uri.file(file);
	if (book.file(file)?.created?.touched) {
		const remove = vscode.l10n.t('Delete');
		const question = vscode.l10n.t('{0} has text that you wrote. Delete the file all the same?', path.basename(file));
		if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) !== remove) return;
	}
	const edit = new vscode.WorkspaceEdit();
	edit.deleteFile(uri, { ignoreIfNotExists: true });
	if (await vscode.workspace.applyEdit(edit)) return book.forget(file);
	void vscode.window.showErrorMessage(vscode.l10n.t('{0} could not be deleted.', path.basename(file)));
}

async function compare(file: string): Promise<void> {
	const title = vscode.l10n.t('{0} (changes of the agent)', path.basename(file));
	await vscode.commands.executeCommand('vscode.diff', baselineUri(file), vscode.Uri.file(file), title, {
		preview: true,
	});
}

/** In VS Code's editor of several diffs. */
async function openAll(targets: readonly Target[], book: ReviewBook): Promise<void> {
	const resources = targets.map(({ path: file }) => {
		const uri = vscode.Uri.file(file);
		return [uri, book.file(file)?.created ? undefined : baselineUri(file), uri];
	});
	if (resources.length === 0) return;
	await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Loopwright Changes'), resources);
}

/** To the next hunk (or the one before), in this file and then in the others, around. */
async function go(book: ReviewBook, step: 1 | -1): Promise<void> {
	const places = book.files.flatMap(({ path: file, file: { hunks } }) => hunks.map((hunk) => ({ file, hunk })));
	const editor = vscode.window.activeTextEditor;
	const here = pathKey(editor?.document.uri.fsPath ?? '');
	const line = editor?.selection.active.line ?? 0;
	/** Positive when the place comes after the cursor. */
	const distance = ({ file, hunk }: (typeof places)[number]) => {
		const key = pathKey(file);
		if (key === here) return (editor ? lineOf(hunk, editor.document) : hunk.start) - line;
		return key > here ? 1 : -1;
	};
	const place =
		step === 1
			? (places.find((other) => distance(other) > 0) ?? places[0])
			: (places.findLast((other) => distance(other) < 0) ?? places.at(-1));
	if (!place) return tell(vscode.l10n.t('No changes of the agent wait for your review.'));
	const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.file));
	const target = lineOf(place.hunk, document);
	const selection = new vscode.Range(target, 0, target, 0);
	const shown = await vscode.window.showTextDocument(document, { preview: true, selection });
	shown.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The change as a reference in the composer, for the person to go on typing. */
async function comment({ book, compose }: ReviewCommandDeps, { path: file, ids }: Target): Promise<void> {
	const reviewed = book.file(file);
	const hunks = reviewed?.hunks.filter(({ id }) => ids.includes(id)) ?? [];
	const [first, last] = [hunks[0], hunks.at(-1)];
	if (!reviewed || !first || !last) return;
	const lines = hunks.flatMap(({ start, count, original }) => [
		...original.map((line) => `-${line.trimEnd()}`),
		...reviewed.lines.slice(start, start + count).map((line) => `+${line.trimEnd()}`),
	]);
	const code = [...lines.slice(0, commentLines), ...(lines.length > commentLines ? ['…'] : [])].join('\n');
	const shown = vscode.workspace.asRelativePath(file, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
	const [firstLine, lastLine] = [first.start + 1, Math.max(first.start + 1, last.start + last.count)];
	const text = reference({ path: shown, firstLine, lastLine, code, language: 'diff' }, (from, to) =>
		from === to ? vscode.l10n.t('line {0}', from) : vscode.l10n.t('lines {0}–{1}', from, to),
	);
	await compose(`${text}\n`);
}

function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
