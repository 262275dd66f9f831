// Tells the person that something waits while the panel cannot be seen: a number on the view's icon, and one quiet notification
// for what is asked first. Contract: a notification that outlives its request answers nothing.
import * as vscode from 'vscode';
import type { PermissionRequest } from '../../shared/permission.ts';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import type { Channel } from './channel.ts';
import type { ChatView } from './chatView.ts';

export interface AttentionDeps {
	readonly desk: PermissionDesk;
	readonly channel: Pick<Channel, 'visible'>;
	readonly chat: Pick<ChatView, 'setBadge' | 'onDidChangeVisibility' | 'focusRequest'>;
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
	let waits = false;
	const update = () => {
		if (waits !== desk.count > 0) {
			waits = desk.count > 0;
			void vscode.commands.executeCommand('setContext', 'loopwright.waiting', waits);
		}
		const hidden = channel.visible ? 0 : desk.count;
		chat.setBadge(hidden, vscode.l10n.t('Waiting for you'));
		const first = hidden === 0 ? undefined : (desk.pending[0]?.id ?? desk.wait?.id);
		if (first === told) return;
		told = first;
		if (first !== undefined && deps.notify()) notify(deps).catch((error: unknown) => deps.failed('a notice', error));
	};
	const unsubscribe = desk.onChange(update);
	const visibility = chat.onDidChangeVisibility(update);
	return new vscode.Disposable(() => {
		unsubscribe();
		visibility.dispose();
	});
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
