// The texts of a restore as read-only documents, for the difference between now and then.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PlannedFile } from '../../core/checkpoints/planRestore.ts';
import type { FileImages } from '../../core/ports/checkpoints.ts';
import { textOf } from './restoreItems.ts';

const scheme = 'loopwright-checkpoint';

export class RestoredDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	private readonly images: FileImages;
	private readonly registration: vscode.Disposable;

	constructor(images: FileImages) {
		this.images = images;
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
	}

	/** Beside the list that it is asked from, which keeps the focus. */
	async showDifference({ path: file, current, target }: PlannedFile): Promise<void> {
		const title = vscode.l10n.t('{0} (now ↔ restored)', path.basename(file));
		const options = { preserveFocus: true, preview: true };
		await vscode.commands.executeCommand('vscode.diff', uriOf(file, current), uriOf(file, target), title, options);
	}

	async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
		const image = query === '' ? { kind: 'missing' as const } : { kind: 'file' as const, hash: query, size: 0 };
		return (await textOf(image, this.images)) ?? vscode.l10n.t('This file is no text.');
	}

	dispose(): void {
		this.registration.dispose();
	}
}

function uriOf(file: string, image: PlannedFile['current']): vscode.Uri {
	return vscode.Uri.file(file).with({ scheme, query: image.kind === 'file' ? image.hash : '' });
}
