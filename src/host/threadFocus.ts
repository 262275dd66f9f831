// From the cursor to the comment thread at its line, and back. VS Code has a command for it, which its palette offers only once
// the cursor has moved.
import * as vscode from 'vscode';

/** In the active editor, whose cursor is at a line with a thread that is drawn already. Tab goes on to its reply. */
export async function focusThread(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.focusCommentOnCurrentLine');
}

/** Back from a thread, whose reply leaves the keyboard nowhere. */
export async function focusFile(): Promise<void> {
	await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}
