// Which session this window shows, in a small file: a killed window or a reloaded browser page finds it again (the editor's own
// `workspaceState` can lose the last changes then).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const stored = z.object({ sessionId: z.string().min(1) });

export interface SessionMemory {
	/** The session that was shown last; undefined when there is none, or the file cannot be read. */
	recall(): Promise<string | undefined>;
	/** Contract: never rejects; a memory that cannot be written costs only the way back. */
	remember(sessionId: string): Promise<void>;
}

export class FileSessionMemory implements SessionMemory {
	private readonly file: string;
	private readonly failed: (error: unknown) => void;

	constructor(folder: string, failed: (error: unknown) => void) {
		this.file = path.join(folder, 'session.json');
		this.failed = failed;
	}

	async recall(): Promise<string | undefined> {
		try {
			return stored.parse(JSON.parse(await readFile(this.file, 'utf8'))).sessionId;
		} catch {
			return undefined;
		}
	}

	async remember(sessionId: string): Promise<void> {
		try {
			await mkdir(path.dirname(this.file), { recursive: true });
			await writeFile(this.file, JSON.stringify({ sessionId }));
		} catch (error) {
			this.failed(error);
		}
	}
}
