// Proposed edits that wait for the person, wherever they look at them: threads in the live editor, the card, the diff. One
// request, one state. Contract: the file is not touched here; only a decision answers, never something that was closed.
import path from 'node:path';
import * as vscode from 'vscode';
import type { HunkOutcome, PermissionAnswer, PermissionRequest } from '../../shared/permission.ts';
import type { PanelFocus } from '../../shared/protocol.ts';
import type { Requests } from '../session/allRequests.ts';
import {
	completedAnswer,
	decided,
	isDecided,
	openProposal,
	outcomesOf,
	recalled,
	rewritten,
	saidOf,
} from './openProposal.ts';
import type { OpenProposal } from './openProposal.ts';
import { ProposalCells } from './proposalCells.ts';
import { ProposalDocuments, proposalScheme, requestOf } from './proposalDocuments.ts';
import type { ProposalMemory } from './proposalMemory.ts';
import { notebookOf, placeOf } from './proposalPlace.ts';
import type { ProposalPlace } from './proposalPlace.ts';
import { ProposalThreads } from './proposalThreads.ts';
import type { HunkPlace } from './proposalThreads.ts';

export interface ProposalsDeps {
	/** Of all conversations. */
	readonly desk: Requests;
	readonly memory: ProposalMemory;
	/** The file of a proposal takes the focus. */
	focusEditor(): boolean;
	panelFocus(): PanelFocus;
	readonly failed: (what: string, error: unknown) => void;
}

/** A hunk that is not decided, and where it is to be seen. */
export interface Undecided extends HunkPlace {
	readonly uri: vscode.Uri;
	/** In that document. */
	readonly range: vscode.Range;
}

export class Proposals implements vscode.Disposable {
	private readonly deps: ProposalsDeps;
	private readonly threads = new ProposalThreads();
	private readonly cells = new ProposalCells((cell) => this.at(cell).flatMap((id) => this.open.get(id) ?? []));
	private readonly documents = new ProposalDocuments((requestId, text) => this.rewrite(requestId, text));
	private readonly subscriptions: vscode.Disposable;
	private readonly open = new Map<string, OpenProposal>();
	private readonly keys = new Map<string, boolean>();
	/** The request whose file was shown when its turn came. */
	private shown: string | undefined;
	/** One after the other. */
	private work: Promise<void> = Promise.resolve();

	constructor(deps: ProposalsDeps) {
		this.deps = deps;
		this.subscriptions = vscode.Disposable.from(
			this.threads,
			this.cells,
			this.documents,
			new vscode.Disposable(deps.desk.onChange(() => this.deskChanged())),
			vscode.window.onDidChangeActiveTextEditor(() => this.setKeys()),
			vscode.workspace.onDidOpenNotebookDocument(() => this.showCells()),
			vscode.workspace.onDidCloseNotebookDocument(() => this.showCells()),
		);
		void this.next(() => this.documents.closeOld());
		void this.next(() => deps.memory.tidy(Date.now()));
	}

	/** The answer with what was said of single hunks and written into the proposed text. */
	completed(requestId: string, answer: PermissionAnswer): PermissionAnswer {
		const proposal = this.open.get(requestId);
		return proposal ? completedAnswer(answer, proposal) : answer;
	}

	/** Notes the word on some hunks; with `finish` the request is answered once nothing of it is open. */
	decide(requestId: string, hunks: readonly number[], outcome: HunkOutcome | null, finish: boolean): void {
		const before = this.open.get(requestId);
		if (!before || before.detail.whole) return;
		const proposal = decided(before, hunks, outcome);
		if (finish && isDecided(proposal)) {
			this.deps.desk.answer(requestId, completedAnswer({ behavior: 'allow' }, proposal));
			return;
		}
		this.replace(proposal);
	}

	/** Everything of these requests that is not decided yet. */
	decideRest(requestIds: readonly string[], outcome: HunkOutcome): void {
		for (const requestId of requestIds) {
			const proposal = this.open.get(requestId);
			if (!proposal) continue;
			const rest = outcomesOf(proposal).flatMap((known, index) => (known === null ? [index] : []));
			this.decide(requestId, rest, outcome, true);
		}
	}

	/** Of a comment thread. */
	ofThread(thread: unknown): HunkPlace | undefined {
		return this.threads.find(thread);
	}

	/** Not in a notebook. */
	hasThread({ requestId }: HunkPlace): boolean {
		return this.threads.has(requestId);
	}

	/** The requests about a file, or about the document of a proposal. */
	at(uri: vscode.Uri | undefined): readonly string[] {
		if (uri === undefined) return [];
		return [...this.open.values()].flatMap((proposal) => {
			const { requestId, detail, proposed } = proposal;
			const ours =
				uri.scheme === proposalScheme
					? requestOf(uri) === requestId
					: uri.scheme === 'file'
						? [detail.path, proposed.realPath].some((file) => pathOf(file) === uri.fsPath)
						: proposed.cell !== undefined && String(this.placeOf(proposal)?.uri) === String(uri);
			return ours && !detail.whole ? [requestId] : [];
		});
	}

	/** The request that has waited longest and can be decided hunk by hunk; also one that no editor can show in place. */
	get oldest(): string | undefined {
		return [...this.open.values()].find(({ detail }) => !detail.whole)?.requestId;
	}

	/** Oldest request first. `inside`: in its proposed text where the proposal is looked at as that. */
	undecided(inside?: vscode.Uri): readonly Undecided[] {
		return [...this.open.values()].flatMap((proposal) => {
			const place = this.placeOf(proposal);
			if (!place) return [];
			const asText = inside?.scheme === proposalScheme && requestOf(inside) === proposal.requestId;
			return outcomesOf(proposal).flatMap((outcome, hunk) => {
				const shown = proposal.detail.hunks[hunk];
				if (outcome !== null || !shown) return [];
				const range = asText ? lineRange(shown.newStart) : place.rangeOf(shown);
				return [{ requestId: proposal.requestId, hunk, uri: asText ? inside : place.uri, range }];
			});
		});
	}

	/** Beside the text as it was, with a proposed side that can be changed; of a new file that side alone. */
	openDiff(requestId: string, focus: boolean): Promise<void> {
		return this.next(async () => {
			const proposal = this.open.get(requestId);
			if (!proposal || proposal.detail.whole) return;
			const options = { preview: true, preserveFocus: !focus };
			const side = this.side(proposal);
			if (proposal.detail.created) {
				await vscode.window.showTextDocument(side, options);
				return;
			}
			const name = this.nameOf(proposal);
			const before = this.documents.open(requestId, name, proposal.proposed.oldText ?? '', 'before');
			const title = vscode.l10n.t('{0} (proposed by the agent)', titleOf(proposal));
			await this.inLanguageOfCell(proposal, [before, side]);
			await vscode.commands.executeCommand('vscode.diff', before, side, title, options);
		});
	}

	/** Where the proposal is shown in an editor; the focus goes there only when asked for. */
	reveal(place: Pick<Undecided, 'uri' | 'range' | 'requestId'>, focus: boolean): Promise<void> {
		return this.next(() => this.show(place, focus));
	}

	private async show({ uri, range, requestId }: Pick<Undecided, 'uri' | 'range' | 'requestId'>, focus: boolean) {
		const proposal = this.open.get(requestId);
		const notebook = uri.scheme === 'vscode-notebook-cell' && proposal && notebookOf(proposal);
		if (notebook) return showCell(notebook, uri, focus);
		const visible = vscode.window.visibleTextEditors.find(({ document }) => String(document.uri) === String(uri));
		const editor = await vscode.window.showTextDocument(uri, {
			preview: true,
			preserveFocus: !focus,
			...(visible?.viewColumn === undefined ? freeColumn() : { viewColumn: visible.viewColumn }),
			...(focus ? { selection: new vscode.Range(range.start, range.start) } : {}),
		});
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}

	dispose(): void {
		for (const key of this.keys.keys()) this.setKey(key, false);
		this.subscriptions.dispose();
	}

	private deskChanged(): void {
		const { desk } = this.deps;
		const pending = desk.pending.filter(({ detail }) => detail.kind === 'edit');
		for (const requestId of this.open.keys()) {
			if (!pending.some(({ id }) => id === requestId)) this.drop(requestId);
		}
		for (const request of pending) this.take(request);
		this.setKeys();
		const first = pending[0]?.id;
		if (first === undefined || first === this.shown) return;
		this.shown = first;
		void this.showFile(first);
	}

	private take({ id, toolUseId, detail }: PermissionRequest): void {
		const proposed = this.deps.desk.proposed(id);
		if (this.open.has(id) || !proposed || detail.kind !== 'edit') return;
		this.open.set(id, openProposal({ id, toolUseId }, proposed, detail));
		void this.next(async () => {
			const said = await this.deps.memory.recall(toolUseId, proposed);
			const proposal = this.open.get(id);
			if (!proposal) return;
			// What was said in this window meanwhile counts.
			if (said && proposal.detail === detail) this.replace(recalled(proposal, said));
			else this.showThreads(proposal);
			this.setKeys();
		});
	}

	private drop(requestId: string): void {
		const proposal = this.open.get(requestId);
		this.open.delete(requestId);
		this.threads.remove(requestId);
		if (proposal?.proposed.cell) this.cells.refresh();
		if (proposal) void this.deps.memory.forget(proposal.toolUseId, proposal.proposed);
		void this.next(() => this.documents.close(requestId));
	}

	/** Only while it hides nothing that the person is at. */
	private showFile(requestId: string): Promise<void> {
		return this.next(async () => {
			const focus = this.deps.focusEditor();
			const [place] = this.undecided().filter((other) => other.requestId === requestId);
			const active = vscode.window.activeTextEditor;
			const busy = active !== undefined && this.deps.panelFocus() === 'none' && !this.at(active.document.uri).length;
			if (place && (focus || !busy)) await this.show(place, focus);
		});
	}

	private rewrite(requestId: string, text: string): void {
		const proposal = this.open.get(requestId);
		if (proposal) this.replace(rewritten(proposal, text));
	}

	private replace(proposal: OpenProposal): void {
		this.open.set(proposal.requestId, proposal);
		this.showThreads(proposal);
		this.deps.desk.revise(proposal.requestId, proposal.detail);
		void this.deps.memory.remember(proposal.toolUseId, proposal.proposed, saidOf(proposal));
	}

	/** In place: as threads in the live editor, below the cell in a notebook. */
	private showThreads(proposal: OpenProposal): void {
		if (proposal.proposed.cell) {
			this.cells.refresh();
			return;
		}
		const place = this.placeOf(proposal);
		if (place) this.threads.show(proposal, place);
		else this.threads.remove(proposal.requestId);
	}

	/** A notebook came or went, and its cells with it. */
	private showCells(): void {
		for (const proposal of this.open.values()) if (proposal.proposed.cell) this.showThreads(proposal);
		this.setKeys();
	}

	private placeOf(proposal: OpenProposal): ProposalPlace | undefined {
		return placeOf(proposal, () => this.side(proposal));
	}

	/** What a deleted cell would be is nothing that could be changed. */
	private side(proposal: OpenProposal): vscode.Uri {
		const { requestId, current } = proposal;
		const fixed = current.cell?.kind === 'delete' ? 'fixed' : 'proposed';
		return this.documents.open(requestId, this.nameOf(proposal), current.newText, fixed);
	}

	/** A cell's text is no notebook, and must not be opened as one. */
	private nameOf({ detail, proposed: { cell } }: OpenProposal): string {
		const name = path.basename(detail.path);
		if (!cell) return name;
		const ending = cell.type === 'code' ? 'py' : cell.type === 'markdown' ? 'md' : 'txt';
		return `${name} ${cell.label.replaceAll(/[^\w-]/g, '_')}.${ending}`;
	}

	private async inLanguageOfCell(proposal: OpenProposal, uris: readonly vscode.Uri[]): Promise<void> {
		const uri = this.placeOf(proposal)?.uri;
		const cell =
			proposal.proposed.cell && vscode.workspace.textDocuments.find((open) => String(open.uri) === String(uri));
		if (!cell || proposal.proposed.cell?.type !== 'code') return;
		for (const side of uris) {
			const document = await vscode.workspace.openTextDocument(side);
			if (document.languageId !== cell.languageId)
				await vscode.languages.setTextDocumentLanguage(document, cell.languageId);
		}
	}

	private setKeys(): void {
		this.setKey(
			'loopwright.proposalActive',
			[...this.open.values()].some(({ detail }) => !detail.whole),
		);
		this.setKey('loopwright.proposalInEditor', this.at(vscode.window.activeTextEditor?.document.uri).length > 0);
	}

	private setKey(key: string, value: boolean): void {
		if ((this.keys.get(key) ?? false) === value) return;
		this.keys.set(key, value);
		void vscode.commands.executeCommand('setContext', key, value);
	}

	private next(task: () => Promise<void>): Promise<void> {
		this.work = this.work.then(task).catch((error: unknown) => this.deps.failed('showing a proposal', error));
		return this.work;
	}
}

function pathOf(file: string): string {
	return vscode.Uri.file(file).fsPath;
}

function titleOf({ detail }: OpenProposal): string {
	const name = path.basename(detail.path);
	return detail.cell === undefined ? name : vscode.l10n.t('{0}, cell {1}', name, detail.cell);
}

/** The cell that has the proposal at it; with the focus, its editor. */
async function showCell(notebook: vscode.NotebookDocument, uri: vscode.Uri, focus: boolean): Promise<void> {
	const cell = notebook.getCells().find(({ document }) => String(document.uri) === String(uri));
	const range = new vscode.NotebookRange(cell?.index ?? 0, (cell?.index ?? 0) + 1);
	const visible = vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook);
	const editor = await vscode.window.showNotebookDocument(notebook, {
		preserveFocus: !focus,
		...(visible?.viewColumn === undefined ? freeColumn() : { viewColumn: visible.viewColumn }),
		...(focus ? { selections: [range] } : {}),
	});
	editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
	if (focus) await vscode.commands.executeCommand('notebook.cell.edit');
}

function lineRange(line: number): vscode.Range {
	return new vscode.Range(Math.max(0, line - 1), 0, Math.max(0, line - 1), 0);
}

/** Beside the panel when that stands in the way. */
function freeColumn(): { viewColumn?: vscode.ViewColumn } {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	return tab?.input instanceof vscode.TabInputWebview ? { viewColumn: vscode.ViewColumn.Beside } : {};
}
