// The stored side of the window's session: opens it for writing, or a copy of it where somebody else has it, and says once when it
// cannot be stored.
import * as vscode from 'vscode';
import { newUuid } from '../../node/clock.ts';
import type { StorageTrouble } from '../../node/sessions/fileJournal.ts';
import { SessionStore, type CreatedSession, type OpenedSession } from '../../node/sessions/sessionStore.ts';

/** A window that is reloaded may find the one before it on its way out. */
const patienceMs = 3000;
const pauseMs = 100;

export interface WindowSession {
	readonly sessionId: string;
	readonly file: CreatedSession;
	/** Absent for a new one. */
	readonly stored: OpenedSession | undefined;
}

/** The session with this id, a copy of it, or a new one. */
export async function openStoredSession(
	cwd: string,
	id: string | undefined,
	failed: (what: string, error: unknown) => void,
): Promise<WindowSession> {
	const trouble = (kind: StorageTrouble, error: Error) => {
		failed('storing the session', error);
		void vscode.window.showWarningMessage(sentence(kind));
	};
	const store = new SessionStore(undefined, { trouble });
	try {
		const found = id === undefined ? undefined : await openOrCopy(store, cwd, id);
		if (found) return found;
	} catch (error) {
		failed('opening the last session', error);
	}
	const sessionId = newUuid();
	return { sessionId, file: await store.create({ cwd, sessionId }), stored: undefined };
}

async function openOrCopy(store: SessionStore, cwd: string, id: string): Promise<WindowSession | undefined> {
	const end = Date.now() + patienceMs;
	let stored = await store.open(cwd, id, { whole: true });
	while (stored?.openElsewhere && Date.now() < end) {
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
		stored = await store.open(cwd, id, { whole: true });
	}
	if (!stored?.openElsewhere) return stored && { sessionId: id, file: stored, stored };
	const copy = newUuid();
	await store.copy(cwd, id, copy);
	const copied = await store.open(cwd, copy, { whole: true });
	void vscode.window.showInformationMessage(
		vscode.l10n.t('The conversation is open in another window. You go on in a copy of it here.'),
	);
	return copied && { sessionId: copy, file: copied, stored: copied };
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
