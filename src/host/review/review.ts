// The review of applied edits, put together. Contract: nothing is registered with the editor before there is something to
// review, and what shows follows the book at most a few times a second.
import path from 'node:path';
import type * as vscode from 'vscode';
import type { Workspace } from '../../core/ports/workspace.ts';
import type { AgentEvent } from '../panel/projection.ts';
import { watchDocuments } from './documentWatch.ts';
import { ReviewBook } from './reviewBook.ts';
import { reviewedWorkspace } from './reviewedWorkspace.ts';
import { ReviewMarks } from './reviewMarks.ts';
import { ReviewScm } from './reviewScm.ts';
import { hasStoredReview, ReviewStore } from './reviewStore.ts';
import { ReviewThreads } from './reviewThreads.ts';
import { ReviewTurns } from './reviewTurns.ts';

export interface ReviewDeps {
	/** The extension's storage for this workspace. */
	readonly storage: vscode.Uri;
	readonly workspace: Workspace;
	/** The session in front. */
	readonly sessionId: () => string;
	readonly later: (task: () => void, ms: number) => () => void;
	readonly failed: (what: string, error: unknown) => void;
}

export interface ReviewedConversation {
	readonly workspace: Workspace;
	readonly accept: (event: AgentEvent) => void;
}

const refreshTime = 60;

/** True when an earlier window left something to review. */
export function reviewWaits(storage: vscode.Uri): Promise<boolean> {
	return hasStoredReview(folderIn(storage));
}

export class Review implements vscode.Disposable {
	readonly book: ReviewBook;
	readonly threads: ReviewThreads;
	private readonly deps: ReviewDeps;
	private parts:
		{ readonly scm: ReviewScm; readonly marks: ReviewMarks; readonly watch: vscode.Disposable } | undefined;
	private cancelRefresh: (() => void) | undefined;

	constructor(deps: ReviewDeps) {
		this.deps = deps;
		const store = new ReviewStore(folderIn(deps.storage), (error) => deps.failed('keeping the review', error));
		const { workspace, later } = deps;
		this.book = new ReviewBook({ store, workspace, later });
		this.threads = new ReviewThreads(this.book);
		this.book.onChange(() => this.refreshSoon());
	}

	/** Shows what an earlier window left. */
	async restore(): Promise<void> {
		this.start();
		await this.book.restore();
	}

	/** What the agent of one conversation works on, and whom to tell what it does: edits belong to the conversation's prompts. */
	ofConversation(workspace: Workspace, sessionId: () => string): ReviewedConversation {
		const turns = new ReviewTurns(sessionId);
		return {
			workspace: reviewedWorkspace(workspace, (change, apply) => {
				// From the first edit on, so that typing in this moment is seen.
				this.start();
				return this.book.agentChanges(change, apply, () => turns.current());
			}),
			accept: (event) => {
				turns.accept(event);
				// Of another conversation, maybe: the list is grouped anew.
				if (event.type === 'prompt_taken') this.refreshSoon();
			},
		};
	}

	/** Another conversation may be in front. */
	refreshSoon(): void {
		if (!this.parts) return;
		this.cancelRefresh ??= this.deps.later(() => {
			this.cancelRefresh = undefined;
			this.parts?.scm.refresh();
			this.parts?.marks.refresh();
			this.threads.refresh();
		}, refreshTime);
	}

	dispose(): void {
		this.cancelRefresh?.();
		this.book.dispose();
		this.threads.dispose();
		this.parts?.watch.dispose();
		this.parts?.scm.dispose();
		this.parts?.marks.dispose();
		this.parts = undefined;
	}

	private start(): void {
		this.parts ??= {
			scm: new ReviewScm(this.book, this.deps.sessionId),
			marks: new ReviewMarks(this.book),
			watch: watchDocuments(this.book, this.deps.failed),
		};
	}
}

function folderIn(storage: vscode.Uri): string {
	return path.join(storage.fsPath, 'review');
}
