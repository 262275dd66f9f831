// A change of the agent opened in place, when the person asks for it: what was there before, Keep and Undo in the title, and a reply
// that goes to the agent. It stays with its change, and goes with it. Contract: nothing is opened unless it was asked for.
import * as vscode from 'vscode';
import type { ReviewHunk } from '../../core/review/reviewedFile.ts';
import { fenced } from '../../core/util/fenced.ts';
import type { ReviewBook } from './reviewBook.ts';
import { changeText } from './reviewComment.ts';
import type { Target } from './reviewTargets.ts';

const controllerId = 'loopwright.review';

interface Opened {
	readonly path: string;
	readonly id: number;
	readonly thread: vscode.CommentThread;
	/** What the person said in it. */
	readonly said: string[];
}

export class ReviewThreads implements vscode.Disposable {
	private readonly book: ReviewBook;
	/** Made when it is first needed: VS Code has a view for comments as soon as there is one. */
	private controller: vscode.CommentController | undefined;
	private opened: readonly Opened[] = [];
	/** A thread's code keeps the colours of the theme that it was drawn in. */
	private readonly themes = vscode.window.onDidChangeActiveColorTheme(() => this.redraw());

	constructor(book: ReviewBook) {
		this.book = book;
	}

	/** Anew when it is open: the person may have folded it away, which nobody is told. */
	open({ path, ids }: Target): void {
		for (const { id, start, count } of this.hunks(path)) {
			if (!ids.includes(id)) continue;
			const before = this.at(path, id);
			this.close(before?.thread);
			const range = rangeOf({ start, count });
			const thread = this.commenting().createCommentThread(vscode.Uri.file(path), range, []);
			thread.canReply = true;
			thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
			this.opened = [...this.opened, { path, id, thread, said: before?.said ?? [] }];
		}
		this.refresh();
	}

	has({ path, ids }: Target): boolean {
		return ids.some((id) => this.at(path, id) !== undefined);
	}

	/** The changes moved, or went. */
	refresh(): void {
		for (const { path, id, thread, said } of this.opened) {
			const hunk = this.hunks(path).find((other) => other.id === id);
			const text = changeText(this.book, { path, ids: [id] });
			if (!hunk || text === undefined) {
				this.close(thread);
				continue;
			}
			const range = rangeOf(hunk);
			if (!thread.range?.isEqual(range)) thread.range = range;
			const label = labelOf(hunk);
			if (thread.label !== label) thread.label = label;
			const bodies = [fenced(text, 'diff'), ...said];
			if (bodies.join('\0') !== thread.comments.map(bodyOf).join('\0')) thread.comments = bodies.map(commentOf);
		}
	}

	/** Of a thread that a command was called on. */
	find(thread: unknown): Target | undefined {
		const found = this.opened.find((other) => other.thread === thread);
		return found && { path: found.path, ids: [found.id] };
	}

	/** What the person wrote in it was sent. */
	said(thread: unknown, words: string): void {
		this.opened.find((other) => other.thread === thread)?.said.push(words);
		this.refresh();
	}

	close(thread: unknown): void {
		const found = this.opened.find((other) => other.thread === thread);
		this.opened = this.opened.filter((other) => other !== found);
		found?.thread.dispose();
	}

	private redraw(): void {
		for (const { thread } of this.opened) thread.comments = [...thread.comments];
	}

	dispose(): void {
		this.themes.dispose();
		for (const { thread } of this.opened) thread.dispose();
		this.opened = [];
		this.controller?.dispose();
		this.controller = undefined;
	}

	private at(path: string, id: number): Opened | undefined {
		return this.opened.find((other) => other.path === path && other.id === id);
	}

	private hunks(path: string): readonly ReviewHunk[] {
		return this.book.file(path)?.hunks ?? [];
	}

	private commenting(): vscode.CommentController {
		if (this.controller) return this.controller;
		const controller = vscode.comments.createCommentController(controllerId, vscode.l10n.t('Loopwright Changes'));
		controller.options = {
			prompt: vscode.l10n.t('Write to the agent about this change…'),
			placeHolder: vscode.l10n.t('The agent reads this, with the change.'),
		};
		this.controller = controller;
		return controller;
	}
}

function rangeOf({ start, count }: Pick<ReviewHunk, 'start' | 'count'>): vscode.Range {
	return new vscode.Range(start, 0, Math.max(start, start + count - 1), 0);
}

function labelOf({ original, count, turn }: ReviewHunk): string {
	const what =
		original.length === 0
			? vscode.l10n.t('Nothing was here before')
			: count === 0
				? vscode.l10n.t('What was deleted here')
				: vscode.l10n.t('What was here before');
	return turn.prompt === '' ? what : `${what} (${vscode.l10n.t('you asked: {0}', turn.prompt)})`;
}

function commentOf(text: string, index: number): vscode.Comment {
	const body = index === 0 ? new vscode.MarkdownString(text) : text;
	const name = index === 0 ? 'Loopwright' : vscode.l10n.t('You, to the agent');
	return { author: { name }, body, mode: vscode.CommentMode.Preview };
}

function bodyOf({ body }: vscode.Comment): string {
	return typeof body === 'string' ? body : body.value;
}
