// What a person reads about worktrees: why something was not done, and what can be done with one.
import * as vscode from 'vscode';
import type { WayBack, WorktreeProblem, WorktreeState } from '../../node/worktrees/worktrees.ts';

export function problemWords({ code, files, detail }: WorktreeProblem): string {
	switch (code) {
		case 'no_git':
			return vscode.l10n.t('Git is not installed, or not in the PATH.');
		case 'no_repository':
			return vscode.l10n.t('This folder is in no git repository that can be used: {0}', detail);
		case 'no_commits':
			return vscode.l10n.t('The repository has no commit yet: a worktree begins with one.');
		case 'dirty':
			return vscode.l10n.t(
				'Nothing was merged: the folder has changes that are not committed ({0}). Commit them, or bring the worktree back as uncommitted changes.',
				named(files),
			);
		case 'conflicts':
			return vscode.l10n.t('Nothing was changed: both sides changed the same places ({0}).', named(files));
		case 'nothing':
			return vscode.l10n.t('There is nothing to bring back.');
		case 'unknown':
			return vscode.l10n.t('This is no worktree of Loopwright, or it is gone.');
		case 'failed':
			return vscode.l10n.t('Git failed, and nothing was changed: {0}', detail);
	}
}

export type WorktreeAction = WayBack | 'discard' | 'open' | 'new';

export interface ActionItem extends vscode.QuickPickItem {
	readonly action: WorktreeAction;
}

export function actionItems({ mainBranch, changed, commits }: WorktreeState): readonly ActionItem[] {
	const target = mainBranch ?? vscode.l10n.t('the commit that is checked out');
	const icon = (name: string, words: string) => `$(${name}) ${words}`;
	return [
		{
			action: 'merge',
			label: icon('git-merge', vscode.l10n.t('Merge into {0}', target)),
			detail: vscode.l10n.t(
				'With its commits ({0}); files that are not committed ({1}) become one more.',
				commits,
				changed,
			),
		},
		{
			action: 'squash',
			label: icon('git-commit', vscode.l10n.t('Bring back as one commit on {0}', target)),
		},
		{
			action: 'apply',
			label: icon('diff', vscode.l10n.t('Bring back as uncommitted changes')),
			detail: vscode.l10n.t('No branch changes.'),
		},
		{ action: 'discard', label: icon('trash', vscode.l10n.t('Throw the worktree away…')) },
		{ action: 'open', label: icon('empty-window', vscode.l10n.t('Open its folder in a new window')) },
		{ action: 'new', label: icon('add', vscode.l10n.t('A new conversation in another worktree…')) },
	];
}

const mostNamed = 5;

function named(files: readonly string[]): string {
	const shown = files.slice(0, mostNamed).join(', ');
	return files.length > mostNamed ? `${shown}, …` : shown;
}
