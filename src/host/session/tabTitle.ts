// What stands on the tab of a conversation: what it is about, and its state in a word when there is something to know.
import * as vscode from 'vscode';
import type { ConversationState } from './conversations.ts';

/** Characters of the first prompt. */
const shown = 32;

/** `said`: what the person said first; may be empty. */
export function tabTitle(said: string, state: ConversationState): string {
	const line = said.replaceAll(/\s+/g, ' ').trim();
	const title = line === '' ? 'Loopwright' : line.length > shown ? `${line.slice(0, shown - 1)}…` : line;
	const word = stateWord(state);
	return word === '' ? title : `${title} (${word})`;
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
		case 'running':
			return vscode.l10n.t('commands running');
		case 'stopped':
			return vscode.l10n.t('stopped');
		case 'ready':
			return '';
	}
}
