// A plan that waits for approval as a document: a real file that the person may edit and comment on in an editor. Contract: the
// live buffer is what counts, saved or not; it is opened only when the person asks, and never takes the focus.
import * as vscode from 'vscode';
import type { PermissionAnswer, PermissionRequest } from '../../shared/permission.ts';
import type { PermissionDesk } from '../session/permissionDesk.ts';
import { PlanComments } from './planComments.ts';
import { PlanFile } from './planFile.ts';
import { completedAnswer } from './planReview.ts';

export interface PlanDocumentsDeps {
	readonly desk: PermissionDesk;
	/** Absolute: the folder of the session's own files. */
	sessionFolder(): string;
	readonly failed: (what: string, error: unknown) => void;
}

/** The plan that waits, while it has a document. */
interface Attached {
	readonly requestId: string;
	readonly original: string;
	readonly file: PlanFile;
	text: string;
}

export class PlanDocuments implements vscode.Disposable {
	private readonly deps: PlanDocumentsDeps;
	readonly comments = new PlanComments();
	private readonly subscriptions: vscode.Disposable;
	private attached: Attached | undefined;
	/** Requests that were looked at when they came. */
	private seen: ReadonlySet<string> = new Set();
	/** One after the other. */
	private work: Promise<void> = Promise.resolve();

	constructor(deps: PlanDocumentsDeps) {
		this.deps = deps;
		this.subscriptions = vscode.Disposable.from(
			this.comments,
			new vscode.Disposable(deps.desk.onChange(() => this.deskChanged())),
			vscode.workspace.onDidChangeTextDocument(({ document }) => this.documentChanged(document)),
			vscode.workspace.onDidOpenTextDocument((document) => this.documentChanged(document)),
			vscode.workspace.onDidCloseTextDocument((document) => this.documentClosed(document)),
		);
	}

	/** Shows the plan of a request in an editor; without the focus. */
	open(requestId: string): Promise<void> {
		return this.next(async () => {
			const request = this.request(requestId);
			if (!request) return;
			const file = await this.attach(request);
			await vscode.window.showTextDocument(vscode.Uri.file(file.path), {
				preserveFocus: true,
				preview: false,
				viewColumn: freeColumn(),
			});
		});
	}

	/** The answer with what the document adds to it. */
	completed(requestId: string, answer: PermissionAnswer): PermissionAnswer {
		const { attached } = this;
		if (attached?.requestId !== requestId) return answer;
		return completedAnswer(answer, { ...attached, comments: this.comments.all() });
	}

	dispose(): void {
		this.subscriptions.dispose();
	}

	private request(id: string): PermissionRequest | undefined {
		return this.deps.desk.pending.find((request) => request.id === id && request.detail.kind === 'plan');
	}

	private deskChanged(): void {
		const { attached } = this;
		if (attached && !this.request(attached.requestId)) {
			this.attached = undefined;
			this.comments.clear();
		}
		const plans = this.deps.desk.pending.filter(({ detail }) => detail.kind === 'plan');
		const fresh = plans.filter(({ id }) => !this.seen.has(id));
		this.seen = new Set(plans.map(({ id }) => id));
		for (const request of fresh) void this.next(() => this.arrived(request));
	}

	/** A plan that had a document in an earlier window has it again; a document that is still open gets the new plan. */
	private async arrived(request: PermissionRequest): Promise<void> {
		const file = new PlanFile(this.deps.sessionFolder());
		const owner = await file.owner();
		if (owner?.requestId === request.id || documentOf(file)) await this.attach(request);
	}

	private async attach(request: PermissionRequest): Promise<PlanFile> {
		if (this.attached?.requestId === request.id) return this.attached.file;
		const file = new PlanFile(this.deps.sessionFolder());
		const owner = await file.owner();
		if (owner?.requestId !== request.id) {
			const original = request.detail.kind === 'plan' ? request.detail.plan : '';
			await write(file, original);
			await file.claim({ requestId: request.id, original });
			return this.attachTo(file, { requestId: request.id, original }, original);
		}
		const text = documentOf(file)?.getText() ?? (await file.read()) ?? owner.original;
		return this.attachTo(file, owner, text);
	}

	private attachTo(file: PlanFile, owner: { requestId: string; original: string }, text: string): PlanFile {
		this.attached = { ...owner, file, text };
		this.comments.begin(vscode.Uri.file(file.path));
		this.show();
		return file;
	}

	/** The card shows what the document says. */
	private show(): void {
		if (!this.attached) return;
		const { requestId, text, file } = this.attached;
		this.deps.desk.revise(requestId, { kind: 'plan', plan: text, document: file.path });
	}

	private documentChanged(document: vscode.TextDocument): void {
		const { attached } = this;
		if (!attached || !isOf(document, attached.file) || document.getText() === attached.text) return;
		attached.text = document.getText();
		this.show();
	}

	/** Closed without saving: the file counts again. */
	private documentClosed(document: vscode.TextDocument): void {
		const { attached } = this;
		if (!attached || !isOf(document, attached.file)) return;
		void this.next(async () => {
			const text = await attached.file.read();
			if (text === undefined || documentOf(attached.file)) return;
			attached.text = text;
			this.show();
		});
	}

	private next(task: () => Promise<void>): Promise<void> {
		this.work = this.work.then(task).catch((error: unknown) => this.deps.failed('the document of a plan', error));
		return this.work;
	}
}

function documentOf(file: PlanFile): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find((document) => !document.isClosed && isOf(document, file));
}

function isOf({ uri }: vscode.TextDocument, file: PlanFile): boolean {
	return uri.fsPath === vscode.Uri.file(file.path).fsPath;
}

/** Through the open buffer when there is one, so that nothing is reported as changed behind its back. */
async function write(file: PlanFile, text: string): Promise<void> {
	const document = documentOf(file);
	if (!document) return file.write(text);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
	await vscode.workspace.applyEdit(edit);
	await document.save();
}

/** Beside the panel when that stands in the way. */
function freeColumn(): vscode.ViewColumn {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	return tab?.input instanceof vscode.TabInputWebview ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
}
