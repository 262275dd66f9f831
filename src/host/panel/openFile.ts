// Opens what a link or a card names. Contract: what cannot be opened is said, never passed over.
import * as vscode from 'vscode';

/** `file`: absolute; `line`: from 1. A folder is shown in the explorer. */
export async function openFile(file: string, line: number | undefined): Promise<void> {
	const uri = vscode.Uri.file(file);
	const isOpen = vscode.workspace.textDocuments.some((document) => String(document.uri) === String(uri));
	const found = await typeOf(uri);
	if (found === undefined && !isOpen)
		return tell(vscode.l10n.t('There is no file {0}.', vscode.workspace.asRelativePath(uri)));
	if (found !== undefined && (found & vscode.FileType.Directory) !== 0) {
		if (!vscode.workspace.getWorkspaceFolder(uri)) {
			return tell(vscode.l10n.t('{0} is outside of the open folder.', file));
		}
		await vscode.commands.executeCommand('revealInExplorer', uri);
		return;
	}
	const selection = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
	// Pictures and notebooks, too.
	await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...(selection ? { selection } : {}) });
}

/** Undefined when there is nothing. */
async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
	try {
		return (await vscode.workspace.fs.stat(uri)).type;
	} catch {
		return undefined;
	}
}

function tell(sentence: string): void {
	void vscode.window.showWarningMessage(sentence);
}
