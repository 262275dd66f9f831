// Files as the person has them: an editor's unsaved text is the file. Contract: nothing is shown or focused; what is restored has
// exactly the bytes that were kept, and open documents follow.
import * as vscode from 'vscode';
import type { FileImage, FileImages, PutOutcome } from '../../core/ports/checkpoints.ts';
import { hashOf } from '../../node/checkpoints/blobStore.ts';
import type { DiskImages } from '../../node/checkpoints/diskImages.ts';
import { encodingNamed } from '../../node/text/encodings.ts';
import { decodeText, encodeText } from '../../node/text/textBytes.ts';
import { realPathOf } from '../../node/workspace/diskFile.ts';
import * as documents from '../workspace/documents.ts';
import { withLineEnds } from '../workspace/textEdits.ts';

export class EditorImages implements FileImages {
	private readonly disk: DiskImages;

	constructor(disk: DiskImages) {
		this.disk = disk;
	}

	keep(file: string): Promise<FileImage> {
		return this.image(file, true).catch(unreadable);
	}

	look(file: string): Promise<FileImage> {
		return this.image(file, false).catch(unreadable);
	}

	bytes(image: FileImage): Promise<Uint8Array | undefined> {
		return this.disk.bytes(image);
	}

	async put(file: string, image: FileImage): Promise<PutOutcome> {
		try {
			const document = await documents.openDocument(file, realPathOf);
			if (!document) return await this.disk.put(file, image);
			if (image.kind === 'missing') {
				const outcome = await deleteOpen(document.uri);
				if (outcome.kind === 'done') await this.disk.removeFolders(file, image.folders ?? 0);
				return outcome;
			}
			const bytes = await this.disk.bytes(image);
			const text = bytes && decodeText(bytes, encodingNamed(document.encoding));
			// Through the editor its unsaved text goes with one undo step; the bytes are put right afterwards.
			if (documents.isUnsaved(document) && text?.kind === 'text') {
				const all = [{ start: 0, end: document.getText().length, text: text.text }];
				if (!(await documents.edit(document, all, text.text)))
					return refused(vscode.l10n.t('the editor refused the edit'));
				const saved = await documents.save(document);
				if (saved.kind !== 'applied' || !saved.saved) return refused(vscode.l10n.t('the editor could not save it'));
			}
			const outcome = await this.disk.put(file, image);
			if (outcome.kind === 'done' && text?.kind === 'text') {
				await documents.follow(document, withLineEnds(text.text, documents.lineEndOf(document)));
			}
			return outcome;
		} catch (error) {
			return refused(error instanceof Error ? error.message : String(error));
		}
	}

	private async image(file: string, kept: boolean): Promise<FileImage> {
		if (holdsUnsavedCells(file)) return { kind: 'unkept', reason: 'unsaved_notebook' };
		const document = await documents.openDocument(file, realPathOf);
		const onDisk = kept ? this.disk.keep(file) : this.disk.look(file);
		if (!document || !documents.isUnsaved(document)) return onDisk;
		const encoded = encodeText(document.getText(), encodingNamed(document.encoding) ?? 'utf8');
		const found = await onDisk;
		if (encoded.kind === 'failed' || found.kind === 'unkept') return found;
		const { bytes } = encoded;
		const image: FileImage = kept
			? await this.disk.keepBytes(bytes)
			: { kind: 'file', hash: hashOf(bytes), size: bytes.length };
		return image.kind === 'file' && found.kind === 'file' ? { ...found, ...image } : image;
	}
}

/** Whatever the editor refuses to tell must not hold up the agent. */
function unreadable(): FileImage {
	return { kind: 'unkept', reason: 'unreadable' };
}

function holdsUnsavedCells(file: string): boolean {
	return vscode.workspace.notebookDocuments.some(
		({ uri, isDirty }) => isDirty && uri.scheme === 'file' && documents.samePath(uri.fsPath, file),
	);
}

/** Through the editor, which drops unsaved text of it; the tabs that showed it go, too. */
async function deleteOpen(uri: vscode.Uri): Promise<PutOutcome> {
	const all = new vscode.WorkspaceEdit();
	all.deleteFile(uri, { ignoreIfNotExists: true });
	if (!(await vscode.workspace.applyEdit(all))) return refused(vscode.l10n.t('the editor could not delete it'));
	const tabs = vscode.window.tabGroups.all.flatMap((group) =>
		group.tabs.filter(
			({ input, isDirty }) =>
				!isDirty && input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
		),
	);
	await vscode.window.tabGroups.close(tabs, true);
	return { kind: 'done' };
}

function refused(detail: string): PutOutcome {
	return { kind: 'failed', code: 'refused', detail };
}
