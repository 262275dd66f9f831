// The hunks of a proposal as comment threads in the live editor: a small diff, Accept and Deny in the title, the reply is the
// reason. Contract: a thread that is closed or collapsed answers nothing.
import * as vscode from 'vscode';
import { fenced } from '../../core/util/fenced.ts';
import type { HunkOutcome, HunkView } from '../../shared/permission.ts';
import { outcomesOf, type OpenProposal } from './openProposal.ts';
import type { ProposalPlace } from './proposalPlace.ts';

const controllerId = 'loopwright.proposals';

/** Lines of a hunk that a thread shows; the diff has all of them. */
const shownLines = 60;

export interface HunkPlace {
	readonly requestId: string;
	readonly hunk: number;
}

export class ProposalThreads implements vscode.Disposable {
	/** Made with the first proposal: VS Code shows its view of comments as soon as there is one. */
	private controller: vscode.CommentController | undefined;
	private readonly threads = new Map<string, readonly vscode.CommentThread[]>();
	/** A thread's code keeps the colours of the theme that it was drawn in. */
	private readonly themes = vscode.window.onDidChangeActiveColorTheme(() => this.redraw());

	/** Shows a proposal as it is now. */
	show(proposal: OpenProposal, { uri, rangeOf }: ProposalPlace): void {
		const before = this.threads.get(proposal.requestId) ?? [];
		const { hunks } = proposal.detail;
		const fits = before.length === hunks.length && before.every((thread) => String(thread.uri) === String(uri));
		const reused = fits ? before : [];
		if (reused.length === 0) for (const thread of before) thread.dispose();
		const outcomes = outcomesOf(proposal);
		const threads = hunks.map((hunk, index) => {
			const range = rangeOf(hunk);
			// With its text from the start: VS Code unfolds the reply of a thread that has none.
			const thread = reused[index] ?? this.commenting().createCommentThread(uri, range, [commentOf(hunk)]);
			if (reused[index] && !range.isEqual(thread.range ?? range)) thread.range = range;
			const place = { position: index + 1, count: hunks.length, again: proposal.detail.askedAgain === true };
			fill(thread, { hunk, outcome: outcomes[index] ?? null, ...place });
			return thread;
		});
		this.threads.set(proposal.requestId, threads);
	}

	remove(requestId: string): void {
		for (const thread of this.threads.get(requestId) ?? []) thread.dispose();
		this.threads.delete(requestId);
	}

	/** Of a thread that a command was called on. */
	find(thread: unknown): HunkPlace | undefined {
		for (const [requestId, threads] of this.threads) {
			const hunk = threads.findIndex((known) => known === thread);
			if (hunk >= 0) return { requestId, hunk };
		}
		return undefined;
	}

	has(requestId: string): boolean {
		return this.threads.has(requestId);
	}

	private redraw(): void {
		for (const thread of [...this.threads.values()].flat()) thread.comments = [...thread.comments];
	}

	dispose(): void {
		this.themes.dispose();
		for (const requestId of this.threads.keys()) this.remove(requestId);
		this.controller?.dispose();
		this.controller = undefined;
	}

	private commenting(): vscode.CommentController {
		if (this.controller) return this.controller;
		const controller = vscode.comments.createCommentController(controllerId, vscode.l10n.t('Proposed changes'));
		controller.options = {
			prompt: vscode.l10n.t('Deny with a reason…'),
			placeHolder: vscode.l10n.t('Why not? The agent reads this.'),
		};
		this.controller = controller;
		return controller;
	}
}

interface Shown {
	readonly hunk: HunkView;
	readonly outcome: HunkOutcome | null;
	/** 1-based. */
	readonly position: number;
	readonly count: number;
	/** Asked before; the file has changed here since. */
	readonly again: boolean;
}

function fill(thread: vscode.CommentThread, shown: Shown): void {
	const { hunk, outcome } = shown;
	const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
	const comment = commentOf(hunk);
	if (bodyOf(thread.comments[0]) !== bodyOf(comment)) thread.comments = [comment];
	thread.canReply = outcome === null;
	thread.contextValue = outcome?.kind ?? 'open';
	thread.label = labelOf(shown);
	const state = outcome === null ? Expanded : Collapsed;
	if (thread.collapsibleState !== state) thread.collapsibleState = state;
}

function labelOf({ outcome, position, count, again }: Shown): string {
	if (outcome?.kind === 'accepted') return vscode.l10n.t('Accepted, applied when all is decided');
	if (outcome?.kind === 'denied') return vscode.l10n.t('Denied');
	const label =
		count === 1 ? vscode.l10n.t('Proposed change') : vscode.l10n.t('Proposed change {0} of {1}', position, count);
	return again ? vscode.l10n.t('{0}, asked again: the file changed meanwhile', label) : label;
}

function commentOf(hunk: HunkView): vscode.Comment {
	return { author: { name: 'Loopwright' }, body: diffOf(hunk), mode: vscode.CommentMode.Preview };
}

function bodyOf(comment: vscode.Comment | undefined): string | undefined {
	const body = comment?.body;
	return body instanceof vscode.MarkdownString ? body.value : body;
}

/** What changes; the lines around it are the editor's. Text of a model: a code block that nothing in it can end. */
function diffOf(hunk: HunkView): vscode.MarkdownString {
	const isChange = (line: string) => !line.startsWith(' ');
	const lines = hunk.lines.slice(hunk.lines.findIndex(isChange), hunk.lines.findLastIndex(isChange) + 1);
	const shown = lines.slice(0, shownLines);
	const more = lines.length - shown.length;
	const rest = more > 0 ? `\n\n${vscode.l10n.t('… and {0} more lines', more)}` : '';
	return new vscode.MarkdownString(`${fenced(shown.join('\n'), 'diff')}${rest}`);
}
