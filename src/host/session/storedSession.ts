// The stored side of a session: opens it for writing, or to read where somebody else has it, and says once when it cannot be
// stored.
import * as vscode from 'vscode';
import { newUuid } from '../../node/clock.ts';
import type { StorageTrouble } from '../../node/sessions/fileJournal.ts';
import { SessionStore, type CreatedSession, type OpenedSession } from '../../node/sessions/sessionStore.ts';
import type { ShowEarly } from './controllerDeps.ts';
import { newestEntries, shownEntries, type ShownEntries } from './shownEntries.ts';
import type { SessionRoot } from './sessionRoot.ts';

/** A window that is reloaded may find the one before it on its way out. */
const patienceMs = 3000;
const pauseMs = 100;

export interface WindowSession {
	readonly sessionId: string;
	readonly file: CreatedSession;
	/** Absent for a new one. */
	readonly stored: OpenedSession | undefined;
	/** What of it the panel shows at first. */
	readonly shown: ShownEntries;
}

export interface StoredWish {
	/** Takes the folder of a session that is found. */
	readonly root: SessionRoot;
	readonly id: string | undefined;
	/** Whoever has it may be on its way out. */
	readonly patient: boolean;
	/** Finds out about folders that are not known yet, such as worktrees. */
	readonly look: () => Promise<void>;
	/** Values that are never stored, whatever they look like. */
	readonly secrets: () => readonly string[];
	/** Says it in the conversation; true when a person sees it there. */
	readonly tell: (state: StorageState) => boolean;
	readonly showEarly: ShowEarly;
}

/** `stored`: all of it again. */
export type StorageState = StorageTrouble | 'stored';

/** Contract: of a session that is open elsewhere nothing is written, and one of a folder that is not open is not opened. */
export async function openStoredSession(
	{ root, id, patient, look, secrets, tell, showEarly }: StoredWish,
	failed: (what: string, error: unknown) => void,
): Promise<WindowSession> {
	const trouble = (kind: StorageTrouble, error: Error) => {
		failed('storing the session', error);
		if (!tell(kind)) void vscode.window.showWarningMessage(sentence(kind));
	};
	const store = new SessionStore(undefined, { trouble, recovered: () => tell('stored'), secrets });
	try {
		if (id !== undefined) {
			const place = { store, cwd: await folderOf(id, { root, look }, store), id };
			const early = await newestEntries(place);
			if (early) showEarly(id, early);
			const stored = await openWaiting(store, { ...place, patient });
			if (stored) return { sessionId: id, file: stored, stored, shown: await shownEntries(place, stored, early) };
		}
	} catch (error) {
		failed('opening the last session', error);
	}
	const sessionId = newUuid();
	const file = await store.create({ cwd: root.path, sessionId });
	return { sessionId, file, stored: undefined, shown: { entries: [] } };
}

/** Sessions of all folders can be opened. */
async function folderOf(
	id: string,
	{ root, look }: Pick<StoredWish, 'root' | 'look'>,
	store: SessionStore,
): Promise<string> {
	const found = await store.find(id);
	if (found && !root.take(found.cwd)) {
		await look();
		root.take(found.cwd);
	}
	return root.path;
}

async function openWaiting(
	store: SessionStore,
	{ cwd, id, patient }: { readonly cwd: string; readonly id: string; readonly patient: boolean },
): Promise<OpenedSession | undefined> {
	const end = Date.now() + (patient ? patienceMs : 0);
	let stored = await store.open(cwd, id);
	while (stored?.openElsewhere && Date.now() < end) {
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
		stored = await store.open(cwd, id);
	}
	return stored;
}

function sentence(kind: StorageTrouble): string {
	switch (kind) {
		case 'full':
			return vscode.l10n.t('The conversation is not stored any more: the disk is full. It goes on in memory.');
		case 'read_only':
			return vscode.l10n.t('The conversation is not stored: its folder cannot be written. It goes on in memory.');
		case 'failed':
			return vscode.l10n.t('The conversation is not stored any more: the disk fails. It goes on in memory.');
	}
}
