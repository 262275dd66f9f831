// The list of changes in VS Code's own view of source control, and through its quick diff the marks in the gutter and the inline
// peek with what was before. Contract: nothing of it is there while nothing waits.
import path from 'node:path';
import * as vscode from 'vscode';
import type { ReviewBook } from './reviewBook.ts';
import { groupsOf, type GroupedFile, type ReviewGroup } from './reviewGroups.ts';
import { changesWord } from './reviewWords.ts';

export const baselineScheme = 'loopwright-review';
const sourceControlId = 'loopwright.review';

/** What a command gets of a file in the list. */
export interface ReviewResource extends vscode.SourceControlResourceState {
	readonly path: string;
	readonly hunkIds: readonly number[];
}
export interface ReviewResourceGroup extends vscode.SourceControlResourceGroup {
	resourceStates: ReviewResource[];
}

/** The text of a file as it would be without what the agent did. */
export function baselineUri(file: string): vscode.Uri {
	return vscode.Uri.file(file).with({ scheme: baselineScheme });
}

export class ReviewScm implements vscode.Disposable {
	private readonly book: ReviewBook;
	private readonly sessionId: () => string;
	private readonly changed = new vscode.EventEmitter<vscode.Uri>();
	private readonly provider: vscode.Disposable;
	private control: vscode.SourceControl | undefined;
	private groups = new Map<string, ReviewResourceGroup>();
	/** Files that had something to review when the quick diff was told last. */
	private known = '';

	constructor(book: ReviewBook, sessionId: () => string) {
		this.book = book;
		this.sessionId = sessionId;
		this.provider = vscode.workspace.registerTextDocumentContentProvider(baselineScheme, {
			onDidChange: this.changed.event,
			provideTextDocumentContent: ({ path: shown }) => {
				const { fsPath } = vscode.Uri.file(shown);
				const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === fsPath);
				return book.baseline(fsPath) ?? open?.getText() ?? '';
			},
		});
	}

	refresh(): void {
		const { files } = this.book;
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === baselineScheme) this.changed.fire(uri);
		}
		if (files.length === 0) return this.clear();
		const control = (this.control ??= this.createControl());
		const known = files.map(({ path: file }) => file).join('\n');
		if (known !== this.known) {
			// Editors ask for the text before only once, and again when the provider is another.
			this.known = known;
			Object.assign(control, { quickDiffProvider: undefined });
			control.quickDiffProvider = {
				provideOriginalResource: (uri) =>
					uri.scheme === 'file' && this.book.file(uri.fsPath) ? baselineUri(uri.fsPath) : undefined,
			};
		}
		control.count = files.length;
		this.showGroups(control, groupsOf(files, this.sessionId()));
	}

	dispose(): void {
		this.clear();
		this.provider.dispose();
		this.changed.dispose();
	}

	private clear(): void {
		this.control?.dispose();
		this.control = undefined;
		this.groups = new Map();
		this.known = '';
	}

	private createControl(): vscode.SourceControl {
		const control = vscode.scm.createSourceControl(sourceControlId, vscode.l10n.t('Loopwright Changes'));
		control.inputBox.visible = false;
		return control;
	}

	/** The view keeps the order in which groups are made: with another order all are made anew. */
	private showGroups(control: vscode.SourceControl, wanted: readonly ReviewGroup[]): void {
		const ids = wanted.map(({ id }) => id);
		const left = [...this.groups.keys()].filter((id) => ids.includes(id));
		const inOrder = left.every((id, at) => ids[at] === id);
		for (const [id, group] of this.groups) {
			if (inOrder && ids.includes(id)) continue;
			group.dispose();
			this.groups.delete(id);
		}
		for (const group of wanted) {
			const label = labelOf(group);
			const shown = this.groups.get(group.id) ?? (control.createResourceGroup(group.id, label) as ReviewResourceGroup);
			this.groups.set(group.id, shown);
			if (shown.label !== label) shown.label = label;
			shown.resourceStates = group.files.map(resourceOf);
		}
	}
}

function labelOf({ turn, earlier }: ReviewGroup): string {
	if (earlier) {
		return turn.prompt === ''
			? vscode.l10n.t('Earlier conversation')
			: vscode.l10n.t('Earlier conversation: {0}', turn.prompt);
	}
	return turn.prompt === '' ? vscode.l10n.t('This conversation') : turn.prompt;
}

function resourceOf({ path: file, hunks, created }: GroupedFile): ReviewResource {
	const resourceUri = vscode.Uri.file(file);
	const line = hunks[0]?.start ?? 0;
	const selection = new vscode.Range(line, 0, line, 0);
	const changes = created ? vscode.l10n.t('New file') : changesWord(hunks.length);
	return {
		path: file,
		hunkIds: hunks.map(({ id }) => id),
		resourceUri,
		contextValue: created ? 'created' : 'changed',
		command: {
			command: 'vscode.open',
			title: vscode.l10n.t('Open'),
			arguments: [resourceUri, { selection, preview: true }],
		},
		decorations: { tooltip: `${path.basename(file)}: ${changes}` },
	};
}
