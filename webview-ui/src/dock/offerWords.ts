// How the composer's offers are shown: icons, and what each command does.
import { t } from '@vscode/l10n';
import type { MentionItem, MentionKind } from '../../../src/shared/composer.ts';
import type { SlashCommand } from '../../../src/shared/slashCommands.ts';
import type { Offer } from './OfferList.tsx';

const icons: Readonly<Record<MentionKind, string>> = {
	file: 'file',
	folder: 'folder',
	symbol: 'symbol-method',
	problems: 'warning',
	terminal: 'terminal',
	changes: 'git-commit',
	session: 'history',
	topic: 'comment-discussion',
};

export function mentionOffer({ kind, label, hits, detail, insert }: MentionItem): Offer {
	return { key: `${kind} ${insert} ${label}`, icon: icons[kind], label, hits, detail };
}

export function commandOffer({ name }: SlashCommand, query: string): Offer {
	const at = name.indexOf(query);
	const hits = at < 0 ? [] : Array.from(query, (_, index) => at + index + 1);
	return { key: name, icon: 'symbol-event', label: `/${name}`, hits, detail: commandWords(name) };
}

function commandWords(name: string): string {
	switch (name) {
		case 'compact':
			return t('Summarise the conversation to make room; say after it what to keep above all');
		case 'new':
			return t('Begin a new conversation');
		case 'model':
			return t('Choose the model');
		case 'mode':
			return t('Choose what needs your permission');
		case 'rewind':
			return t('Go back to before an earlier message');
		case 'worktree':
			return t('Work in a Git worktree of its own');
		case 'export':
			return t('Write the conversation to a file');
		case 'permissions':
			return t('Show and change the permission rules');
		case 'key':
			return t('Set the API key');
		case 'log':
			return t('Show the log');
		default:
			return '';
	}
}
