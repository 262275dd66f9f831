// Files as the person sees them: unsaved text is the file's text, changes go through the editor's undo stack and are saved.
// Contract: nothing is shown or focused; a byte is written only where the text was the expected one right before; what the
// editor would write otherwise than byte for byte is written on disk, and its document follows.
import path from 'node:path';
import * as vscode from 'vscode';
import { limits } from '../../core/limits.ts';
import type {
	CellsChange,
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	MediaContent,
	OpenNotebook,
	Workspace,
} from '../../core/ports/workspace.ts';
import { applyEdits } from '../../core/tools/edits.ts';
import type { Encoding } from '../../node/text/encodings.ts';
import { encodingNamed } from '../../node/text/encodings.ts';
import { encodeText, survivesEncoding } from '../../node/text/textBytes.ts';
import {
	contentOf,
	createFile,
	loadFile,
	movedElsewhere,
	namesIn,
	obstacleTo,
	realPathOf,
	spliceFile,
	statFile,
	textFile,
	writeObstacle,
} from '../../node/workspace/diskFile.ts';
import type { OnDisk, TextOnDisk, Written } from '../../node/workspace/diskFile.ts';
import { ImageFitter } from '../../node/images/imageFitter.ts';
import { FileTurns } from '../../node/workspace/fileTurns.ts';
import { loadMedia } from '../../node/workspace/mediaFile.ts';
import * as documents from './documents.ts';
import { changeCells, openNotebook } from './notebooks.ts';
import { hasLineEnds, keepsLineEnds, onlyLineEnd, withLineEnds } from './textEdits.ts';

export class VscodeWorkspace implements Workspace {
	private readonly fallbackRoot: string;
	private readonly additional: () => readonly string[];
	private readonly turns: FileTurns;
	private readonly root: () => string | undefined;
	private readonly images = new ImageFitter();

	/**
	 * `fallbackRoot`: the root when no folder is open; an empty folder. `additional`: folders beside those of the workspace. `session`:
	 * its own root, and the order of changes that it shares with others.
	 */
	constructor(
		fallbackRoot: string,
		additional: () => readonly string[] = () => [],
		session?: { readonly root: () => string; readonly turns: FileTurns },
	) {
		this.fallbackRoot = fallbackRoot;
		this.additional = additional;
		this.root = session?.root ?? (() => undefined);
		this.turns = session?.turns ?? new FileTurns();
	}

	/** The same files for a session with this root. Contract: changes of a file wait for each other over sessions. */
	rootedAt(root: () => string): VscodeWorkspace {
		return new VscodeWorkspace(this.fallbackRoot, this.additional, { root, turns: this.turns });
	}

	get roots(): readonly string[] {
		const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
		const roots = folders.length > 0 ? folders.map(({ uri }) => path.normalize(uri.fsPath)) : [this.fallbackRoot];
		const root = this.root();
		const others = this.additional();
		// A worktree of git stands for one of the folders, which a session in it leaves alone.
		if (root !== undefined && root !== '' && ![...roots, ...others].includes(root)) return [root, ...others];
		const first = root !== undefined && roots.includes(root) ? [root] : [];
		return [...new Set([...first, ...roots, ...others])];
	}

	async read(file: string): Promise<FileContent> {
		const document = await documents.openDocument(file, realPathOf);
		if (document && documents.isUnsaved(document))
			return textFile(document.getText(), encodingNamed(document.encoding) ?? 'utf8', true);
		if (document === undefined && documents.hasHiddenUnsavedText(file)) {
			return { kind: 'failed', message: 'an editor holds unsaved text of it, which is too large to be seen from here' };
		}
		return contentOf(await load(file, document));
	}

	readMedia(file: string): Promise<MediaContent> {
		return loadMedia(file, this.images);
	}

	stat(file: string): Promise<FileStat | undefined> {
		return statFile(file);
	}

	/** One change of a file at a time, whichever session asks. */
	async change(change: FileChange | CellsChange): Promise<ChangeOutcome> {
		const real = await realPathOf(change.path);
		if (change.realPath !== undefined && change.realPath !== real) return { kind: 'failed', message: movedElsewhere };
		return this.turns.change(real, async () => {
			try {
				if ('expectedCells' in change) return await changeCells(change, await writeObstacle(real));
				return await this.apply(change, real);
			} catch (error) {
				return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
			}
		});
	}

	changeCount(): number {
		return this.turns.count;
	}

	inTurn<T>(realPath: string, work: () => Promise<T>): Promise<T> {
		return this.turns.inTurn(realPath, work);
	}

	async obstacle(change: FileChange | CellsChange): Promise<string | undefined> {
		const edits = 'edits' in change ? change.edits : [];
		return obstacleTo(await realPathOf(change.path), edits, async () => {
			const document = await documents.openDocument(change.path, realPathOf);
			const assumed = document ? encodingNamed(document.encoding) : await documents.assumedEncoding(change.path);
			return { found: await load(change.path, document), assumed };
		});
	}

	openNotebook(file: string): Promise<OpenNotebook | undefined> {
		return Promise.resolve(openNotebook(file));
	}

	realPath(file: string): Promise<string> {
		return realPathOf(path.normalize(file));
	}

	list(folder: string): Promise<readonly string[]> {
		return namesIn(folder);
	}

	private async apply(change: FileChange, real: string): Promise<ChangeOutcome> {
		const document = await documents.openDocument(change.path, realPathOf);
		if (document && documents.isUnsaved(document)) return this.applyUnsaved(document, change, real);
		const current = await this.read(change.path);
		if (change.expected === undefined) {
			if (current.kind === 'missing') return this.create(change, real);
			if (current.kind !== 'text' || current.text !== '') return { kind: 'changed', current };
		} else if (current.kind !== 'text' || current.text !== change.expected) return { kind: 'changed', current };
		const obstacle = await writeObstacle(real);
		if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
		const found = await load(change.path, document);
		if (found.kind !== 'text' || found.decoded.text !== current.text) return this.changed(change);
		const newText = applyEdits(current.text, change.edits);
		if (document === undefined && tooLargeForEditor(found, newText)) {
			return this.splice(change, { real, found, assumed: await documents.assumedEncoding(change.path) });
		}
		return this.applySaved(document ?? (await vscode.workspace.openTextDocument(change.path)), change, {
			real,
			found,
			newText,
		});
	}

	/** The file's text is the editor's: typing is kept, and saved with the edit. */
	private async applyUnsaved(document: vscode.TextDocument, change: FileChange, real: string): Promise<ChangeOutcome> {
		const text = document.getText();
		if (text !== (change.expected ?? '')) return this.changed(change);
		const obstacle = (await statFile(real)) === undefined ? undefined : await writeObstacle(real);
		if (obstacle !== undefined) return { kind: 'failed', message: obstacle };
		const found = await load(change.path, document);
		if (found.kind === 'text' && !survivesEncoding(found.bytes, found.decoded)) {
			const message = 'saving its unsaved text would change other bytes of it too. Ask the person to save or revert it';
			return { kind: 'failed', message };
		}
		// Typed while the file was looked at: the edits' places are those of the text before.
		if (document.getText() !== text) return this.changed(change);
		return this.throughEditor(document, change, applyEdits(text, change.edits));
	}

	/** Through a clean document where that writes the same bytes, else on disk. */
	private async applySaved(
		document: vscode.TextDocument,
		change: FileChange,
		{ real, found, newText }: { readonly real: string; readonly found: TextOnDisk; readonly newText: string },
	): Promise<ChangeOutcome> {
		const old = found.decoded.text;
		const end = documents.lineEndOf(document);
		const encoding = encodingNamed(document.encoding);
		const lineEnds = hasLineEnds(old)
			? keepsLineEnds(old, end) && keepsLineEnds(newText, end)
			: !hasLineEnds(newText) || onlyLineEnd(newText) !== undefined;
		const bytes =
			encoding !== undefined &&
			(encoding === found.decoded.encoding || isPlain(found)) &&
			survivesEncoding(found.bytes, { ...found.decoded, encoding });
		// One that does not hold this text has yet to follow its file, and would not be saved.
		await documents.follow(document, withLineEnds(old, end));
		if (documents.isUnsaved(document)) return this.changed(change);
		if (lineEnds && bytes && document.getText() === withLineEnds(old, end)) {
			return this.throughEditor(document, change, newText);
		}
		const outcome = await this.splice(change, { real, found, assumed: encoding });
		if (outcome.kind === 'applied')
			await documents.follow(document, withLineEnds(newText, documents.lineEndOf(document)));
		return outcome;
	}

	private async throughEditor(
		document: vscode.TextDocument,
		change: FileChange,
		newText: string,
	): Promise<ChangeOutcome> {
		const encodable = encodeText(newText, encodingNamed(document.encoding) ?? 'utf8');
		if (encodable.kind === 'failed') return encodable;
		const before = document.getText();
		if (await documents.edit(document, change.edits, newText)) return documents.save(document);
		return document.getText() === before
			? { kind: 'failed', message: 'the editor refused the edit; it may hold the file as read-only' }
			: this.changed(change);
	}

	private async create(change: FileChange, real: string): Promise<ChangeOutcome> {
		const text = applyEdits('', change.edits);
		const assumed = encodingNamed(
			vscode.workspace.getConfiguration('files', vscode.Uri.file(change.path)).get('encoding', 'utf8'),
		);
		// Line ends of several kinds survive only as bytes; everything else goes through a document, so that saving may format it.
		if ((hasLineEnds(text) && onlyLineEnd(text) === undefined) || text.length > limits.documentBytes) {
			return this.outcome(change, await createFile(real, text, assumed), text);
		}
		const encodable = encodeText(text, assumed ?? 'utf8');
		if (encodable.kind === 'failed') return encodable;
		const problem = await documents.createEmpty(real);
		if (problem !== undefined) return { kind: 'failed', message: problem };
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(real));
		if (text === '') return documents.save(document);
		const outcome = await this.throughEditor(document, change, text);
		// Another encoding for this language: the file must not stay behind, empty.
		if (outcome.kind === 'failed') await vscode.workspace.fs.delete(document.uri).then(undefined, () => undefined);
		return outcome;
	}

	private async splice(
		change: FileChange,
		{
			real,
			found,
			assumed,
		}: { readonly real: string; readonly found: TextOnDisk; readonly assumed: Encoding | undefined },
	): Promise<ChangeOutcome> {
		const written = await spliceFile(real, found, change.edits, assumed);
		return this.outcome(change, written, applyEdits(found.decoded.text, change.edits));
	}

	private async outcome(change: FileChange, written: Written, text: string): Promise<ChangeOutcome> {
		if (written.kind === 'written') return { kind: 'applied', text, saved: true };
		return written.kind === 'failed' ? written : this.changed(change);
	}

	private async changed(change: FileChange): Promise<ChangeOutcome> {
		return { kind: 'changed', current: await this.read(change.path) };
	}
}

function load(file: string, document: vscode.TextDocument | undefined): Promise<OnDisk> {
	const assumed = () =>
		document === undefined ? documents.assumedEncoding(file) : Promise.resolve(encodingNamed(document.encoding));
	return loadFile(file, { maxBytes: limits.fileBytes, assumed });
}

function tooLargeForEditor(found: TextOnDisk, newText: string): boolean {
	return Math.max(found.bytes.length, newText.length) > limits.documentBytes;
}

/** Plain letters have the same bytes in every encoding but UTF-16. */
function isPlain({ bytes, decoded }: TextOnDisk): boolean {
	return decoded.encoding === 'utf8' && decoded.text.length === bytes.length;
}
