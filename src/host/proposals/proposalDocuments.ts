// The proposed side of an edit as a document that the person may change: files in memory under a scheme of their own.
// Contract: nothing here is ever written to the real file; saving only updates the proposal.
import path from 'node:path';
import * as vscode from 'vscode';

export const proposalScheme = 'loopwright-proposal';

interface Kept {
	text: string;
	mtime: number;
	/** The text as it was: the other side of the diff. */
	readonly before: boolean;
}

type Side = 'before' | 'proposed';

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
				const kept = uri.scheme === proposalScheme ? this.kept.get(keyOf(uri)) : undefined;
				if (kept && !kept.before) this.written(requestOf(uri), kept.text);
			}),
		);
	}

	/** What an earlier window left open has no text any more; it is opened again with its question. */
	async closeOld(): Promise<void> {
		await closeTabs((uri, dirty) => uri.scheme === proposalScheme && !dirty && !this.kept.has(keyOf(uri)));
	}

	/** The document of a proposal, made when it is asked for first. */
	open(requestId: string, file: string, text: string, side: Side = 'proposed'): vscode.Uri {
		const before = side === 'before';
		const name = `${before ? '/before' : ''}/${path.basename(file)}`;
		const uri = vscode.Uri.from({ scheme: proposalScheme, authority: requestId, path: name });
		if (!this.kept.has(keyOf(uri))) {
			this.kept.set(keyOf(uri), { text, mtime: 1, before });
			this.changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
		}
		return uri;
	}

	/** Its tabs go. What was typed there and not saved goes, too, without a question: the proposal is answered. */
	async close(requestId: string): Promise<void> {
		const documents = vscode.workspace.textDocuments.filter(({ uri }) => isOf(uri, requestId));
		for (const document of documents) if (document.isDirty) await document.save();
		await closeTabs((uri) => isOf(uri, requestId));
		for (const key of this.kept.keys()) if (key.startsWith(`${requestId}/`)) this.kept.delete(key);
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { text, mtime, before } = this.find(uri);
		const stat = { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
		return before ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return Buffer.from(this.find(uri).text, 'utf8');
	}

	writeFile(uri: vscode.Uri, content: Uint8Array): void {
		const kept = this.find(uri);
		if (kept.before) throw vscode.FileSystemError.NoPermissions(uri);
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
		const kept = this.kept.get(keyOf(uri));
		if (!kept) throw vscode.FileSystemError.FileNotFound(uri);
		return kept;
	}

	private took(document: vscode.TextDocument): void {
		const { uri } = document;
		const kept = uri.scheme === proposalScheme ? this.kept.get(keyOf(uri)) : undefined;
		if (kept && !kept.before) this.written(requestOf(uri), document.getText());
	}
}

export function requestOf(uri: vscode.Uri): string {
	return uri.authority;
}

function keyOf({ authority, path: name }: vscode.Uri): string {
	return authority + name;
}

function isOf(uri: vscode.Uri, requestId: string): boolean {
	return uri.scheme === proposalScheme && requestOf(uri) === requestId;
}

async function closeTabs(matches: (uri: vscode.Uri, dirty: boolean) => boolean): Promise<void> {
	const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
	const ours = tabs.filter(({ input, isDirty }) => {
		if (input instanceof vscode.TabInputText) return matches(input.uri, isDirty);
		return input instanceof vscode.TabInputTextDiff && matches(input.modified, isDirty);
	});
	if (ours.length > 0) await vscode.window.tabGroups.close(ours, true);
}
