// Tells when one of some files comes, changes or goes, wherever they lie. Only to be quick: what counts is read anew before each
// judgement anyway.
import path from 'node:path';
import * as vscode from 'vscode';

export class FileWatch implements vscode.Disposable {
	private readonly files: () => readonly string[];
	private readonly changed: () => void;
	private watchers: readonly vscode.Disposable[] = [];

	constructor(files: () => readonly string[], changed: () => void) {
		this.files = files;
		this.changed = changed;
		this.renew();
	}

	/** The files are others now. */
	renew(): void {
		this.dispose();
		this.watchers = [...new Set(this.files())].map((file) => {
			const folder = vscode.Uri.file(path.dirname(file));
			const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path.basename(file)));
			watcher.onDidCreate(this.changed);
			watcher.onDidChange(this.changed);
			watcher.onDidDelete(this.changed);
			return watcher;
		});
	}

	dispose(): void {
		for (const watcher of this.watchers) watcher.dispose();
		this.watchers = [];
	}
}
