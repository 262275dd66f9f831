// The proposed side of an edit as a document that the person may change: files in memory under a scheme of their own.
// Contract: nothing here is ever written to the real file; saving only updates the proposal.
import path from 'node:path';
import * as vscode from 'vscode';

export const proposalScheme = 'loopwright-proposal';

/** Tries to close what is still typed into. */
const closeAttempts = 5;

interface Kept {
	text: string;
	mtime: number;
	/** It cannot be changed, such as the other side of the diff. */
	readonly fixed: boolean;
}

/** The text as it was, the one that is proposed, and a proposed one that cannot be changed. */
type Side = 'before' | 'proposed' | 'fixed';

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
				if (kept && !kept.fixed) this.written(requestOf(uri), kept.text);
			}),
		);
	}

	/** What an earlier window left open goes, unsaved or not: the question brings back what was written there. */
	async closeOld(): Promise<void> {
		const left = proposalTabs((uri) => !this.kept.has(keyOf(uri)));
		for (const uri of left.flatMap(({ uris }) => uris)) {
			// A place to save to, so that nobody is asked whether to.
			this.kept.set(keyOf(uri), { text: '', mtime: 1, fixed: false });
			await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
		}
		const gone = new Set(left.flatMap(({ uris }) => uris.map((uri) => keyOf(uri))));
		await this.closeAll((uri) => gone.has(keyOf(uri)));
	}

	/** The document of a proposal, made when it is asked for first. */
	open(requestId: string, file: string, text: string, side: Side = 'proposed'): vscode.Uri {
		const name = `${side === 'proposed' ? '' : `/${side}`}/${path.basename(file)}`;
		const uri = vscode.Uri.from({ scheme: proposalScheme, authority: requestId, path: name });
		if (!this.kept.has(keyOf(uri))) {
			this.kept.set(keyOf(uri), { text, mtime: 1, fixed: side !== 'proposed' });
			this.changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
		}
		return uri;
	}

	/** Its tabs go. What was typed there and not saved goes, too, without a question: the proposal is answered. */
	async close(requestId: string): Promise<void> {
		await this.closeAll((uri) => requestOf(uri) === requestId);
	}

	/** Saved until nothing is unsaved, as typing may go on; a tab with unsaved text is never closed, as that asks. */
	private async closeAll(matches: (uri: vscode.Uri) => boolean): Promise<void> {
		for (let attempt = 0; attempt < closeAttempts; attempt++) {
			for (const document of vscode.workspace.textDocuments) {
				if (document.uri.scheme !== proposalScheme || !matches(document.uri)) continue;
				await document.save().then(undefined, () => false);
			}
			const tabs = proposalTabs(matches);
			const saved = tabs.filter(({ tab }) => !tab.isDirty).map(({ tab }) => tab);
			if (saved.length > 0) await vscode.window.tabGroups.close(saved, true);
			if (saved.length === tabs.length) break;
		}
		for (const key of this.kept.keys()) {
			const [authority = '', ...rest] = key.split('/');
			const uri = vscode.Uri.from({ scheme: proposalScheme, authority, path: `/${rest.join('/')}` });
			if (matches(uri)) this.kept.delete(key);
		}
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { text, mtime, fixed } = this.find(uri);
		const stat = { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text) };
		return fixed ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return Buffer.from(this.find(uri).text, 'utf8');
	}

	writeFile(uri: vscode.Uri, content: Uint8Array): void {
		const kept = this.find(uri);
		if (kept.fixed) throw vscode.FileSystemError.NoPermissions(uri);
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
		if (kept && !kept.fixed) this.written(requestOf(uri), document.getText());
	}
}

export function requestOf(uri: vscode.Uri): string {
	return uri.authority;
}

function keyOf({ authority, path: name }: vscode.Uri): string {
	return authority + name;
}

/** The tabs of proposals, with the documents that they show. */
function proposalTabs(matches: (uri: vscode.Uri) => boolean) {
	const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
	return tabs.flatMap((tab) => {
		const { input } = tab;
		const shown =
			input instanceof vscode.TabInputText
				? [input.uri]
				: input instanceof vscode.TabInputTextDiff
					? [input.original, input.modified]
					: [];
		const uris = shown.filter((uri) => uri.scheme === proposalScheme && matches(uri));
		return uris.length > 0 ? [{ tab, uris }] : [];
	});
}
