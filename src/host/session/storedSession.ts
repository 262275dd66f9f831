// The stored side of the window's session: opens it for writing, or to read where somebody else has it, and says once when it cannot be
// stored.
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

/** Contract: of a session that is open elsewhere nothing is written. `patient`: whoever has it may be on its way out. */
export async function openStoredSession(
	{ cwd, id, patient }: { readonly cwd: string; readonly id: string | undefined; readonly patient: boolean },
	failed: (what: string, error: unknown) => void,
): Promise<WindowSession> {
	const trouble = (kind: StorageTrouble, error: Error) => {
		failed('storing the session', error);
		void vscode.window.showWarningMessage(sentence(kind));
	};
	const store = new SessionStore(undefined, { trouble });
	try {
		const stored = id === undefined ? undefined : await openWaiting(store, { cwd, id, patient });
		if (id !== undefined && stored) return { sessionId: id, file: stored, stored };
	} catch (error) {
		failed('opening the last session', error);
	}
	const sessionId = newUuid();
	return { sessionId, file: await store.create({ cwd, sessionId }), stored: undefined };
}

async function openWaiting(
	store: SessionStore,
	{ cwd, id, patient }: { readonly cwd: string; readonly id: string; readonly patient: boolean },
): Promise<OpenedSession | undefined> {
	const end = Date.now() + (patient ? patienceMs : 0);
	let stored = await store.open(cwd, id, { whole: true });
	while (stored?.openElsewhere && Date.now() < end) {
		await new Promise((resolve) => setTimeout(resolve, pauseMs));
		stored = await store.open(cwd, id, { whole: true });
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
