// The whole conversation into the clipboard, from the data: the panel draws, and so can select, only what is near.
import * as vscode from 'vscode';
import type { SessionController } from '../session/sessionController.ts';
import type { SurfaceHandle } from './channel.ts';
import { conversationMarkdown } from './exportConversation.ts';
import { exportWords } from './exportWords.ts';

/** Characters; more would stop the editor and whatever it is pasted into. */
const longest = 20_000_000;

export async function copyConversation(
	controller: Pick<SessionController, 'open' | 'view'>,
	surface: Pick<SurfaceHandle, 'post'>,
): Promise<void> {
	await controller.open();
	await controller.view.older?.until(() => false);
	const { all, state } = controller.view;
	const text = conversationMarkdown(state, all, exportWords());
	if (text.length <= longest) {
		await vscode.env.clipboard.writeText(text);
		return surface.post({ type: 'copied', outcome: 'whole' });
	}
	surface.post({ type: 'copied', outcome: 'too_long' });
	const save = vscode.l10n.t('Export…');
	const picked = await vscode.window.showWarningMessage(
		vscode.l10n.t('The conversation is too long for the clipboard. It can be exported to a file.'),
		save,
	);
	if (picked === save) await vscode.commands.executeCommand('loopwright.exportConversation');
}
