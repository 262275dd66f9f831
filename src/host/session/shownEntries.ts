// What of a stored session is shown at first: all of a small one, of a large one its end, with a way to what comes before. No `vscode`.
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { OpenedSession, SessionStore } from '../../node/sessions/sessionStore.ts';
import type { OlderEntries } from '../panel/olderRows.ts';

export interface ShownEntries {
	readonly entries: readonly StoredEntry[];
	/** Absent when there are no others. */
	readonly older?: OlderEntries;
}

export interface ShownOrder {
	readonly store: Pick<SessionStore, 'readPage'>;
	readonly cwd: string;
	readonly id: string;
	readonly stored: Pick<OpenedSession, 'entries' | 'small'>;
}

/** Rejects when the transcript cannot be read. */
export async function shownEntries({ store, cwd, id, stored }: ShownOrder): Promise<ShownEntries> {
	const page = stored.small ? undefined : await store.readPage(cwd, id);
	if (!page) return { entries: stored.entries };
	let before = page.start;
	const older: OlderEntries = {
		next: async () => {
			const next = before === 0 ? undefined : await store.readPage(cwd, id, { before });
			before = next?.start ?? 0;
			return next?.entries;
		},
	};
	return before === 0 ? { entries: page.entries } : { entries: page.entries, older };
}
