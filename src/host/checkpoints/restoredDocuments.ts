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

	/** In the lower half of the editors: the list that it is asked from, which keeps the focus, covers the upper one. */
	async showDifference({ path: file, current, target }: PlannedFile): Promise<void> {
		const title = vscode.l10n.t('{0} (now ↔ restored)', path.basename(file));
		const known = differences()[0]?.group.viewColumn;
		if (known === undefined) await vscode.commands.executeCommand('workbench.action.newGroupBelow');
		const options = { preserveFocus: true, preview: true, viewColumn: known ?? vscode.ViewColumn.Active };
		await vscode.commands.executeCommand('vscode.diff', uriOf(file, current), uriOf(file, target), title, options);
	}

	/** All of them in one editor. */
	async showAll(files: readonly PlannedFile[]): Promise<void> {
		const resources = files.map(({ path: file, current, target }) => [
			vscode.Uri.file(file),
			uriOf(file, current),
			uriOf(file, target),
		]);
		await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Now ↔ restored'), resources);
	}

	/** The person has chosen, or left; the group below goes with its last tab. */
	async closeDifferences(): Promise<void> {
		const tabs = differences();
		if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
	}

	async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
		const image = query === '' ? { kind: 'missing' as const } : { kind: 'file' as const, hash: query, size: 0 };
		return (await textOf(image, this.images)) ?? vscode.l10n.t('This file is no text.');
	}

	dispose(): void {
		this.registration.dispose();
	}
}

function differences(): vscode.Tab[] {
	const all = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
	return all.filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme);
}

function uriOf(file: string, image: PlannedFile['current']): vscode.Uri {
	return vscode.Uri.file(file).with({ scheme, query: image.kind === 'file' ? image.hash : '' });
}
