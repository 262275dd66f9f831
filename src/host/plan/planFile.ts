// The plan of a session as a file, with a note beside it that says whose it is, so that a new window finds the person's edits.
// Files 0600, folders 0700. No `vscode`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

const owner = z.object({ requestId: z.string(), original: z.string() });
export type PlanOwner = z.output<typeof owner>;

export class PlanFile {
	/** Absolute. */
	readonly path: string;
	private readonly folder: string;

	/** `folder`: absolute, the session's own. */
	constructor(folder: string) {
		this.folder = folder;
		this.path = path.join(folder, 'plan.md');
	}

	/** The request that the file belongs to, and the plan as it was presented; undefined when there is none. */
	async owner(): Promise<PlanOwner | undefined> {
		try {
			return owner.parse(JSON.parse(await readFile(this.note, 'utf8')));
		} catch {
			// Missing or unreadable: then it is nobody's, and is written anew when it is wanted.
			return undefined;
		}
	}

	async claim(by: PlanOwner): Promise<void> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		await writeFile(this.note, JSON.stringify(by), { mode: 0o600 });
	}

	async read(): Promise<string | undefined> {
		return await readFile(this.path, 'utf8').catch(() => undefined);
	}

	async write(text: string): Promise<void> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		await writeFile(this.path, text, { mode: 0o600 });
	}

	private get note(): string {
		return path.join(this.folder, 'plan.json');
	}
}
