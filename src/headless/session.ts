// Which session a run belongs to: a new one, a stored one, a copy of a stored one, or one that is not stored at all.
import type { StoredEntry } from '../core/messages/journal.ts';
import { newUuid } from '../node/clock.ts';
import type { SessionJournal } from '../node/sessions/sessionFiles.ts';
import type { SessionStore } from '../node/sessions/sessionStore.ts';
import type { RunArguments } from './args.ts';

export interface RunSession {
	readonly id: string;
	readonly journal: SessionJournal;
	/** Absent for a new session. */
	readonly transcript?: readonly StoredEntry[];
	/** Lines of the transcript that could not be read. */
	readonly damaged: number;
}
export type SessionOutcome =
	{ readonly kind: 'ready'; readonly session: RunSession } | { readonly kind: 'wrong'; readonly message: string };

const notStored: SessionJournal = {
	append: () => Promise.resolve(),
	agentJournal: () => ({ append: () => Promise.resolve(), close: () => {} }),
	close: () => Promise.resolve(),
};

/** Contract: a stored session is not changed before the first entry of this run. */
export async function openSession(args: RunArguments, store: SessionStore, cwd: string): Promise<SessionOutcome> {
	if (args.resume === undefined) return newSession(args, store, cwd);
	const id = args.resume === 'latest' ? await store.latest(cwd) : args.resume.id;
	if (id === undefined) return wrong(`There is no session of ${cwd} to continue.`);
	const found = await store.find(id);
	if (!found) return wrong(`There is no session ${id}.`);
	if (found.cwd !== cwd) return wrong(`Session ${id} belongs to ${found.cwd}. Resume it with --cwd "${found.cwd}".`);
	if (!args.persist) return await withoutStoring(id, args, store, cwd);
	const forkId = args.sessionId ?? newUuid();
	if (args.fork) {
		if (await store.find(forkId)) return wrong(`There is a session ${forkId} already.`);
		await store.copy(cwd, id, forkId);
		await store.copyCheckpoints(cwd, id, forkId);
	}
	const opened = await store.open(cwd, args.fork ? forkId : id);
	if (!opened) return wrong(`There is no session ${id}.`);
	if (opened.openElsewhere) {
		return wrong(`Session ${id} is open in another process. Go on in a copy with --fork-session, or end that process.`);
	}
	const session = {
		id: args.fork ? forkId : id,
		journal: opened.journal,
		transcript: opened.entries,
		damaged: opened.damaged,
	};
	return { kind: 'ready', session };
}

/** The stored session stays as it is, whoever has it open. */
async function withoutStoring(
	id: string,
	args: RunArguments,
	store: SessionStore,
	cwd: string,
): Promise<SessionOutcome> {
	const stored = await store.read(cwd, id);
	if (!stored) return wrong(`There is no session ${id}.`);
	const { entries: transcript, damaged } = stored;
	const own = args.fork ? (args.sessionId ?? newUuid()) : id;
	return { kind: 'ready', session: { id: own, journal: notStored, transcript, damaged } };
}

async function newSession(args: RunArguments, store: SessionStore, cwd: string): Promise<SessionOutcome> {
	const id = args.sessionId ?? newUuid();
	if (!args.persist) return { kind: 'ready', session: { id, journal: notStored, damaged: 0 } };
	// An id made here is new: no need to look through the sessions of all folders.
	if (args.sessionId !== undefined && (await store.find(id)))
		return wrong(`There is a session ${id} already. Go on with it by --resume ${id}.`);
	const { journal } = await store.create({ cwd, sessionId: id });
	return { kind: 'ready', session: { id, journal, damaged: 0 } };
}

function wrong(message: string): SessionOutcome {
	return { kind: 'wrong', message };
}
