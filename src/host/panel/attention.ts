// Tells the person that something waits or is done while they look elsewhere: a number on the view's icon, and one quiet
// notification. Waiting is told while the panel is hidden or the window has not the focus; an end only in the latter case, as
// who works in another file of this window sees the number. Contract: a notification that outlives its request answers nothing.
import * as vscode from 'vscode';
import type { PermissionRequest } from '../../shared/permission.ts';
import type { Terminal } from '../../core/loop/state.ts';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { Channel } from './channel.ts';
import type { ChatView } from './chatView.ts';

export interface AttentionDeps {
	readonly desk: PermissionDesk;
	readonly channel: Pick<Channel, 'visible'>;
	readonly chat: Pick<ChatView, 'setBadge' | 'onDidChangeVisibility' | 'focusRequest' | 'focusComposer'>;
	readonly controller: Pick<SessionController, 'onEvent'>;
	/** The setting `notifications`. */
	notify(): boolean;
	readonly failed: (what: string, error: unknown) => void;
}

/** Characters of a command or path that a notification shows. */
const shownSummary = 120;

export function watchAttention(deps: AttentionDeps): vscode.Disposable {
	const { desk, channel, chat } = deps;
	/** What the person was told of, until they saw the panel or nothing waits any more. */
	let told: string | undefined;
	/** What the person had before their eyes: they know of it when they go to another window. */
	let seen: string | undefined;
	let waits = false;
	/** An exchange ended while the panel was hidden. */
	let ended = false;
	const update = () => {
		if (waits !== desk.count > 0) {
			waits = desk.count > 0;
			void vscode.commands.executeCommand('setContext', 'loopwright.waiting', waits);
		}
		ended &&= !channel.visible;
		const hidden = channel.visible ? 0 : desk.count;
		if (hidden > 0 || !ended) chat.setBadge(hidden, vscode.l10n.t('Waiting for you'));
		else chat.setBadge(1, vscode.l10n.t('Done'));
		const waiting = desk.count === 0 ? undefined : (desk.pending[0]?.id ?? desk.wait?.id);
		const { focused } = vscode.window.state;
		if (channel.visible && focused) seen = waiting;
		const first = !channel.visible || (!focused && waiting !== seen) ? waiting : undefined;
		if (first === told) return;
		told = first;
		if (first !== undefined && deps.notify()) notify(deps).catch((error: unknown) => deps.failed('a notice', error));
	};
	const end = (reason: Terminal['reason']) => {
		if (isStop(reason)) return;
		ended = !channel.visible;
		update();
		if (vscode.window.state.focused || !deps.notify()) return;
		tellEnd(reason, chat).catch((error: unknown) => deps.failed('a notice', error));
	};
	const subscriptions = [
		chat.onDidChangeVisibility(update),
		vscode.window.onDidChangeWindowState(update),
		new vscode.Disposable(desk.onChange(update)),
		new vscode.Disposable(
			deps.controller.onEvent((event) => event.type === 'exchange_end' && end(event.terminal.reason)),
		),
	];
	return vscode.Disposable.from(...subscriptions);
}

/** The person ended it themselves. */
function isStop(reason: Terminal['reason']): boolean {
	return reason === 'aborted_streaming' || reason === 'aborted_tools';
}

async function tellEnd(reason: Terminal['reason'], chat: AttentionDeps['chat']): Promise<void> {
	const show = vscode.l10n.t('Show');
	const picked = await (reason === 'completed'
		? vscode.window.showInformationMessage(vscode.l10n.t('Loopwright has answered.'), show)
		: vscode.window.showWarningMessage(vscode.l10n.t('Loopwright stopped before it was done.'), show));
	if (picked === show) await chat.focusComposer();
}

async function notify({ desk, chat }: AttentionDeps): Promise<void> {
	const [first] = desk.pending;
	const what = first ? summaryOf(first) : vscode.l10n.t('The service asks for a long wait.');
	const show = vscode.l10n.t('Show');
	const deny = vscode.l10n.t('Deny');
	const answers = first && canBeDenied(first) ? [show, deny] : [show];
	const message = vscode.l10n.t('Loopwright waits for your answer: {0}', what);
	const picked = await vscode.window.showInformationMessage(message, ...answers);
	if (picked === show) return chat.focusRequest();
	if (picked !== deny || !first || desk.answer(first.id, { behavior: 'deny' })) return;
	void vscode.window.showInformationMessage(vscode.l10n.t('It was answered already.'));
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
