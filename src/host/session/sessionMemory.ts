// Which session the side bar of this window shows, and which others have something to do, in a small file: a killed window or a
// reloaded browser page finds them again (the editor's own `workspaceState` can lose the last changes then). Tabs of the editor
// know theirs by themselves, but only when somebody looks at them.
import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const id = z.string().min(1);
const stored = z.object({
	sessionId: id.optional(),
	others: z.array(z.object({ id, state: z.enum(['at_work', 'done', 'failed']) })).default([]),
});

export interface RememberedSessions {
	/** The side bar's; absent when there is none. */
	readonly sessionId?: string | undefined;
	/** Shown or not: at work, or done without having been seen. */
	readonly others: readonly { readonly id: string; readonly state: 'at_work' | 'done' | 'failed' }[];
}

export interface SessionMemory {
	/** Nothing where nothing is known, or the file cannot be read. */
	recall(): RememberedSessions;
	/** Contract: never rejects; a memory that cannot be written costs only the way back. */
	remember(sessions: RememberedSessions): Promise<void>;
}

export class FileSessionMemory implements SessionMemory {
	private readonly file: string;
	private readonly failed: (error: unknown) => void;
	/** One write at a time, so that the last one counts. */
	private writing: Promise<void> = Promise.resolve();

	constructor(folder: string, failed: (error: unknown) => void) {
		this.file = path.join(folder, 'session.json');
		this.failed = failed;
	}

	/** At once: whoever asks next must find the same conversation. The file is tiny. */
	recall(): RememberedSessions {
		try {
			return stored.parse(JSON.parse(readFileSync(this.file, 'utf8')));
		} catch {
			return { others: [] };
		}
	}

	remember(sessions: RememberedSessions): Promise<void> {
		this.writing = this.writing.then(() => this.write(sessions)).catch(this.failed);
		return this.writing;
	}

	private async write(sessions: RememberedSessions): Promise<void> {
		await mkdir(path.dirname(this.file), { recursive: true });
		// Whole or not at all: the process may be killed at any moment.
		await writeFile(`${this.file}.new`, JSON.stringify(sessions));
		await rename(`${this.file}.new`, this.file);
	}
}
