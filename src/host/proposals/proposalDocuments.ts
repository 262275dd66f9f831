// The proposed side of an edit as a document that the person may change: files in memory under a scheme of their own.
// Contract: nothing here is ever written to the real file; saving only updates the proposal.
import path from 'node:path';
import * as vscode from 'vscode';

export const proposalScheme = 'loopwright-proposal';

interface Kept {
	text: string;
	mtime: number;
}

export class ProposalDocuments implements vscode.FileSystemProvider, vscode.Disposable {
	private readonly kept = new Map<string, Kept>();
	private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.changed.event;
	private readonly written: (requestId: string, text: string) => void;
	private readonly subscriptions: vscode.Disposable;

	/** `written`: the person changed the text, saved or not. */
	constructor(written: (requestId: string, text: string) => void) {
		this.written = written;
		this.subscriptions = vscode.Disposable.from(
			this.changed,
			vscode.workspace.registerFileSystemProvider(proposalScheme, this, { isCaseSensitive: true }),
			vscode.workspace.onDidChangeTextDocument(({ document }) => this.took(document)),
			// Closed without saving: what was saved counts again.
			vscode.workspace.onDidCloseTextDocument(({ uri }) => {
				const kept = uri.scheme === proposalScheme ? this.kept.get(uri.path) : undefined;
				if (kept) this.written(requestOf(uri), kept.text);
			}),
		);
	}

	/** The document of a proposal, made when it is asked for first. */
	open(requestId: string, file: string, text: string): vscode.Uri {
		const uri = vscode.Uri.from({ scheme: proposalScheme, path: `/${requestId}/${path.basename(file)}` });
		if (!this.kept.has(uri.path)) {
			this.kept.set(uri.path, { text, mtime: 1 });
			this.changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
		}
		return uri;
	}

	/** Its tabs go. What was typed there and not saved goes, too, without a question: the proposal is answered. */
	async close(requestId: string): Promise<void> {
		const paths = [...this.kept.keys()].filter((name) => name.startsWith(`/${requestId}/`));
		const documents = vscode.workspace.textDocuments.filter(({ uri }) => isOf(uri, requestId));
		for (const document of documents) if (document.isDirty) await document.save();
		const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
		const ours = tabs.filter(({ input }) => {
			if (input instanceof vscode.TabInputText) return isOf(input.uri, requestId);
			return input instanceof vscode.TabInputTextDiff && isOf(input.modified, requestId);
		});
		if (ours.length > 0) await vscode.window.tabGroups.close(ours, true);
		for (const name of paths) this.kept.delete(name);
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { text, mtime } = this.find(uri);
		return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return Buffer.from(this.find(uri).text, 'utf8');
	}

	writeFile(uri: vscode.Uri, content: Uint8Array): void {
		const kept = this.find(uri);
		kept.text = Buffer.from(content).toString('utf8');
		kept.mtime++;
		this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
		this.written(requestOf(uri), kept.text);
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): never {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): never {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): never {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	dispose(): void {
		this.subscriptions.dispose();
	}

	private find(uri: vscode.Uri): Kept {
		const kept = this.kept.get(uri.path);
		if (!kept) throw vscode.FileSystemError.FileNotFound(uri);
		return kept;
	}

	private took(document: vscode.TextDocument): void {
		const { uri } = document;
		if (uri.scheme === proposalScheme && this.kept.has(uri.path)) this.written(requestOf(uri), document.getText());
	}
}

export function requestOf(uri: vscode.Uri): string {
	return uri.path.split('/')[1] ?? '';
}

function isOf(uri: vscode.Uri, requestId: string): boolean {
	return uri.scheme === proposalScheme && requestOf(uri) === requestId;
}
