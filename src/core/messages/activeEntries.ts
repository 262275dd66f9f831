// The entries of a transcript that count. A transcript only grows: going back to before a message of the person is an entry of
// its own, from which on the conversation is the shorter one. Pure.
import type { StoredEntry } from './journal.ts';

/** Without what was taken back. Modes and models stay: they are the person's settings, not part of what was said. */
export function activeEntries(entries: readonly StoredEntry[]): readonly StoredEntry[] {
	let active: StoredEntry[] = [];
	/** What the newest rewind took away, while it can come back. */
	let taken: { readonly at: number; readonly entries: readonly StoredEntry[] } | undefined;
	for (const entry of entries) {
		if (entry.type === 'rewound') {
			const at = active.findIndex((known) => known.type === 'user' && known.message.id === entry.to);
			if (at < 0) continue;
			const removed = active.slice(at);
			taken = { at, entries: removed };
			active = [...active.slice(0, at), ...removed.filter(isSetting)];
		} else if (entry.type === 'rewind_undone' && taken) {
			const since = active.slice(taken.at + taken.entries.filter(isSetting).length);
			active = [...active.slice(0, taken.at), ...taken.entries, ...since];
			taken = undefined;
		} else if (entry.type === 'user') taken = undefined;
		active.push(entry);
	}
	return active;
}

/** True while the newest rewind can be taken back: nothing was said since. */
export function canUndoRewind(entries: readonly StoredEntry[]): boolean {
	const last = entries.findLast(({ type }) => type === 'rewound' || type === 'rewind_undone' || type === 'user');
	return last?.type === 'rewound';
}

function isSetting({ type }: StoredEntry): boolean {
	return type === 'mode' || type === 'model';
}
