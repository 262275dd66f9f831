// Tells the person that something waits or is done while they look elsewhere: a number on the view's icon, and one quiet
// notification for each conversation. Waiting is told while nobody sees the conversation or the window has not the focus; an end only
// in the latter case, as who works in another file of this window sees the number. Contract: a notification that outlives its
// request answers nothing, and leads to the conversation that it is about.
import * as vscode from 'vscode';
import type { Terminal } from '../../core/loop/state.ts';
import type { PermissionRequest } from '../../shared/permission.ts';
import type { Conversations, Member } from '../session/conversations.ts';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import { isStop } from '../session/stateChanges.ts';

export interface Watched extends Member {
	readonly desk: PermissionDesk;
}

export interface AttentionDeps<T extends Watched> {
	readonly conversations: Conversations<T>;
	readonly chat: {
		setBadge(count: number, tooltip: string): void;
		focusRequest(conversation: T): Promise<void>;
		focusComposer(insert: undefined, conversation: T): Promise<void>;
	};
	/** The setting `notifications`. */
	notify(): boolean;
	readonly failed: (what: string, error: unknown) => void;
}

/** What waits in a conversation, by its id. */
interface Known {
	/** What the person was told of, until they saw the conversation or nothing waits any more. */
	told?: string | undefined;
	/** What they had before their eyes: they know of it when they go to another window. */
	seen?: string | undefined;
}

/** Characters of a command or path that a notification shows. */
const shownSummary = 120;

export function watchAttention<T extends Watched>(deps: AttentionDeps<T>): vscode.Disposable {
	const { conversations } = deps;
	const known = new WeakMap<T, Known>();
	let waits = false;
	const update = () => {
		if (waits !== conversations.requests.count > 0) {
			waits = !waits;
			void vscode.commands.executeCommand('setContext', 'loopwright.waiting', waits);
		}
		showBadge(deps);
		for (const conversation of conversations.all) {
			const facts = known.get(conversation) ?? {};
			known.set(conversation, facts);
			tellWaiting(conversation, facts, deps);
		}
	};
	return vscode.Disposable.from(
		vscode.window.onDidChangeWindowState(update),
		new vscode.Disposable(conversations.onChange(update)),
		new vscode.Disposable(
			conversations.onEvent((event, conversation) => {
				if (event.type !== 'exchange_end' || isStop(event.terminal)) return;
				if (vscode.window.state.focused || !deps.notify()) return;
				tellEnd(event.terminal, conversation, deps).catch((error: unknown) => deps.failed('a notice', error));
			}),
		),
	);
}

/** What waits where nobody sees it, else how many conversations are done that nobody has seen. */
function showBadge<T extends Watched>({ conversations, chat }: AttentionDeps<T>): void {
	const hidden = conversations.all.filter(({ visible }) => !visible);
	const waiting = hidden.reduce((sum, { desk }) => sum + desk.count, 0);
	if (waiting > 0) return chat.setBadge(waiting, vscode.l10n.t('Waiting for you'));
	const ended = hidden.filter((conversation) => ['done', 'failed'].includes(conversations.stateOf(conversation)));
	chat.setBadge(ended.length, vscode.l10n.t('Done'));
}

function tellWaiting<T extends Watched>(conversation: T, known: Known, deps: AttentionDeps<T>): void {
	const { desk, visible } = conversation;
	const { focused } = vscode.window.state;
	const waiting = desk.count === 0 ? undefined : (desk.pending[0]?.id ?? desk.wait?.id);
	if (visible && focused) known.seen = waiting;
	const first = !visible || (!focused && waiting !== known.seen) ? waiting : undefined;
	if (first === known.told) return;
	known.told = first;
	if (first === undefined || !deps.notify()) return;
	notify(conversation, deps).catch((error: unknown) => deps.failed('a notice', error));
}

async function tellEnd<T extends Watched>(
	{ reason }: Terminal,
	conversation: T,
	{ chat, conversations }: AttentionDeps<T>,
): Promise<void> {
	const show = vscode.l10n.t('Show');
	const picked = await (reason === 'completed'
		? vscode.window.showInformationMessage(vscode.l10n.t('Loopwright has answered.'), show)
		: vscode.window.showWarningMessage(vscode.l10n.t('Loopwright stopped before it was done.'), show));
	if (picked === show) await chat.focusComposer(undefined, stillOpen(conversation, conversations));
}

async function notify<T extends Watched>(conversation: T, { chat, conversations }: AttentionDeps<T>): Promise<void> {
	const { desk } = conversation;
	const [first] = desk.pending;
	const what = first ? summaryOf(first) : vscode.l10n.t('The service asks for a long wait.');
	const show = vscode.l10n.t('Show');
	const deny = vscode.l10n.t('Deny');
	const answers = first && canBeDenied(first) ? [show, deny] : [show];
	const message = vscode.l10n.t('Loopwright waits for your answer: {0}', what);
	const picked = await vscode.window.showInformationMessage(message, ...answers);
	if (picked === show) return chat.focusRequest(stillOpen(conversation, conversations));
	if (picked !== deny || !first || desk.answer(first.id, { behavior: 'deny' })) return;
	void vscode.window.showInformationMessage(vscode.l10n.t('It was answered already.'));
}

/** It may have been left since, when nothing waited in it any more; then it is opened again. */
function stillOpen<T extends Watched>(conversation: T, conversations: Conversations<T>): T {
	if (conversations.all.includes(conversation)) return conversation;
	return conversations.open(conversation.controller.state.sessionId);
}

function summaryOf({ tool, summary, detail }: PermissionRequest): string {
	const names = { plan: vscode.l10n.t('Plan'), questions: vscode.l10n.t('Question') };
	const name = detail.kind === 'plan' || detail.kind === 'questions' ? names[detail.kind] : tool;
	const line = `${name} ${summary}`.replaceAll(/\s+/g, ' ').trim();
	return line.length > shownSummary ? `${line.slice(0, shownSummary)}…` : line;
}

/** Plans and questions want more than a no. */
function canBeDenied({ detail }: PermissionRequest): boolean {
	return detail.kind !== 'plan' && detail.kind !== 'questions';
}
