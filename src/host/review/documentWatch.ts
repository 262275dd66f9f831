// Tells the book what happens to its files in editors and outside: typing, formatting, saving, undo, renames, removals, other
// programs. Contract: only files with something to review are watched or looked at.
import path from 'node:path';
import * as vscode from 'vscode';
import type { ChangedBy } from '../../core/review/reviewedFile.ts';
import { isInside } from '../../core/util/paths.ts';
import type { ReviewBook } from './reviewBook.ts';

/** Milliseconds after which a save that was announced counts as over. */
const longestSave = 5_000;
/** Milliseconds in which a file that vanished may come back: programs write by removing and renaming. */
const returnTime = 300;

export function watchDocuments(book: ReviewBook, failed: (what: string, error: unknown) => void): vscode.Disposable {
	/** When saving of a document began. */
	const saving = new Map<string, number>();
	const sync = (file: string) => {
		book.sync(file).catch((error: unknown) => failed('comparing a reviewed file', error));
	};
	const watchers = new FileWatchers(sync);
	const update = () =>
		watchers.watch(book.watched.flatMap(({ path: shown, realPath }) => [...new Set([shown, realPath])]));
	update();
	const unsubscribe = book.onChange(update);
	return vscode.Disposable.from(
		new vscode.Disposable(unsubscribe),
		watchers,
		vscode.workspace.onWillSaveTextDocument(({ document }) => saving.set(document.uri.toString(), Date.now())),
		vscode.workspace.onDidSaveTextDocument(({ uri }) => saving.delete(uri.toString())),
		vscode.workspace.onDidChangeTextDocument((event) => {
			const { document, contentChanges, reason } = event;
			if (document.uri.scheme !== 'file') return;
			const begun = saving.get(document.uri.toString()) ?? 0;
			book.documentChanged({
				path: document.uri.fsPath,
				changes: contentChanges.map(({ range: { start, end }, text }) => ({
					startLine: start.line,
					startCharacter: start.character,
					endLine: end.line,
					endCharacter: end.character,
					text,
				})),
				by: changedBy(event, Date.now() - begun < longestSave),
				undoing: reason !== undefined,
				lineCount: document.lineCount,
				text: () => document.getText(),
			});
		}),
		vscode.workspace.onDidOpenTextDocument(({ uri }) => {
			if (uri.scheme === 'file') sync(uri.fsPath);
		}),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => {
			saving.delete(uri.toString());
			if (uri.scheme === 'file') book.closed(uri.fsPath);
		}),
		vscode.workspace.onDidRenameFiles(({ files }) => {
			for (const { oldUri, newUri } of files) book.renamed(oldUri.fsPath, newUri.fsPath);
		}),
		vscode.workspace.onDidDeleteFiles(({ files }) => {
			for (const { fsPath } of files) book.forget(fsPath);
		}),
	);
}

/** Typing happens at a cursor; while a document is saved the editor changes it; the rest shows by what changed. */
function changedBy({ document, contentChanges }: vscode.TextDocumentChangeEvent, isSaving: boolean): ChangedBy {
	const cursors = vscode.window.visibleTextEditors
		.filter((editor) => editor.document === document)
		.flatMap(({ selections }) => selections);
	const typed =
		document.isDirty &&
		contentChanges.length > 0 &&
		contentChanges.every(({ range }) => cursors.some((cursor) => cursor.intersection(range) !== undefined));
	if (typed) return 'typing';
	return isSaving ? 'saving' : 'unknown';
}

/** The workspace is watched as a whole, as the editor does anyway; of files elsewhere the folders that they are in. */
class FileWatchers {
	private readonly changed: (file: string) => void;
	private readonly inWorkspace = vscode.workspace.createFileSystemWatcher('**');
	/** By folder. */
	private readonly elsewhere = new Map<string, vscode.FileSystemWatcher>();
	private readonly waiting = new Set<NodeJS.Timeout>();
	private files: readonly string[] = [];

	constructor(changed: (file: string) => void) {
		this.changed = changed;
		this.follow(this.inWorkspace);
	}

	watch(files: readonly string[]): void {
		this.files = files;
		const outside = files.filter((file) => !vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)));
		const wanted = new Set(outside.map((file) => path.dirname(file)));
		for (const [folder, watcher] of this.elsewhere) {
			if (wanted.has(folder)) continue;
			watcher.dispose();
			this.elsewhere.delete(folder);
		}
		for (const folder of wanted) {
			if (this.elsewhere.has(folder)) continue;
			// Matches the folder itself, too: when it goes with all that is in it, only that is told.
			const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), '*');
			const watcher = vscode.workspace.createFileSystemWatcher(pattern);
			this.elsewhere.set(folder, watcher);
			this.follow(watcher);
		}
	}

	dispose(): void {
		this.watch([]);
		this.inWorkspace.dispose();
		for (const timer of this.waiting) clearTimeout(timer);
	}

	private follow(watcher: vscode.FileSystemWatcher): void {
		watcher.onDidChange((uri) => this.tell(uri));
		watcher.onDidCreate((uri) => this.tell(uri));
		watcher.onDidDelete((uri) => {
			// Of a folder only its own removal is told.
			if (!this.files.some((file) => isInside(uri.fsPath, file))) return;
			const timer = setTimeout(() => {
				this.waiting.delete(timer);
				this.tell(uri);
			}, returnTime);
			this.waiting.add(timer);
		});
	}

	private tell({ fsPath }: vscode.Uri): void {
		for (const file of this.files) if (isInside(fsPath, file)) this.changed(file);
	}
}
