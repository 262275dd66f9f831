// The commands of the review. Contract: a file is shown only when the person asked to go there.
import * as vscode from 'vscode';
import { pathKey } from '../../core/util/paths.ts';
import { focusFile, focusThread } from '../threadFocus.ts';
import type { ReviewBook } from './reviewBook.ts';
import { comment, type ReviewConversations } from './reviewComment.ts';
import { lineOf } from './reviewMarks.ts';
import { baselineUri } from './reviewScm.ts';
import { allTargets, fileTargets, hunkTarget, type Target } from './reviewTargets.ts';
import type { ReviewThreads } from './reviewThreads.ts';
import { undoHunks, undoMany } from './reviewUndo.ts';

export interface ReviewCommandDeps {
	readonly book: ReviewBook;
	readonly threads: ReviewThreads;
	readonly conversations: ReviewConversations;
	readonly failed: (what: string, error: unknown) => void;
}

type Command = (...args: unknown[]) => Promise<void>;

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function reviewCommands(deps: () => ReviewCommandDeps): Readonly<Record<string, Command>> {
	const book = () => deps().book;
	const one = (args: readonly unknown[]) => {
		const target = deps().threads.find(args[0]) ?? hunkTarget(book(), args);
		if (!target) tell(vscode.l10n.t('There is no change of the agent here to review.'));
		return target ? [target] : [];
	};
	/** A thread goes with its change, and would take the keyboard with it. */
	const back = async ([thread]: readonly unknown[], done: Promise<void>) => {
		const inside = deps().threads.find(thread) !== undefined;
		await done;
		if (inside) await focusFile();
	};
	return {
		'review.next': () => go(book(), 1),
		'review.previous': () => go(book(), -1),
		'review.keepHunk': (...args) => back(args, keep(book(), one(args))),
		'review.undoHunk': (...args) => back(args, undoHunks(deps(), one(args))),
		'review.keepFile': (...args) => keep(book(), fileTargets(book(), args)),
		'review.undoFile': (...args) => undoMany(deps(), fileTargets(book(), args)),
		'review.keepAll': (...args) => keep(book(), allTargets(book(), args)),
		'review.undoAll': (...args) => undoMany(deps(), allTargets(book(), args)),
		'review.openAll': (...args) => openAll(allTargets(book(), args), book()),
		'review.comment': async (...args) => {
			for (const target of one(args)) await comment(deps(), target);
		},
		'review.before': async (...args) => {
			for (const target of one(args)) await showBefore(deps(), target, args[0] === undefined);
		},
		// VS Code calls these from the threads only.
		'review.closeBefore': async (thread) => deps().threads.close(thread),
		'review.reply': (reply) => send(deps(), reply as vscode.CommentReply),
	};
}

async function keep(book: ReviewBook, targets: readonly Target[]): Promise<void> {
	for (const { path: file, ids } of targets) await book.keep(file, ids);
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

/** Below its change. By the keyboard it is opened, and when it is open the keyboard goes into it. */
async function showBefore({ book, threads }: ReviewCommandDeps, target: Target, byKeyboard: boolean): Promise<void> {
	const goInto = byKeyboard && threads.has(target);
	if (!goInto) threads.open(target);
	const hunk = book.file(target.path)?.hunks.find(({ id }) => target.ids.includes(id));
	const shown = vscode.window.activeTextEditor;
	if (!hunk || !shown || pathKey(shown.document.uri.fsPath) !== pathKey(target.path)) return;
	const line = lineOf(hunk, shown.document);
	shown.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	if (!goInto) return;
	shown.selection = new vscode.Selection(line, 0, line, 0);
	await focusThread();
}

async function send(deps: ReviewCommandDeps, { thread, text }: vscode.CommentReply): Promise<void> {
	const target = deps.threads.find(thread);
	if (!target || text.trim() === '') return;
	if (!(await comment(deps, target, text.trim()))) return;
	deps.threads.said(thread, text.trim());
	await focusFile();
}

function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
