// What a person puts into a prompt from an editor or a terminal: of a file with secrets only after a word to each single time.
import path from 'node:path';
import * as vscode from 'vscode';

/** May text of this document go to the model? Asks where the secrets policy keeps the file from it; no answer is no. */
export async function mayShare(
	{ uri, isUntitled }: vscode.TextDocument,
	isSecret: (file: string) => Promise<boolean>,
): Promise<boolean> {
	return isUntitled || !(await isSecret(uri.fsPath)) || (await askToShare(path.basename(uri.fsPath)));
}

/** Something comes from a file that is kept from the model: once all the same? `name`: the file's. */
export async function askToShare(name: string): Promise<boolean> {
	const send = vscode.l10n.t('Send Once');
	const detail = vscode.l10n.t('What you put into a prompt from it goes to the model.');
	const message = vscode.l10n.t('{0} may hold secrets, so it is kept from the agent.', name);
	return (await vscode.window.showWarningMessage(message, { modal: true, detail }, send)) === send;
}
