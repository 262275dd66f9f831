// The texts of a restore as read-only documents, for the difference between now and then.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PlannedFile } from '../../core/checkpoints/planRestore.ts';
import type { FileImage, FileImages } from '../../core/ports/checkpoints.ts';
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

	/** All of them in one editor, where a side without the file is none: VS Code says then that it is new, or deleted. */
	async showAll(files: readonly PlannedFile[]): Promise<void> {
		const side = (file: string, image: FileImage) => (image.kind === 'missing' ? undefined : uriOf(file, image));
		const resources = files.map(({ path: file, current, target }) => [
			vscode.Uri.file(file),
			side(file, current),
			side(file, target),
		]);
		await vscode.commands.executeCommand('vscode.changes', titleOfAll(), resources);
	}

	/** The person has chosen, or left, with which only the list's own go; the group below goes with its last tab. */
	async closeDifferences(chosen: boolean): Promise<void> {
		const tabs = [...differences(), ...(chosen ? allAtOnce() : [])];
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

function openTabs(): vscode.Tab[] {
	return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

function differences(): vscode.Tab[] {
	return openTabs().filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme);
}

/** Known by their name: VS Code tells of such an editor neither its kind nor files that have one side only. */
function allAtOnce(): vscode.Tab[] {
	const several = (input: unknown) => typeof input === 'object' && input !== null && 'textDiffs' in input;
	return openTabs().filter(({ input, label }) => several(input) && label.startsWith(titleOfAll()));
}

function titleOfAll(): string {
	return vscode.l10n.t('Now ↔ restored');
}

function uriOf(file: string, image: PlannedFile['current']): vscode.Uri {
	return vscode.Uri.file(file).with({ scheme, query: image.kind === 'file' ? image.hash : '' });
}
