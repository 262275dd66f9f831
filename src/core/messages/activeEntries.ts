// The entries of a transcript that count. A transcript only grows: going back to before a message of the person is an entry of
// its own, from which on the conversation is another one; what was left stays as a version that one can go back to. Pure.
import type { StoredEntry } from './journal.ts';
import { textOf } from './types.ts';

/** Without what was taken back. Modes and models stay: they are the person's settings, not part of what was said. */
export function activeEntries(entries: readonly StoredEntry[]): readonly StoredEntry[] {
	return new Tree(entries).active;
}

/** True while the newest rewind can be taken back: nothing was said since. */
export function canUndoRewind(entries: readonly StoredEntry[]): boolean {
	const last = entries.findLast(
		({ type }) => type === 'rewound' || type === 'rewind_undone' || type === 'switched' || type === 'user',
	);
	return last?.type === 'rewound';
}

/** A message of the person that stood, or stands, at one place of the conversation. */
export interface PromptVersion {
	/** Of the message. */
	readonly id: string;
	readonly text: string;
	/** Milliseconds since the epoch. */
	readonly time: number;
	/** It is part of the conversation as it is now. */
	readonly active: boolean;
}

/**
 * What the person said at the place of a message, oldest first, that message included; empty when there is no such message. A
 * rewind to before a message and another message make two versions. Going to another one is an entry `switched`.
 */
export function promptVersions(entries: readonly StoredEntry[], promptId: string): readonly PromptVersion[] {
	const tree = new Tree(entries);
	const ids = tree.places.get(promptId) ?? [];
	const active = new Set(tree.active.flatMap((entry) => (entry.type === 'user' ? [entry.message.id] : [])));
	return ids.flatMap((id) => {
		const entry = tree.prompts.get(id);
		return entry ? [{ id, text: textOf(entry.message), time: entry.message.time, active: active.has(id) }] : [];
	});
}

/** Of the messages that count and have other versions: the ids of all versions, oldest first. */
export function versionsByPrompt(entries: readonly StoredEntry[]): ReadonlyMap<string, readonly string[]> {
	const tree = new Tree(entries);
	return new Map(
		tree.active.flatMap((entry) => {
			const ids = entry.type === 'user' ? (tree.places.get(entry.message.id) ?? []) : [];
			return entry.type === 'user' && ids.length > 1 ? [[entry.message.id, ids] as const] : [];
		}),
	);
}

type UserEntry = Extract<StoredEntry, { readonly type: 'user' }>;

/** What the newest rewind took away, while it can come back. */
interface Taken {
	readonly at: number;
	readonly entries: readonly StoredEntry[];
}

class Tree {
	active: StoredEntry[] = [];
	readonly prompts = new Map<string, UserEntry>();
	/** By the id of a message of the person: the ids of all versions of it. */
	readonly places = new Map<string, string[]>();
	/** Conversations that were left, newest last. */
	private readonly left: (readonly StoredEntry[])[] = [];
	private taken: Taken | undefined;
	/** Where the next message of the person is a version. */
	private place: string[] | undefined;

	constructor(entries: readonly StoredEntry[]) {
		for (const entry of entries) if (this.follow(entry)) this.active.push(entry);
	}

	/** False: the entry means nothing here. */
	private follow(entry: StoredEntry): boolean {
		switch (entry.type) {
			case 'rewound':
				return this.rewind(entry.to);
			case 'rewind_undone':
				this.undo();
				return true;
			case 'switched':
				return this.switch(entry.to);
			case 'user':
				this.taken = undefined;
				if (entry.message.origin === 'prompt') this.prompt(entry);
				return true;
			default:
				return true;
		}
	}

	private prompt(entry: UserEntry): void {
		const { id } = entry.message;
		const place = this.place ?? [];
		this.place = undefined;
		if (!place.includes(id)) place.push(id);
		this.prompts.set(id, entry);
		this.places.set(id, place);
	}

	private rewind(to: string): boolean {
		const at = this.active.findIndex((known) => isMessage(known, to));
		if (at < 0) return false;
		this.left.push(this.active);
		const entries = this.active.slice(at);
		this.taken = { at, entries };
		this.active = [...this.active.slice(0, at), ...entries.filter(isSetting)];
		this.place = this.places.get(to);
		return true;
	}

	private undo(): void {
		const { taken } = this;
		if (!taken) return;
		const since = this.active.slice(taken.at + taken.entries.filter(isSetting).length);
		this.active = [...this.active.slice(0, taken.at), ...taken.entries, ...since];
		this.taken = undefined;
		this.place = undefined;
	}

	private switch(to: string): boolean {
		const path = this.left.findLast((known) => known.some((entry) => isMessage(entry, to)));
		if (!path || this.active.some((entry) => isMessage(entry, to))) return false;
		this.left.push(this.active);
		const settings = [lastOf(this.active, 'mode'), lastOf(this.active, 'model')].flatMap((entry) => entry ?? []);
		this.active = [...path, ...settings];
		this.taken = undefined;
		this.place = undefined;
		return true;
	}
}

function isMessage(entry: StoredEntry, id: string): boolean {
	return entry.type === 'user' && entry.message.id === id;
}

function lastOf(entries: readonly StoredEntry[], type: StoredEntry['type']): StoredEntry | undefined {
	return entries.findLast((entry) => entry.type === type);
}

function isSetting({ type }: StoredEntry): boolean {
	return type === 'mode' || type === 'model';
}
