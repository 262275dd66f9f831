// What the composer's list offers for what stands before the cursor, and what choosing does to the draft. Pure.
import type { MentionItem } from '../../../src/shared/composer.ts';
import { openMention } from '../../../src/shared/mentions.ts';
import { slashCommands, type SlashCommand } from '../../../src/shared/slashCommands.ts';

export type Asked =
	| { readonly kind: 'mention'; readonly start: number; readonly query: string }
	| { readonly kind: 'command'; readonly query: string };

/** Undefined when nothing is asked for at the cursor. */
export function askedAt(draft: string, cursor: number): Asked | undefined {
	const before = draft.slice(0, cursor);
	if (/^\/[a-z-]*$/i.test(draft) && cursor > 0) return { kind: 'command', query: draft.slice(1).toLowerCase() };
	const open = openMention(before);
	return open ? { kind: 'mention', ...open } : undefined;
}

export function offeredCommands(query: string): readonly SlashCommand[] {
	const first = slashCommands.filter(({ name }) => name.startsWith(query));
	return [...first, ...slashCommands.filter(({ name }) => !name.startsWith(query) && name.includes(query))];
}

export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** What the choice puts in place of what was typed. `into`: go on with what is in a folder. */
export function chosenMention(
	item: MentionItem,
	at: { readonly start: number; readonly cursor: number; readonly draft: string },
	into: boolean,
): Replacement {
	const goesOn = item.insert.endsWith(':') || (into && item.kind === 'folder' && !item.insert.startsWith('@"'));
	const isFollowed = /^\s/.test(at.draft.slice(at.cursor));
	return { start: at.start, end: at.cursor, text: goesOn || isFollowed ? item.insert : `${item.insert} ` };
}
