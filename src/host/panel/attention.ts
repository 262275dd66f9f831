// Tells the person that something waits while the panel cannot be seen: a number on the view's icon, and one quiet notification.
import * as vscode from 'vscode';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import type { Channel } from './channel.ts';
import type { ChatView } from './chatView.ts';

export function watchAttention(desk: PermissionDesk, channel: Channel, chat: ChatView): vscode.Disposable {
	/** Told once, until nothing waits any more or the panel was seen. */
	let told = false;
	const update = () => {
		const count = channel.visible ? 0 : desk.count;
		chat.setBadge(count, vscode.l10n.t('Waiting for you'));
		if (count === 0) {
			told = false;
			return;
		}
		if (told) return;
		told = true;
		const show = vscode.l10n.t('Show');
		const [first] = desk.pending;
		const what = first ? `${first.tool} ${first.summary}` : vscode.l10n.t('The service asks for a long wait.');
		const message = vscode.l10n.t('Loopwright waits for your answer: {0}', what);
		void vscode.window.showInformationMessage(message, show).then((picked) => {
			if (picked === show) return chat.reveal(false);
		});
	};
	const unsubscribe = desk.onChange(update);
	const visibility = chat.onDidChangeVisibility(update);
	return new vscode.Disposable(() => {
		unsubscribe();
		visibility.dispose();
	});
}
