// The words of an exported or copied conversation, in the person's language.
import * as vscode from 'vscode';
import type { ExportWords } from './exportConversation.ts';

export function exportWords(): ExportWords {
	return {
		title: vscode.l10n.t('Conversation'),
		you: vscode.l10n.t('You'),
		agent: 'Loopwright',
		thought: vscode.l10n.t('Thought'),
		summary: vscode.l10n.t('Summary'),
		earlierSteps: vscode.l10n.t('… {0} earlier steps', '{0}'),
	};
}
