// Text documents of the editor: finding the one of a file, editing it in one undo step, saving it.
// Contract: nothing is shown or focused.
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../core/limits.ts';
import { contentHash } from '../../core/tools/fileState.ts';
import type { ChangeOutcome, TextEdit } from '../../core/ports/workspace.ts';
import type { Encoding } from '../../node/text/encodings.ts';
import { encodingNamed } from '../../node/text/encodings.ts';
import { loadFile } from '../../node/workspace/diskFile.ts';
import { hasLineEnds, onlyLineEnd, withLineEnds } from './textEdits.ts';
import type { LineEnd } from './textEdits.ts';

/** Milliseconds that a clean document may need to follow its file. */
const reloadTime = 2000;
const reloadStep = 25;

/** Milliseconds between two tries to save; together as long as the editor gives what runs before a save. */
const savePauses = [50, 100, 200, 400, 800, 1600];

/** The document of this file, also when it was opened by another name (a link); one with unsaved text first. */
export async function openDocument(
	file: string,
	realPath: (file: string) => Promise<string>,
): Promise<vscode.TextDocument | undefined> {
	const documents = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
	const exact = documents.find(({ uri }) => samePath(uri.fsPath, file));
	if (exact && isUnsaved(exact)) return exact;
	const dirty = documents.filter((document) => isUnsaved(document));
	if (dirty.length > 0) {
		const real = await realPath(file);
		for (const document of dirty) {
			if (samePath(await realPath(document.uri.fsPath), real)) return document;
		}
	}
	return exact;
}

/**
 * True while the editor holds text of it that is not on the disk. `isDirty` alone does not say so: the end of a save makes it
 * false in this process, also when the person has typed while the save ran. Their tab knows better.
 */
export function isUnsaved(document: vscode.TextDocument): boolean {
	return document.isDirty || hasDirtyTab((uri) => String(uri) === String(document.uri));
}

/** True for a tab whose unsaved text the editor keeps to itself, as it does with files over 50 MB. */
export function hasHiddenUnsavedText(file: string): boolean {
	return hasDirtyTab(({ fsPath }) => samePath(fsPath, file));
}

function hasDirtyTab(matches: (uri: vscode.Uri) => boolean): boolean {
	return vscode.window.tabGroups.all.some((group) =>
		group.tabs.some(({ isDirty, input }) => {
			if (!isDirty) return false;
			if (input instanceof vscode.TabInputText) return matches(input.uri);
			return input instanceof vscode.TabInputTextDiff && matches(input.modified);
		}),
	);
}

/** What the editor takes a closed file for: `files.encoding` of its folder and language, or its guess. */
export async function assumedEncoding(file: string): Promise<Encoding | undefined> {
	const uri = vscode.Uri.file(file);
	const files = vscode.workspace.getConfiguration('files', uri);
	const configured = encodingNamed(files.get('encoding', 'utf8'));
	const byLanguage = (files.inspect('encoding')?.languageIds ?? []).length > 0;
	if (!byLanguage && !files.get('autoGuessEncoding', false)) return configured;
	try {
		// Only the editor knows the language of the file, and guesses: it is asked to load it.
		return encodingNamed((await vscode.workspace.openTextDocument(uri)).encoding) ?? configured;
	} catch {
		return configured;
	}
}

export function lineEndOf(document: vscode.TextDocument): LineEnd {
	return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

/** Waits until a clean document holds this text, as it is about to follow its file; not for ever. */
export async function follow(document: vscode.TextDocument, text: string): Promise<void> {
	const until = Date.now() + reloadTime;
	while (Date.now() < until && !isUnsaved(document) && document.getText() !== text) await pause(reloadStep);
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

/** One undo step. False when the editor refused, such as for a document that changed in this moment. */
export async function edit(
	document: vscode.TextDocument,
	edits: readonly TextEdit[],
	newText: string,
): Promise<boolean> {
	// A text without line ends has none of its own: what comes in brings them.
	const wanted = hasLineEnds(document.getText()) ? lineEndOf(document) : (onlyLineEnd(newText) ?? lineEndOf(document));
	const changes = edits.map(({ start, end: stop, text }) => {
		const range = new vscode.Range(document.positionAt(start), document.positionAt(stop));
		return vscode.TextEdit.replace(range, withLineEnds(text, wanted));
	});
	if (wanted !== lineEndOf(document)) {
		changes.unshift(vscode.TextEdit.setEndOfLine(wanted === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF));
	}
	const all = new vscode.WorkspaceEdit();
	all.set(document.uri, changes);
	return await vscode.workspace.applyEdit(all);
}

/**
 * Saves what it holds now, and says what is on the disk then: what the editor does on saving (formatters, code actions, final
 * newline) is part of it, and what the person has typed by then. Not saved means that the disk has none of it.
 */
export async function save(document: vscode.TextDocument): Promise<ChangeOutcome> {
	const since = new Set([contentHash(document.getText())]);
	const listening = vscode.workspace.onDidChangeTextDocument((event) => {
		if (event.document === document) since.add(contentHash(document.getText()));
	});
	try {
		for (const ms of [...savePauses, 0]) {
			// It rejects once the document is closed.
			const saved = await document.save().then(undefined, () => false);
			const text = await savedText(document);
			// While the person types all the time, the editor says no though each text of a moment ago is on the disk.
			if (saved || (text !== undefined && since.has(contentHash(text)))) {
				return { kind: 'applied', text: text ?? document.getText(), saved: true };
			}
			await pause(ms);
		}
		return { kind: 'applied', text: document.getText(), saved: false };
	} finally {
		listening.dispose();
	}
}

async function savedText(document: vscode.TextDocument): Promise<string | undefined> {
	const assumed = () => Promise.resolve(encodingNamed(document.encoding));
	const found = await loadFile(document.uri.fsPath, { maxBytes: limits.fileBytes, assumed });
	return found.kind === 'text' ? found.decoded.text : undefined;
}

/**
 * Saves a notebook. The editor says no while another save runs what comes before it, when an extension edits meanwhile, and when
 * it has yet to note that its file has a new time: asked again.
 */
export async function saveNotebook(notebook: vscode.NotebookDocument): Promise<boolean> {
	for (const ms of savePauses) {
		if ((await notebook.save()) || !notebook.isDirty) return true;
		await pause(ms);
	}
	return (await notebook.save()) || !notebook.isDirty;
}

/** An empty file for a document to fill, or why there is none. */
export async function createEmpty(file: string): Promise<string | undefined> {
	const all = new vscode.WorkspaceEdit();
	all.createFile(vscode.Uri.file(file), {});
	if (await vscode.workspace.applyEdit(all)) return undefined;
	for (let folder = path.dirname(file); path.dirname(folder) !== folder; folder = path.dirname(folder)) {
		try {
			await access(folder, constants.W_OK);
			break;
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
				return error instanceof Error ? error.message : String(error);
			}
		}
	}
	return 'the editor could not create it';
}

export function samePath(one: string, other: string): boolean {
	const [a, b] = [path.normalize(one), path.normalize(other)];
	return process.platform === 'win32' ? a.toLowerCase() === b.toLowerCase() : a === b;
}
