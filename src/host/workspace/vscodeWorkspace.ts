// Files as the person sees them: unsaved text is the file's text, changes go through the editor's undo stack and are saved.
// Contract: nothing is shown or focused, and a byte is written only where the text was the expected one right before.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../core/limits.ts';
import type { ChangeOutcome, FileChange, FileContent, FileStat, Workspace } from '../../core/ports/workspace.ts';
import { looksBinary, lostInDecoding, startsWithUtf8Mark } from './fileBytes.ts';
import { applyEdits, hasMixedLineEnds, mainLineEnd, withLineEnds } from './textEdits.ts';

/** Milliseconds that a clean document may need to follow its file. */
const reloadTime = 2000;
const reloadStep = 100;

type OnDisk =
	| { readonly kind: 'text'; readonly text: string; readonly encoding: string; readonly mark: boolean }
	| Exclude<FileContent, { kind: 'text' }>;

export class VscodeWorkspace implements Workspace {
	private readonly fallbackRoot: string;

	/** `fallbackRoot`: the root when no folder is open; an empty folder. */
	constructor(fallbackRoot: string) {
		this.fallbackRoot = fallbackRoot;
	}

	get roots(): readonly string[] {
		const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
		return folders.length > 0 ? folders.map((folder) => path.normalize(folder.uri.fsPath)) : [this.fallbackRoot];
	}

	async read(file: string): Promise<FileContent> {
		const document = await this.openDocument(file);
		if (document?.isDirty) return { kind: 'text', text: document.getText(), unsaved: true };
		const found = await fromDisk(file, document?.encoding);
		return found.kind === 'text' ? { kind: 'text', text: found.text, unsaved: false } : found;
	}

	async stat(file: string): Promise<FileStat | undefined> {
		try {
			const { size, mtimeMs, ...found } = await stat(file).then(
				(it) =>
					({
						size: it.size,
						mtimeMs: it.mtimeMs,
						kind: it.isFile() ? 'file' : it.isDirectory() ? 'folder' : 'other',
					}) as const,
			);
			return { kind: found.kind, size, mtime: mtimeMs };
		} catch {
			return undefined;
		}
	}

	async change(change: FileChange): Promise<ChangeOutcome> {
		try {
			return await this.apply(change);
		} catch (error) {
			return { kind: 'failed', message: messageOf(error) };
		}
	}

	async realPath(file: string): Promise<string> {
		const rest: string[] = [];
		for (let at = path.normalize(file); ; at = path.dirname(at)) {
			try {
				return path.join(await realpath(at), ...rest);
			} catch {
				if (path.dirname(at) === at) return path.normalize(file);
				rest.unshift(path.basename(at));
			}
		}
	}

	async list(folder: string): Promise<readonly string[]> {
		try {
			return await readdir(folder);
		} catch {
			return [];
		}
	}

	private async apply(change: FileChange): Promise<ChangeOutcome> {
		const current = await this.read(change.path);
		if (change.expected === undefined) {
			if (current.kind === 'missing') return await create(change.path, applyEdits('', change.edits));
			if (current.kind !== 'text' || current.text !== '') return { kind: 'changed', current };
		} else if (current.kind !== 'text' || current.text !== change.expected) return { kind: 'changed', current };
		const expected = change.expected ?? '';
		const document = (await this.openDocument(change.path)) ?? (await vscode.workspace.openTextDocument(change.path));
		const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
		const mixed = !current.unsaved && hasMixedLineEnds(expected);
		if (mixed || !(await follows(document, withLineEnds(expected, end)))) {
			// The editor would make all line ends alike (or does not hold this text): a clean file is written byte for byte.
			return document.isDirty ? { kind: 'changed', current: await this.read(change.path) } : await overwrite(change);
		}
		if (await edit(document, change.edits, expected === '')) return await save(document);
		const now = await this.read(change.path);
		if (now.kind === 'text' && now.text === expected) {
			return { kind: 'failed', message: 'The editor refused the edit. The file may be read-only.' };
		}
		return { kind: 'changed', current: now };
	}

	/** The document of this file, also when it was opened by another name (a link); one with unsaved text first. */
	private async openDocument(file: string): Promise<vscode.TextDocument | undefined> {
		const documents = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
		const exact = documents.find(({ uri }) => samePath(uri.fsPath, file));
		if (exact?.isDirty) return exact;
		const dirty = documents.filter((document) => document.isDirty);
		if (dirty.length > 0) {
			const real = await this.realPath(file);
			for (const document of dirty) {
				if (samePath(await this.realPath(document.uri.fsPath), real)) return document;
			}
		}
		return exact;
	}
}

/** Reads and decodes as the editor would (`files.encoding`, guessing, byte order mark). */
async function fromDisk(file: string, encoding: string | undefined): Promise<OnDisk> {
	try {
		const found = await stat(file);
		if (found.isDirectory()) return { kind: 'folder' };
		if (!found.isFile()) return { kind: 'failed', message: 'This is neither a file nor a folder.' };
		if (found.size > limits.fileBytes) return { kind: 'too_large', size: found.size, limit: limits.fileBytes };
		const bytes = await readFile(file);
		if (looksBinary(bytes)) return { kind: 'undecodable', size: bytes.length, reason: 'binary' };
		const uri = vscode.Uri.file(file);
		const decoded =
			encoding === undefined
				? await vscode.workspace.decode(bytes, { uri })
				: await vscode.workspace.decode(bytes, { encoding });
		const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
		if (lostInDecoding(text, bytes)) return { kind: 'undecodable', size: bytes.length, reason: 'encoding' };
		return { kind: 'text', text, encoding: encoding ?? '', mark: startsWithUtf8Mark(bytes) };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
		return { kind: 'failed', message: messageOf(error) };
	}
}

/** True as soon as the document holds this text. A clean one may still be about to follow its file. */
async function follows(document: vscode.TextDocument, text: string): Promise<boolean> {
	if (document.getText() === text) return true;
	if (document.isDirty) return false;
	const until = Date.now() + reloadTime;
	while (Date.now() < until) {
		await new Promise((resolve) => setTimeout(resolve, reloadStep));
		if (document.isDirty) return false;
		// One step more: the editor notes the file's new time a little after its text, and would refuse to save before.
		if (document.getText() !== text) continue;
		await new Promise((resolve) => setTimeout(resolve, 2 * reloadStep));
		return document.getText() === text;
	}
	return false;
}

/** One undo step. False when the editor refused, such as for a document that changed in this moment. */
async function edit(document: vscode.TextDocument, edits: FileChange['edits'], empty: boolean): Promise<boolean> {
	const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
	const changes = edits.map(({ start, end: stop, text }) => {
		const range = new vscode.Range(document.positionAt(start), document.positionAt(stop));
		return vscode.TextEdit.replace(range, empty ? text : withLineEnds(text, end));
	});
	const whole = edits.map(({ text }) => text).join('');
	if (empty && whole.includes('\n')) changes.unshift(vscode.TextEdit.setEndOfLine(endOfLine(whole)));
	const all = new vscode.WorkspaceEdit();
	all.set(document.uri, changes);
	return await vscode.workspace.applyEdit(all);
}

async function create(file: string, text: string): Promise<ChangeOutcome> {
	const uri = vscode.Uri.file(file);
	const all = new vscode.WorkspaceEdit();
	// Line ends of both kinds survive only as bytes; everything else goes through a document, so that saving may format it.
	const mixed = hasMixedLineEnds(text);
	all.createFile(uri, mixed ? { contents: await vscode.workspace.encode(text, { uri }) } : {});
	if (!(await vscode.workspace.applyEdit(all))) {
		return { kind: 'failed', message: 'The file could not be created. Its folder may be read-only.' };
	}
	if (mixed) return { kind: 'applied', text, saved: true };
	const document = await vscode.workspace.openTextDocument(uri);
	if (text !== '' && !(await edit(document, [{ start: 0, end: 0, text }], true))) {
		return { kind: 'failed', message: 'The file was created, but the editor refused to fill it.' };
	}
	return await save(document);
}

async function save(document: vscode.TextDocument): Promise<ChangeOutcome> {
	const saved = (await document.save()) || !document.isDirty;
	return { kind: 'applied', text: document.getText(), saved };
}

/** Writes a file whose document is clean; the document follows it. */
async function overwrite({ path: file, expected = '', edits }: FileChange): Promise<ChangeOutcome> {
	const uri = vscode.Uri.file(file);
	const encoding = vscode.workspace.textDocuments.find((document) => samePath(document.uri.fsPath, file))?.encoding;
	const current = await fromDisk(file, encoding);
	if (current.kind !== 'text') return { kind: 'changed', current };
	if (current.text !== expected) {
		return { kind: 'changed', current: { kind: 'text', text: current.text, unsaved: false } };
	}
	const text = applyEdits(expected, edits);
	const bytes =
		encoding === undefined
			? await vscode.workspace.encode(text, { uri })
			: await vscode.workspace.encode(text, { encoding });
	const mark = current.mark && !startsWithUtf8Mark(bytes) ? [Buffer.from('\uFEFF')] : [];
	await vscode.workspace.fs.writeFile(uri, Buffer.concat([...mark, bytes]));
	return { kind: 'applied', text, saved: true };
}

function endOfLine(text: string): vscode.EndOfLine {
	return mainLineEnd(text) === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
}

function samePath(one: string, other: string): boolean {
	const [a, b] = [path.normalize(one), path.normalize(other)];
	return process.platform === 'win32' ? a.toLowerCase() === b.toLowerCase() : a === b;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
