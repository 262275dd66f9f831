// Which session the side bar of this window shows, in a small file: a killed window or a reloaded browser page finds it again (the
// editor's own `workspaceState` can lose the last changes then). Tabs of the editor know theirs by themselves.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const stored = z.object({ sessionId: z.string().min(1) });

export interface SessionMemory {
	/** The session that was shown last; undefined when there is none, or the file cannot be read. */
	recall(): string | undefined;
	/** Contract: never rejects; a memory that cannot be written costs only the way back. */
	remember(sessionId: string): Promise<void>;
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
	recall(): string | undefined {
		try {
			return stored.parse(JSON.parse(readFileSync(this.file, 'utf8'))).sessionId;
		} catch {
			return undefined;
		}
	}

	remember(sessionId: string): Promise<void> {
		this.writing = this.writing.then(() => this.write(sessionId)).catch(this.failed);
		return this.writing;
	}

	private async write(sessionId: string): Promise<void> {
		await mkdir(path.dirname(this.file), { recursive: true });
		await writeFile(this.file, JSON.stringify({ sessionId }));
	}
}
