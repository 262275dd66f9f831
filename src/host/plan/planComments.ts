// Comments on lines of the plan's document, in VS Code's own comment threads. They go back to the agent with the answer.
import * as vscode from 'vscode';
import type { LineComment } from './planReview.ts';

const planCommentsId = 'loopwright.plan';

interface PlanComment extends vscode.Comment {
	readonly body: string;
}

export class PlanComments implements vscode.Disposable {
	/** Made when the first document is opened: VS Code shows its view of comments as soon as there is one. */
	private controller: vscode.CommentController | undefined;
	private document: string | undefined;
	private threads: readonly vscode.CommentThread[] = [];

	/** Comments are possible on this document, and on no other. */
	begin(uri: vscode.Uri): void {
		this.document = uri.fsPath;
		if (this.controller) return;
		const controller = vscode.comments.createCommentController(planCommentsId, vscode.l10n.t('Plan'));
		controller.options = {
			prompt: vscode.l10n.t('Comment on this line'),
			placeHolder: vscode.l10n.t('What should be different here?'),
		};
		controller.commentingRangeProvider = {
			provideCommentingRanges: ({ uri: place, lineCount }) =>
				place.fsPath === this.document ? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)] : [],
		};
		this.controller = controller;
	}

	clear(): void {
		this.document = undefined;
		for (const thread of this.threads) thread.dispose();
		this.threads = [];
		this.controller?.dispose();
		this.controller = undefined;
	}

	/** In the order of their lines. */
	all(): readonly LineComment[] {
		const text = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === this.document);
		return this.threads
			.flatMap(({ range, comments }) => {
				const line = range?.start.line ?? 0;
				const quoted = text && line < text.lineCount ? text.lineAt(line).text : '';
				return comments.map(({ body }) => ({
					line: line + 1,
					quoted,
					text: typeof body === 'string' ? body : body.value,
				}));
			})
			.toSorted((one, other) => one.line - other.line);
	}

	dispose(): void {
		this.clear();
	}

	/** The command of a reply box. */
	add({ thread, text }: vscode.CommentReply): void {
		if (text.trim() === '' || thread.uri.fsPath !== this.document) return;
		const comment: PlanComment = {
			body: text,
			mode: vscode.CommentMode.Preview,
			author: { name: vscode.l10n.t('You') },
		};
		thread.comments = [...thread.comments, comment];
		thread.label = vscode.l10n.t('Goes to the agent with your answer');
		thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
		if (!this.threads.includes(thread)) this.threads = [...this.threads, thread];
	}

	/** The command of a thread's title. */
	remove(thread: vscode.CommentThread): void {
		this.threads = this.threads.filter((other) => other !== thread);
		thread.dispose();
	}
}
