// Commands about what an answer said: export the conversation, and the word on a change that came from a block of code.
import * as vscode from 'vscode';
import type { CodeActions } from '../code/codeActions.ts';
import type { SessionHistory } from '../history/history.ts';
import { conversationMarkdown } from '../panel/exportConversation.ts';
import { exportWords } from '../panel/exportWords.ts';
import type { SessionController } from '../session/sessionController.ts';
import { showContext } from './showContext.ts';

export interface ConversationCommandDeps {
	readonly controller: Pick<SessionController, 'open' | 'view'>;
	readonly code: Pick<CodeActions, 'apply' | 'discard'>;
	readonly history: Pick<SessionHistory, 'json'>;
}

type Command = (...args: unknown[]) => Promise<void> | void;

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function conversationCommands(deps: () => ConversationCommandDeps): Readonly<Record<string, Command>> {
	return {
		showContext: () => showContext(deps().controller),
		exportConversation: (argument) => exportConversation(deps(), argument),
		'code.apply': (argument) => deps().code.apply(argument),
		'code.discard': (argument) => deps().code.discard(argument),
	};
}

/**
 * `argument`: the file (a `Uri`); without it the person is asked. The name's end says Markdown, as the panel shows it, or JSON, as
 * it is stored and can be imported.
 */
async function exportConversation({ controller, history }: ConversationCommandDeps, argument: unknown): Promise<void> {
	await controller.open();
	await controller.view.older?.until(() => false);
	const { all, state } = controller.view;
	if (all.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing to export yet.'));
		return;
	}
	const file = argument instanceof vscode.Uri ? argument : await pickFile(state.sessionId);
	if (!file) return;
	const json = file.path.toLowerCase().endsWith('.json');
	const text = json ? await history.json(state.sessionId) : conversationMarkdown(state, all, exportWords());
	if (text === undefined) {
		void vscode.window.showWarningMessage(
			vscode.l10n.t('This conversation is not stored: it can be exported as Markdown only.'),
		);
		return;
	}
	await vscode.workspace.fs.writeFile(file, Buffer.from(text, 'utf8'));
	const open = vscode.l10n.t('Open');
	const shown = vscode.window.showInformationMessage(vscode.l10n.t('Exported to {0}', file.fsPath), open);
	void shown.then((picked) => picked === open && vscode.commands.executeCommand('vscode.open', file));
}

function pickFile(sessionId: string): Thenable<vscode.Uri | undefined> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = `conversation-${sessionId.slice(0, 8)}.md`;
	return vscode.window.showSaveDialog({
		...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
		filters: { Markdown: ['md'], JSON: ['json'] },
		title: vscode.l10n.t('Export Conversation'),
	});
}
