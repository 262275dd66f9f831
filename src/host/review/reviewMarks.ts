// What shows in the live editor and around it: Keep and Undo above each hunk, marks in the overview ruler, a count in the status
// bar, and the context keys that the keys hang on. Contract: nothing is opened or focused.
import * as vscode from 'vscode';
import type { ReviewHunk } from '../../core/review/reviewedFile.ts';
import type { ReviewBook } from './reviewBook.ts';
import { toReview } from './reviewWords.ts';

export class ReviewMarks implements vscode.Disposable, vscode.CodeLensProvider {
	private readonly book: ReviewBook;
	private readonly changed = new vscode.EventEmitter<void>();
	readonly onDidChangeCodeLenses = this.changed.event;
	private readonly decoration = vscode.window.createTextEditorDecorationType({
		overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
		overviewRulerLane: vscode.OverviewRulerLane.Center,
		isWholeLine: true,
	});
	private readonly status: vscode.StatusBarItem;
	private readonly subscriptions: vscode.Disposable;
	private readonly keys = new Map<string, boolean>();

	constructor(book: ReviewBook) {
		this.book = book;
		this.status = vscode.window.createStatusBarItem('loopwright.review', vscode.StatusBarAlignment.Right, 100);
		this.status.name = vscode.l10n.t('Loopwright: changes to review');
		this.status.command = 'workbench.view.scm';
		this.subscriptions = vscode.Disposable.from(
			this.status,
			this.decoration,
			this.changed,
			vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
			vscode.window.onDidChangeVisibleTextEditors(() => this.decorate()),
			vscode.window.onDidChangeActiveTextEditor(() => this.setKeys()),
		);
	}

	refresh(): void {
		const { count } = this.book;
		this.setKeys();
		this.decorate();
		this.changed.fire();
		if (count === 0) return this.status.hide();
		const words = toReview(count);
		this.status.text = `$(diff) ${words}`;
		this.status.tooltip = vscode.l10n.t('{0}. Show the list.', words);
		this.status.accessibilityInformation = { label: vscode.l10n.t('{0}. Show the list.', words) };
		this.status.show();
	}

	provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
		const path = document.uri.fsPath;
		const { hunks = [] } = this.book.file(path) ?? {};
		return hunks.flatMap((hunk) => {
			const line = lineOf(hunk, document);
			const range = new vscode.Range(line, 0, line, 0);
			const lens = (title: string, tooltip: string, command: string) =>
				new vscode.CodeLens(range, { title, tooltip, command, arguments: [{ path, id: hunk.id }] });
			const asked = hunk.turn.prompt;
			const what = asked === '' ? '' : ` (${vscode.l10n.t('you asked: {0}', asked)})`;
			return [
				lens(
					`$(check) ${vscode.l10n.t('Keep')}`,
					vscode.l10n.t('Keep this change of the agent') + what,
					'loopwright.review.keepHunk',
				),
				lens(
					`$(discard) ${vscode.l10n.t('Undo')}`,
					vscode.l10n.t('Put back what was here before') + what,
					'loopwright.review.undoHunk',
				),
				lens(
					`$(history) ${vscode.l10n.t('Before')}`,
					vscode.l10n.t('Show here what was here before'),
					'loopwright.review.before',
				),
				lens(
					`$(comment) ${vscode.l10n.t('Comment')}`,
					vscode.l10n.t('Write to the agent about this change'),
					'loopwright.review.comment',
				),
			];
		});
	}

	dispose(): void {
		this.setKey('loopwright.reviewActive', false);
		this.setKey('loopwright.reviewInEditor', false);
		this.subscriptions.dispose();
	}

	private decorate(): void {
		for (const editor of vscode.window.visibleTextEditors) {
			const { document } = editor;
			const file = document.uri.scheme === 'file' ? this.book.file(document.uri.fsPath) : undefined;
			const ranges = (file?.hunks ?? []).map((hunk) => {
				const line = lineOf(hunk, document);
				return new vscode.Range(line, 0, Math.max(line, hunk.start + hunk.count - 1), 0);
			});
			editor.setDecorations(this.decoration, ranges);
		}
	}

	private setKeys(): void {
		const active = vscode.window.activeTextEditor?.document.uri;
		this.setKey('loopwright.reviewActive', this.book.count > 0);
		this.setKey('loopwright.reviewInEditor', active?.scheme === 'file' && this.book.file(active.fsPath) !== undefined);
	}

	private setKey(key: string, value: boolean): void {
		if ((this.keys.get(key) ?? false) === value) return;
		this.keys.set(key, value);
		void vscode.commands.executeCommand('setContext', key, value);
	}
}

/** A deletion at the end of the file is shown at its last line. */
export function lineOf({ start }: ReviewHunk, document: vscode.TextDocument): number {
	return Math.min(start, document.lineCount - 1);
}
