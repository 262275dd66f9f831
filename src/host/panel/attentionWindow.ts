// The window in which the person is told that something waits or is done: notifications, and a key for the palette.
import * as vscode from 'vscode';
import type { PermissionRequest } from '../../shared/permission.ts';
import type { AttentionWindow, Notice } from './attention.ts';

/** Characters of a command or path that a notification shows. */
const shownSummary = 120;

export const attentionWindow: AttentionWindow = {
	get focused() {
		return vscode.window.state.focused;
	},
	onFocusMoved(listener) {
		const listening = vscode.window.onDidChangeWindowState(listener);
		return () => listening.dispose();
	},
	setWaiting(waits) {
		void vscode.commands.executeCommand('setContext', 'loopwright.waiting', waits);
	},
	async tell(notice, answers) {
		const labels = { show: vscode.l10n.t('Show'), deny: vscode.l10n.t('Deny') };
		const message = wordsOf(notice);
		const given = answers.map((answer) => labels[answer]);
		const picked = await (notice.kind === 'broken_off'
			? vscode.window.showWarningMessage(message, ...given)
			: vscode.window.showInformationMessage(message, ...given));
		return answers.find((answer) => labels[answer] === picked);
	},
};

function wordsOf(notice: Notice): string {
	switch (notice.kind) {
		case 'answered':
			return vscode.l10n.t('Loopwright has answered.');
		case 'broken_off':
			return vscode.l10n.t('Loopwright stopped before it was done.');
		case 'too_late':
			return vscode.l10n.t('It was answered already.');
		case 'long_wait':
			return waitsFor(vscode.l10n.t('The service asks for a long wait.'));
		case 'waits':
			return waitsFor(summaryOf(notice.request));
	}
}

function waitsFor(what: string): string {
	return vscode.l10n.t('Loopwright waits for your answer: {0}', what);
}

function summaryOf({ tool, summary, detail, agent }: PermissionRequest): string {
	const names = { plan: vscode.l10n.t('Plan'), questions: vscode.l10n.t('Question') };
	const name = detail.kind === 'plan' || detail.kind === 'questions' ? names[detail.kind] : tool;
	const line = `${name} ${summary}`.replaceAll(/\s+/g, ' ').trim();
	const shown = line.length > shownSummary ? `${line.slice(0, shownSummary)}…` : line;
	return agent === undefined ? shown : `${shown} (${vscode.l10n.t('for the subagent {0}', agent)})`;
}
