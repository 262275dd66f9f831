// What stands on the tab of a conversation: what it is about, and its state in a word when there is something to know.
import * as vscode from 'vscode';
import type { ConversationState } from './conversations.ts';

/** Characters on a tab, and in the title of the view, which cuts what has no room. */
const shown = 32;
const shownInView = 80;

/** `about`: what the conversation is called, or what the person said first; may be empty. */
export function tabTitle(about: string, state: ConversationState): string {
	const title = oneLine(about, shown) || 'Loopwright';
	const word = stateWord(state);
	return word === '' ? title : `${title} (${word})`;
}

/** What the view is called; undefined while nothing was said. A view that is alone in its place shows no description. */
export function viewTitle(about: string): string | undefined {
	return oneLine(about, shownInView) || undefined;
}

function oneLine(text: string, most: number): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Empty where there is nothing to know. */
export function stateWord(state: ConversationState): string {
	switch (state) {
		case 'working':
			return vscode.l10n.t('working');
		case 'waiting':
			return vscode.l10n.t('waiting for you');
		case 'done':
			return vscode.l10n.t('done');
		case 'failed':
			return vscode.l10n.t('failed');
		case 'interrupted':
			return vscode.l10n.t('interrupted');
		case 'running':
			return vscode.l10n.t('commands running');
		case 'stopped':
			return vscode.l10n.t('stopped');
		case 'ready':
			return '';
	}
}
