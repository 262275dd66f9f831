// The folders of the workspace that lie on the disk, as a person knows them.
import path from 'node:path';
import * as vscode from 'vscode';
import type { FolderView } from '../../shared/view.ts';

export function openFolders(): readonly FolderView[] {
	return (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === 'file')
		.map(({ uri, name }) => ({ path: path.normalize(uri.fsPath), name }));
}

/** The one that the person works in: of the active editor, else of one that is to be seen. Absolute. */
export function folderInUse(): string | undefined {
	const { activeTextEditor, visibleTextEditors } = vscode.window;
	for (const editor of [activeTextEditor, ...visibleTextEditors]) {
		const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
		if (folder?.uri.scheme === 'file') return path.normalize(folder.uri.fsPath);
	}
	return undefined;
}
