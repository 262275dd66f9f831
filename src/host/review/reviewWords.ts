// Words that several parts of the review say.
import * as vscode from 'vscode';

export function changesWord(count: number): string {
	return count === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', count);
}

export function toReview(count: number): string {
	return count === 1 ? vscode.l10n.t('1 change to review') : vscode.l10n.t('{0} changes to review', count);
}

export function changesInFiles(changes: number, files: number): string {
	return files === 1
		? vscode.l10n.t('{0} in 1 file', changesWord(changes))
		: vscode.l10n.t('{0} in {1} files', changesWord(changes), files);
}
