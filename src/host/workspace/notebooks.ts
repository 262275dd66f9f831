// Notebooks that an editor holds: their cells as the agent sees them, and changes through the notebook API.
// Contract: other cells, all outputs and all metadata are left to the editor; nothing is shown or focused.
import * as vscode from 'vscode';
import type { CellEdit, CellsChange, ChangeOutcome, NotebookCell, OpenNotebook } from '../../core/ports/workspace.ts';
import { sameCells } from '../../core/tools/notebook.ts';
import { samePath, saveNotebook } from './documents.ts';

/** The notebook that an editor holds of this file, as the agent sees it. */
export function openNotebook(file: string): OpenNotebook | undefined {
	const notebook = findNotebook(file);
	return notebook && { cells: cellsOf(notebook), unsaved: notebook.isDirty };
}

/** `obstacle`: why the file cannot be written. */
export async function changeCells(
	{ path, expectedCells, edit }: CellsChange,
	obstacle: string | undefined,
): Promise<ChangeOutcome> {
	const notebook = findNotebook(path);
	if (notebook === undefined || !sameCells(cellsOf(notebook), expectedCells)) {
		return { kind: 'changed', current: { kind: 'failed', message: 'the notebook has changed in the editor' } };
	}
	if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
	if (!(await vscode.workspace.applyEdit(editOf(notebook, edit)))) {
		return { kind: 'failed', message: 'the editor refused the edit; it may hold the notebook as read-only' };
	}
	return { kind: 'applied', text: '', saved: await saveNotebook(notebook) };
}

export function findNotebook(file: string): vscode.NotebookDocument | undefined {
	return vscode.workspace.notebookDocuments.find(
		({ uri, isClosed, notebookType }) =>
			uri.scheme === 'file' && !isClosed && notebookType === 'jupyter-notebook' && samePath(uri.fsPath, file),
	);
}

function cellsOf(notebook: vscode.NotebookDocument): readonly NotebookCell[] {
	return notebook.getCells().map((cell) => {
		const id: unknown = cell.metadata.id;
		return {
			...(typeof id === 'string' ? { id } : {}),
			type: typeOf(cell),
			source: cell.document.getText().replaceAll('\r\n', '\n'),
			outputs: cell.outputs.flatMap((output) => textOf(output)),
		};
	});
}

function typeOf(cell: vscode.NotebookCell): NotebookCell['type'] {
	if (cell.kind === vscode.NotebookCellKind.Markup) return 'markdown';
	return cell.document.languageId === 'raw' ? 'raw' : 'code';
}

function textOf(output: vscode.NotebookCellOutput): string[] {
	const text = output.items.find(
		({ mime }) => mime === 'text/plain' || mime.startsWith('application/vnd.code.notebook.'),
	);
	const others = output.items.filter(({ mime }) => mime.startsWith('image/')).map(({ mime }) => `[${mime}]`);
	return [...(text ? [new TextDecoder().decode(text.data)] : []), ...others];
}

function editOf(notebook: vscode.NotebookDocument, edit: CellEdit): vscode.WorkspaceEdit {
	const all = new vscode.WorkspaceEdit();
	if (edit.kind === 'delete') {
		all.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(edit.index, edit.index + 1))]);
	} else if (edit.kind === 'insert') {
		all.set(notebook.uri, [vscode.NotebookEdit.insertCells(edit.index, [newCell(notebook, edit)])]);
	} else {
		const cell = notebook.cellAt(edit.index);
		if (typeOf(cell) === edit.type) {
			all.replace(cell.document.uri, new vscode.Range(0, 0, cell.document.lineCount, 0), edit.source);
		} else {
			const changed = newCell(notebook, edit);
			changed.metadata = { ...cell.metadata };
			const range = new vscode.NotebookRange(edit.index, edit.index + 1);
			all.set(notebook.uri, [vscode.NotebookEdit.replaceCells(range, [changed])]);
		}
	}
	return all;
}

function newCell(
	notebook: vscode.NotebookDocument,
	edit: Exclude<CellEdit, { kind: 'delete' }>,
): vscode.NotebookCellData {
	const { source, type } = edit;
	const kind = type === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
	const code = notebook.getCells().find((cell) => typeOf(cell) === 'code');
	const language = type === 'code' ? (code?.document.languageId ?? 'python') : type;
	const data = new vscode.NotebookCellData(kind, source, language);
	if (edit.kind === 'insert' && edit.id !== undefined) data.metadata = { id: edit.id, metadata: {} };
	return data;
}
