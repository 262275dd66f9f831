// What the person does with git worktrees: a conversation in one of its own, and what becomes of it. Contract: a branch of the person
// changes only by the choice that names it, and nothing is thrown away unasked.
import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import {
	bringBack,
	createWorktree,
	removeWorktree,
	worktreeState,
	type WayBack,
	type WorktreeState,
} from '../../node/worktrees/worktrees.ts';
import type { OpenConversation } from '../openConversation.ts';
import type { ReviewBook } from '../review/reviewBook.ts';
import type { Conversations } from '../session/conversations.ts';
import type { WorktreeRoot, WorktreeRoots } from './worktreeRoots.ts';
import { actionItems, problemWords } from './worktreeWords.ts';

export interface WorktreeDeps {
	readonly sessions: Conversations<OpenConversation>;
	readonly worktrees: WorktreeRoots;
	readonly library: Pick<SessionLibrary, 'adopt'>;
	readonly review: { readonly book: Pick<ReviewBook, 'forget'> };
	/** Puts the focus into the composer of the conversation in front. */
	readonly focusComposer: () => Promise<void>;
	readonly failed: (what: string, error: unknown) => void;
}

const longestTitle = 72;

/** In a worktree: what becomes of it. Elsewhere: a new conversation in a new one. */
export async function useWorktree(deps: WorktreeDeps): Promise<void> {
	if (!vscode.workspace.isTrusted) return tell(vscode.l10n.t('Git does not run in a folder that is not trusted.'));
	const conversation = deps.sessions.front;
	const worktree = deps.worktrees.of(conversation.root.path);
	if (!worktree) return begin(deps, conversation.root.path);
	const state = await worktreeState(worktree.root);
	if (state.kind === 'problem') return warn(problemWords(state));
	const title = vscode.l10n.t('Worktree {0}', worktree.branch);
	const picked = await vscode.window.showQuickPick(actionItems(state), { title });
	if (!picked) return;
	switch (picked.action) {
		case 'discard':
			return discard(deps, worktree, state);
		case 'open':
			await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(worktree.root), true);
			return;
		case 'new':
			return begin(deps, worktree.main);
		default:
			return bring(deps, { conversation, worktree, state, how: picked.action });
	}
}

async function begin({ sessions, worktrees, focusComposer }: WorktreeDeps, main: string): Promise<void> {
	const wish = await vscode.window.showInputBox({
		title: vscode.l10n.t('New Conversation in a Git Worktree'),
		prompt: vscode.l10n.t(
			'What is it about? The worktree gets this name, and a branch of its own. It begins with the last commit.',
		),
		ignoreFocusOut: true,
	});
	if (wish === undefined) return;
	const made = await createWorktree(main, wish);
	if (made.kind === 'problem') return warn(problemWords(made));
	worktrees.add(made, main);
	const conversation = sessions.begin({ root: made.root });
	sessions.show(conversation);
	await conversation.controller.open();
	await focusComposer();
	const left = vscode.l10n.t('What is not committed is not in it (files: {0}).', made.leftBehind);
	const words = vscode.l10n.t('This conversation works in {0}, on the branch {1}.', made.top, made.branch);
	tell(made.leftBehind > 0 ? `${words} ${left}` : words);
}

interface BringOrder {
	readonly conversation: OpenConversation;
	readonly worktree: WorktreeRoot;
	readonly state: WorktreeState;
	readonly how: WayBack;
}

async function bring(deps: WorktreeDeps, { conversation, worktree, state, how }: BringOrder): Promise<void> {
	if (busyIn(deps, worktree)) return warn(vscode.l10n.t('Something still runs in this worktree.'));
	const unsaved = [state.mainTop, worktree.top].find((folder) => hasUnsaved(folder));
	if (unsaved !== undefined) return warn(vscode.l10n.t('Save the changed files of {0} first.', unsaved));
	const [first = ''] = conversation.controller.view.title.split('\n');
	const value = first.slice(0, longestTitle) || worktree.branch;
	const title = vscode.l10n.t('Message of the Commit');
	const message = how === 'apply' ? value : await vscode.window.showInputBox({ title, value, ignoreFocusOut: true });
	if (message === undefined || message.trim() === '') return;
	const outcome = await bringBack({ top: worktree.top, how, message });
	if (outcome.kind === 'problem') return warn(problemWords(outcome));
	const remove = vscode.l10n.t('Remove the Worktree');
	const done = vscode.l10n.t('The changes of {0} are in {1}.', worktree.branch, state.mainTop);
	// Not waited for: it stays until the person answers it.
	vscode.window
		.showInformationMessage(done, remove)
		.then((picked) => (picked === remove ? removed(deps, worktree) : undefined))
		.then(undefined, (error: unknown) => deps.failed('removing a worktree', error));
}

async function discard(deps: WorktreeDeps, worktree: WorktreeRoot, state: WorktreeState): Promise<void> {
	const confirmed = vscode.l10n.t('Throw Away');
	const detail = vscode.l10n.t(
		'Its commits ({0}) and its changed files ({1}) are lost. The conversation stays in the history.',
		state.commits,
		state.changed,
	);
	const question = vscode.l10n.t('Throw away the worktree {0} with its branch?', worktree.branch);
	const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, confirmed);
	if (picked === confirmed) await removed(deps, worktree);
}

/** Its conversations end first: new ones take their places. */
async function removed({ sessions, worktrees, library, review }: WorktreeDeps, worktree: WorktreeRoot): Promise<void> {
	const inside = sessions.all.filter(({ root }) => root.path === worktree.root);
	for (const conversation of inside) await sessions.end(conversation, worktree.main);
	const outcome = await removeWorktree(worktree.top);
	if (outcome.kind === 'problem') return warn(problemWords(outcome));
	worktrees.remove(worktree.root);
	review.book.forget(worktree.top);
	// So that they stay in the history.
	await library.adopt(worktree.root, worktree.main);
	tell(vscode.l10n.t('The worktree {0} is gone.', worktree.branch));
}

function busyIn({ sessions }: WorktreeDeps, { root }: WorktreeRoot): boolean {
	return sessions.all.some((conversation) => conversation.root.path === root && !conversation.controller.idle);
}

function hasUnsaved(folder: string): boolean {
	return vscode.workspace.textDocuments.some(({ isDirty, uri }) => {
		const inside = path.relative(folder, uri.fsPath);
		return isDirty && uri.scheme === 'file' && !inside.startsWith('..') && !path.isAbsolute(inside);
	});
}

function tell(words: string): void {
	void vscode.window.showInformationMessage(words);
}

function warn(words: string): void {
	void vscode.window.showWarningMessage(words);
}
