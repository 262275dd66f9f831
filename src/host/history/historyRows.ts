// What the history shows of sessions: which of them, in which order and under which heading, and what state each is in. Pure.
import type { SessionHit } from '../../node/sessions/sessionSearch.ts';
import type { SessionInfo } from '../../node/sessions/sessionInfo.ts';
import type { PermissionMode } from '../../shared/permission.ts';
import type { ConversationState } from '../session/conversations.ts';

/** `shown`: this window shows it; `elsewhere`: another window or process has it. */
export type Badge = 'shown' | Exclude<ConversationState, 'ready'> | 'elsewhere' | 'interrupted' | 'pinned' | 'archived';

/** A session that this window has open. */
export interface OpenHere {
	readonly state: ConversationState;
	/** In the side bar or a tab. */
	readonly shown: boolean;
	/** It is read here, and another window has it. */
	readonly elsewhere: boolean;
	readonly mode: PermissionMode;
	/** USD; null when prices are unknown. */
	readonly costUsd: number | null;
}

export type Group = 'pinned' | 'today' | 'yesterday' | 'week' | 'older' | 'archived' | 'found';

export interface HistoryRow {
	readonly info: SessionInfo;
	readonly badges: readonly Badge[];
	/** Absent when this window has not opened it. */
	readonly here: OpenHere | undefined;
	readonly group: Group;
	/** Where the words that are looked for stand in what was said. */
	readonly hit: SessionHit | undefined;
}

export interface HistoryOrder {
	/** By session. */
	readonly open: ReadonlyMap<string, OpenHere>;
	/** Milliseconds since the epoch. */
	readonly now: number;
	/** What the person looks for; may be empty. */
	readonly text: string;
	/** Whether archived ones are shown; what is looked for is found among them, too. */
	readonly archived: boolean;
	/** By session. */
	readonly hits: ReadonlyMap<string, SessionHit>;
}

const dayMs = 24 * 60 * 60_000;

/** `infos`: pinned ones first, then the newest; they stay in this order. Titles that have the words come before contents that have them. */
export function historyRows(infos: readonly SessionInfo[], order: HistoryOrder): readonly HistoryRow[] {
	const words = wordsOf(order.text);
	const row = (info: SessionInfo): HistoryRow => ({
		info,
		badges: badgesOf(info, order.open.get(info.id)),
		here: order.open.get(info.id),
		group: words.length > 0 ? 'found' : groupOf(info, order.now),
		hit: order.hits.get(info.id),
	});
	if (words.length === 0) {
		const shown = infos.filter(({ archived }) => !archived || order.archived);
		const rows = shown.map(row);
		return [...rows.filter(({ group }) => group !== 'archived'), ...rows.filter(({ group }) => group === 'archived')];
	}
	const titled = infos.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
	const known = new Set(titled.map(({ id }) => id));
	return [...titled, ...infos.filter(({ id }) => !known.has(id) && order.hits.has(id))].map(row);
}

export function badgesOf(info: SessionInfo, here: OpenHere | undefined): readonly Badge[] {
	const badges: Badge[] = [];
	if (here?.shown) badges.push('shown');
	if (here && !here.elsewhere) {
		if (here.state !== 'ready') badges.push(here.state);
	} else if (info.state === 'open') badges.push('elsewhere');
	else if (info.state === 'interrupted') badges.push('interrupted');
	if (info.pinned) badges.push('pinned');
	if (info.archived) badges.push('archived');
	return badges;
}

/** The session that the keys are on once this one is gone from the list. */
export function neighbour(rows: readonly HistoryRow[], id: string): string | undefined {
	const at = rows.findIndex(({ info }) => info.id === id);
	return (rows[at + 1] ?? rows[at - 1])?.info.id;
}

function groupOf({ pinned, archived, mtime }: SessionInfo, now: number): Group {
	if (archived) return 'archived';
	if (pinned) return 'pinned';
	const midnight = new Date(now).setHours(0, 0, 0, 0);
	if (mtime >= midnight) return 'today';
	if (mtime >= new Date(midnight - dayMs / 2).setHours(0, 0, 0, 0)) return 'yesterday';
	return mtime >= midnight - 6 * dayMs ? 'week' : 'older';
}

function wordsOf(text: string): readonly string[] {
	return text
		.toLowerCase()
		.split(/\s+/)
		.filter((word) => word !== '');
}
