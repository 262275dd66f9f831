// How sessions look in the history: title, time, folder, cost and state as words, and what can be done with each.
import path from 'node:path';
import * as vscode from 'vscode';
import type { SessionHit } from '../../node/sessions/sessionSearch.ts';
import type { SessionInfo } from '../../node/sessions/sessionInfo.ts';
import { modeWords } from '../provider/pickers.ts';
import { stateWord } from '../session/tabTitle.ts';
import type { Badge, Group, HistoryRow } from './historyRows.ts';

/** A session that was deleted. */
export interface Removed {
	readonly info: SessionInfo;
	/** Takes it back; says so when that is not possible any more. */
	readonly undo: () => Promise<void>;
}

export type SessionAction = 'open' | 'beside' | 'rename' | 'pin' | 'archive' | 'delete' | 'markdown' | 'json';

export interface SessionItem extends vscode.QuickPickItem {
	/** Absent: a heading, a line that says that there is nothing, or the way back. */
	readonly row?: HistoryRow;
	/** The way back for what was deleted from the list. */
	readonly undo?: Removed;
}

export interface ActionButton extends vscode.QuickInputButton {
	readonly action: SessionAction | 'menu';
}

/** With headings, unless something is looked for. `now`: milliseconds since the epoch. */
export function sessionItems(rows: readonly HistoryRow[], now: number): readonly SessionItem[] {
	const items: SessionItem[] = [];
	let group: Group = 'found';
	for (const row of rows) {
		if (row.group !== group) {
			group = row.group;
			items.push({ label: heading(group), kind: vscode.QuickPickItemKind.Separator });
		}
		items.push(sessionItem(row, now));
	}
	return items;
}

/** What stands where there is no session to show. */
export function emptyItem(looking: boolean, text: string): SessionItem {
	const label = looking
		? vscode.l10n.t('Searching the conversations…')
		: text.trim() === ''
			? vscode.l10n.t('There are no conversations in this workspace yet')
			: vscode.l10n.t('No conversation has these words');
	return { label, alwaysShow: true };
}

/** Stands first, so that it is a key away and is read out. */
export function undoItem(removed: Removed): SessionItem {
	const description = vscode.l10n.t('“{0}” was deleted.', escaped(titleOf(removed.info)));
	return { label: `$(discard) ${vscode.l10n.t('Undo')}`, description, alwaysShow: true, undo: removed };
}

export function titleOf({ title }: Pick<SessionInfo, 'title'>): string {
	return title === '' ? vscode.l10n.t('Untitled conversation') : title;
}

/** All that can be done with a session, for the menu that the keyboard reaches. */
export function actionItems(info: SessionInfo): readonly (vscode.QuickPickItem & { readonly action: SessionAction })[] {
	return [
		{ action: 'open', label: `$(comment-discussion) ${vscode.l10n.t('Open')}` },
		{ action: 'beside', label: `$(split-horizontal) ${beside()}` },
		{ action: 'rename', label: `$(edit) ${vscode.l10n.t('Rename…')}` },
		{ action: 'pin', label: info.pinned ? `$(pinned) ${unpin()}` : `$(pin) ${pin()}` },
		{ action: 'archive', label: `$(archive) ${archiveWords(info)}` },
		{ action: 'markdown', label: `$(markdown) ${vscode.l10n.t('Export as Markdown…')}` },
		{ action: 'json', label: `$(json) ${vscode.l10n.t('Export as JSON…')}` },
		{ action: 'delete', label: `$(trash) ${vscode.l10n.t('Delete')}` },
	];
}

function sessionItem(row: HistoryRow, now: number): SessionItem {
	const { info, badges, here, hit } = row;
	const facts = [
		timeOf(info.mtime, now),
		path.basename(info.cwd),
		costOf(here ? here.costUsd : info.costUsd),
		here ? modeWords(here.mode).label : '',
		...badges.map((badge) => badgeWords(badge)),
	];
	return {
		row,
		label: `${badges.includes('pinned') ? '$(pinned) ' : ''}${escaped(titleOf(info))}`,
		description: facts.filter((fact) => fact !== '').join(' · '),
		...(hit ? { detail: detailOf(hit) } : {}),
		// What is looked for may be in the conversation and not in its title.
		alwaysShow: true,
		buttons: buttonsOf(info),
	};
}

function detailOf({ snippet, agentId }: SessionHit): string {
	return agentId === undefined ? escaped(snippet) : vscode.l10n.t('In a subagent: {0}', escaped(snippet));
}

function buttonsOf(info: SessionInfo): ActionButton[] {
	const button = (action: ActionButton['action'], icon: string, tooltip: string): ActionButton => ({
		action,
		iconPath: new vscode.ThemeIcon(icon),
		tooltip,
	});
	return [
		button('beside', 'split-horizontal', beside()),
		button('rename', 'edit', vscode.l10n.t('Rename…')),
		info.pinned ? button('pin', 'pinned', unpin()) : button('pin', 'pin', pin()),
		button('archive', 'archive', archiveWords(info)),
		button('delete', 'trash', vscode.l10n.t('Delete')),
		button('menu', 'ellipsis', vscode.l10n.t('More actions…')),
	];
}

function beside(): string {
	return vscode.l10n.t('Open in a Tab Beside');
}

function pin(): string {
	return vscode.l10n.t('Pin');
}

function unpin(): string {
	return vscode.l10n.t('Unpin');
}

function archiveWords({ archived }: SessionInfo): string {
	return archived ? vscode.l10n.t('Take out of the archive') : vscode.l10n.t('Archive');
}

function heading(group: Group): string {
	switch (group) {
		case 'pinned':
			return vscode.l10n.t('Pinned');
		case 'today':
			return vscode.l10n.t('Today');
		case 'yesterday':
			return vscode.l10n.t('Yesterday');
		case 'week':
			return vscode.l10n.t('Last 7 days');
		case 'older':
			return vscode.l10n.t('Older');
		case 'archived':
			return vscode.l10n.t('Archived');
		case 'found':
			return '';
	}
}

function badgeWords(badge: Badge): string {
	switch (badge) {
		case 'shown':
			return vscode.l10n.t('shown here');
		case 'elsewhere':
			return vscode.l10n.t('open in another window');
		case 'interrupted':
			return vscode.l10n.t('interrupted');
		case 'pinned':
			return vscode.l10n.t('pinned');
		case 'archived':
			return vscode.l10n.t('archived');
		default:
			return stateWord(badge);
	}
}

/** The time of the day for what was today, else the date. */
function timeOf(time: number, now: number): string {
	const date = new Date(time);
	const { language } = vscode.env;
	if (date.toDateString() === new Date(now).toDateString()) {
		return date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
	}
	const sameYear = date.getFullYear() === new Date(now).getFullYear();
	return date.toLocaleDateString(language, {
		day: 'numeric',
		month: 'short',
		...(sameYear ? {} : { year: 'numeric' }),
	});
}

function costOf(usd: number | null): string {
	if (usd === null || usd === 0) return '';
	const digits = usd < 1 ? 3 : 2;
	return usd.toLocaleString(vscode.env.language, { style: 'currency', currency: 'USD', maximumFractionDigits: digits });
}

/** Words of people and models are no icons. */
function escaped(text: string): string {
	return text.replaceAll('$(', '$\u200b(');
}
