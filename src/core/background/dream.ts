// Memory consolidation ("auto-dream"): now and then the memory is put in order. At most daily, only after enough sessions,
// and under a lock, so that several windows do not do it at once.
import { limits } from '../limits.ts';
import type { DreamPort } from '../memory/dreamPort.ts';
import { applyChanges, changeFormat, parseChanges } from '../memory/memoryChanges.ts';
import type { MemoryStore } from '../memory/memoryStore.ts';
import { memoryText } from '../memory/memoryStore.ts';
import type { Ask } from './ask.ts';

const task = `You keep the memory of a software project for a coding agent. Put the memory below in order:
- merge files and entries that say the same; keep one topic per file;
- where entries contradict each other, keep the later or more specific one;
- take out what is obsolete, trivial, about a single finished task, or secret (keys, passwords, tokens, personal data);
- keep the user's own rules word for word; add nothing that is not there.
If it is in order already, both lists are empty.`;

export interface DreamPorts {
	readonly ask: Ask;
	readonly store: MemoryStore;
	readonly port: DreamPort;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** Consolidates the memory if it is time. Returns the names of changed files. Rejects only when files cannot be read or written. */
export async function dream(ports: DreamPorts, signal: AbortSignal): Promise<readonly string[]> {
	if (!(await isDue(ports))) return [];
	const lock = signal.aborted ? undefined : await ports.port.lock();
	if (!lock) return [];
	let done = false;
	try {
		// Another window may have done it between the first look and the lock.
		if (!(await isDue(ports)) || signal.aborted) return [];
		const files = await ports.store.list();
		const memory = memoryText(files);
		if (memory === '') {
			done = true;
			return [];
		}
		const answer = await ports.ask(`${task}\n\n${changeFormat}\n\n<memory>\n${memory}\n</memory>`, signal);
		if (answer.kind === 'failed' || signal.aborted) return [];
		const changed = await applyChanges(parseChanges(answer.text, files), files, ports.store);
		done = true;
		return changed;
	} finally {
		await lock.release(done);
	}
}

async function isDue(ports: DreamPorts): Promise<boolean> {
	const { port } = ports;
	const last = await port.lastRun();
	if (last !== undefined && ports.now() - last < limits.dreamEveryMs) return false;
	return (await port.sessionsSince(last ?? 0, limits.dreamSessions)) >= limits.dreamSessions;
}
