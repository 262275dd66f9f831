// A stored session as a file that `importSession` reads, with the title that the history shows.
import { sessionJson } from '../../core/session/sessionExport.ts';
import type { SessionLibrary } from './sessionLibrary.ts';
import type { SessionStore } from './sessionStore.ts';

export interface ExportSource {
	readonly store: Pick<SessionStore, 'find' | 'read' | 'readAgents'>;
	readonly library: Pick<SessionLibrary, 'list'>;
}

/** `now`: milliseconds since the epoch. Undefined when there is no such session. Rejects when it cannot be read. */
export async function exportedSession(
	{ store, library }: ExportSource,
	id: string,
	now: number,
): Promise<string | undefined> {
	const found = await store.find(id);
	const stored = found && (await store.read(found.cwd, id));
	if (!found || !stored) return undefined;
	const title = (await library.list(found.cwd)).find((info) => info.id === id)?.title ?? '';
	const subagents = await store.readAgents(found.cwd, id);
	return sessionJson({ title, entries: stored.entries, subagents }, now);
}
