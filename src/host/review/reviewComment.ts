// What the person says to the agent about a change: the file, the lines and the change itself go with it. Contract: it goes to
// another conversation than the open one only when the person chose that.
import * as vscode from 'vscode';
import { reference } from '../commands/reference.ts';
import type { ReviewBook } from './reviewBook.ts';
import type { Target } from './reviewTargets.ts';

/** Lines of a change that go into a prompt or a thread. */
const shownLines = 60;

export interface ReviewConversations {
	/** The open one. */
	current(): Promise<string>;
	/** False when it is not stored any more. */
	exists(sessionId: string): Promise<boolean>;
	open(sessionId: string): Promise<void>;
	/** Sends a prompt; resolves when it is on its way. */
	send(text: string): Promise<void>;
	/** Puts a text into the composer and the focus there. */
	compose(text: string): Promise<void>;
}

/** The change as `-` and `+` lines; undefined when it is not there any more. */
export function changeText(book: ReviewBook, { path, ids }: Target): string | undefined {
	const file = book.file(path);
	const hunks = file?.hunks.filter(({ id }) => ids.includes(id)) ?? [];
	if (!file || hunks.length === 0) return undefined;
	const lines = hunks.flatMap(({ start, count, original }) => [
		...original.map((line) => `-${line.trimEnd()}`),
		...file.lines.slice(start, start + count).map((line) => `+${line.trimEnd()}`),
	]);
	const rest = lines.length - shownLines;
	return [...lines.slice(0, shownLines), ...(rest > 0 ? [`… (${rest})`] : [])].join('\n');
}

/** What a prompt says of a change. */
function quoteOf(book: ReviewBook, target: Target): string | undefined {
	const code = changeText(book, target);
	const hunks = book.file(target.path)?.hunks.filter(({ id }) => target.ids.includes(id)) ?? [];
	const [first, last] = [hunks[0], hunks.at(-1)];
	if (code === undefined || !first || !last) return undefined;
	const path = vscode.workspace.asRelativePath(target.path, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
	const [firstLine, lastLine] = [first.start + 1, Math.max(first.start + 1, last.start + last.count)];
	const text = reference({ path, firstLine, lastLine, code, language: 'diff' }, (from, to) =>
		from === to ? vscode.l10n.t('line {0}', from) : vscode.l10n.t('lines {0}–{1}', from, to),
	);
	return text;
}

/** The change in the composer, for the person to go on typing; with `words` it is sent. False: the person has left. */
export async function comment(
	{ book, conversations }: { readonly book: ReviewBook; readonly conversations: ReviewConversations },
	target: Target,
	words?: string,
): Promise<boolean> {
	const quote = quoteOf(book, target);
	if (quote === undefined || !(await inConversation(book, conversations, target))) return false;
	// The words come first: of a long message only the first lines are shown.
	await (words === undefined ? conversations.compose(`${quote}\n`) : conversations.send(`${words}\n\n${quote}`));
	return true;
}

/** A change of an earlier conversation can be talked about in that one. */
async function inConversation(book: ReviewBook, conversations: ReviewConversations, target: Target): Promise<boolean> {
	const turn = book.file(target.path)?.hunks.find(({ id }) => target.ids.includes(id))?.turn;
	if (!turn || turn.sessionId === (await conversations.current())) return true;
	if (!(await conversations.exists(turn.sessionId))) return true;
	const here = { label: vscode.l10n.t('This conversation') };
	const there = { label: vscode.l10n.t('The conversation that made the change'), description: turn.prompt };
	const title = vscode.l10n.t('Which conversation is the comment for?');
	const chosen = await vscode.window.showQuickPick([there, here], { title });
	if (chosen === there) await conversations.open(turn.sessionId);
	return chosen !== undefined;
}
