// What of a stored session is shown at first: all of a small one, of a large one its end, with a way to what comes before. No `vscode`.
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { OpenedSession, SessionStore } from '../../node/sessions/sessionStore.ts';
import type { OlderEntries } from '../panel/olderRows.ts';

export interface ShownEntries {
	readonly entries: readonly StoredEntry[];
	/** Absent when there are no others. */
	readonly older?: OlderEntries;
}

export interface NewestEntries extends ShownEntries {
	/** Of the transcript when it was read, in bytes. */
	readonly size: number;
}

export interface SessionPlace {
	readonly store: Pick<SessionStore, 'newestPage' | 'readPage'>;
	readonly cwd: string;
	readonly id: string;
}

/**
 * The end of a large session, which takes no longer the larger it is: it can be shown before the session is open. Undefined for
 * one that is small, or not there. Rejects when the transcript cannot be read.
 */
export async function newestEntries({ store, cwd, id }: SessionPlace): Promise<NewestEntries | undefined> {
	const page = await store.newestPage(cwd, id);
	if (!page) return undefined;
	const { entries, size } = page;
	let before = page.start;
	const older: OlderEntries = {
		next: async () => {
			const next = before === 0 ? undefined : await store.readPage(cwd, id, { before });
			before = next?.start ?? 0;
			return next?.entries;
		},
	};
	return before === 0 ? { entries, size } : { entries, size, older };
}

/** Of a session that is open now; `early`, what was shown of it before, unless somebody else has written to it since. */
export async function shownEntries(
	place: SessionPlace,
	stored: Pick<OpenedSession, 'entries' | 'small' | 'size'>,
	early?: NewestEntries,
): Promise<ShownEntries> {
	if (early?.size === stored.size) return early;
	return (stored.small ? undefined : await newestEntries(place)) ?? { entries: stored.entries };
}
