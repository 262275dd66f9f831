// The palette tasks: from the selection or the whole file to a prompt in the person's language.
import * as vscode from 'vscode';
import { reference, type CodePlace } from './reference.ts';

export const taskNames = ['explain', 'fix', 'improve', 'writeTests', 'document'] as const;
export type TaskName = (typeof taskNames)[number];

/** The prompt for the active editor; undefined (and a message to the person) when there is none. */
export function taskPrompt(task: TaskName, editor: vscode.TextEditor | undefined): string | undefined {
	const place = editor && placeOf(editor);
	if (!place) {
		void vscode.window.showInformationMessage(vscode.l10n.t('Open a file first: the task works on the active editor.'));
		return undefined;
	}
	return `${taskInstruction(task)}\n${reference(place, linesWord)}`;
}

/** The selection of an editor as text for the composer; undefined when nothing is selected. */
export function selectionText(editor: vscode.TextEditor | undefined): string | undefined {
	const place = editor && placeOf(editor);
	return place?.code === undefined ? undefined : `${reference(place, linesWord)}\n`;
}

export function fileText(uri: vscode.Uri): string {
	return `${reference({ path: relativePath(uri) }, linesWord)} `;
}

export async function pickTask(): Promise<TaskName | undefined> {
	const items = taskNames.map((task) => ({ label: taskTitle(task), detail: taskInstruction(task), task }));
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Loopwright: run task') }))?.task;
}

function placeOf({ document, selection }: vscode.TextEditor): CodePlace {
	const path = relativePath(document.uri);
	const whole = document.isUntitled ? new vscode.Range(0, 0, document.lineCount, 0) : undefined;
	const range = selection.isEmpty ? whole : selection;
	if (!range) return { path };
	const { start, end } = range;
	// A selection that ends at the beginning of a line does not touch that line.
	const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
	return {
		path,
		firstLine: start.line + 1,
		lastLine: last + 1,
		code: document.getText(range),
		language: document.languageId,
	};
}

function relativePath(uri: vscode.Uri): string {
	return vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
}

function linesWord(first: number, last: number): string {
	return first === last ? vscode.l10n.t('line {0}', first) : vscode.l10n.t('lines {0}–{1}', first, last);
}

function taskTitle(task: TaskName): string {
	switch (task) {
		case 'explain':
			return vscode.l10n.t('Explain');
		case 'fix':
			return vscode.l10n.t('Fix');
		case 'improve':
			return vscode.l10n.t('Improve');
		case 'writeTests':
			return vscode.l10n.t('Write tests');
		case 'document':
			return vscode.l10n.t('Document');
	}
}

function taskInstruction(task: TaskName): string {
	switch (task) {
		case 'explain':
			return vscode.l10n.t('Explain what this code does and how it works, and point out what is easy to miss.');
		case 'fix':
			return vscode.l10n.t('Find the problems in this code and fix them. Say briefly what was wrong.');
		case 'improve':
			return vscode.l10n.t('Improve this code without changing what it does: make it simpler and clearer.');
		case 'writeTests':
			return vscode.l10n.t("Write tests for this code, in the style and with the tools of this project's tests.");
		case 'document':
			return vscode.l10n.t('Write documentation comments for this code, in the style that the project uses.');
	}
}
