// What the person has said of a proposal that is not answered yet, in a small file each: a reloaded window, which asks the same
// question again, shows it again. Contract: a word on one proposal never counts for another one; nothing of it is logged.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { ProposedEdit } from '../../core/ports/workspace.ts';
import type { HunkOutcome } from '../../shared/permission.ts';

const outcome = z
	.object({ kind: z.enum(['accepted', 'denied']), reason: z.string().optional() })
	.transform(({ kind, reason }): HunkOutcome => ({ kind, ...(reason === undefined ? {} : { reason }) }));
const stored = z.object({ outcomes: z.array(outcome.nullable()), text: z.string().optional() });

export interface Said {
	/** By hunk; undecided ones are `null`. */
	readonly outcomes: readonly (HunkOutcome | null)[];
	/** What the person made of the proposed text; absent: nothing. */
	readonly text?: string | undefined;
}

/** Milliseconds after which what was never answered is forgotten: the conversation is gone by then, as a rule. */
const keptFor = 30 * 24 * 60 * 60_000;

export class ProposalMemory {
	private readonly folder: string;
	private readonly failed: (error: unknown) => void;
	/** What is still to be written, by name; `undefined` forgets. */
	private readonly waiting = new Map<string, Said | undefined>();
	private writing: Promise<void> = Promise.resolve();

	constructor(folder: string, failed: (error: unknown) => void) {
		this.folder = path.join(folder, 'proposals');
		this.failed = failed;
	}

	/** Undefined when nothing was said, or it cannot be read. */
	async recall(toolUseId: string, proposed: ProposedEdit): Promise<Said | undefined> {
		try {
			return stored.parse(JSON.parse(await readFile(this.fileOf(nameOf(toolUseId, proposed)), 'utf8')));
		} catch {
			return undefined;
		}
	}

	/** Contract: never rejects; what cannot be written costs only the way back. */
	remember(toolUseId: string, proposed: ProposedEdit, said: Said): Promise<void> {
		return this.put(
			nameOf(toolUseId, proposed),
			said.text === undefined && !said.outcomes.some(Boolean) ? undefined : said,
		);
	}

	/** As `remember`. */
	forget(toolUseId: string, proposed: ProposedEdit): Promise<void> {
		return this.put(nameOf(toolUseId, proposed), undefined);
	}

	/** Takes away what nobody will ask for. `now`: milliseconds since the epoch. */
	async tidy(now: number): Promise<void> {
		const names = await readdir(this.folder).catch(() => []);
		for (const name of names) {
			const found = await stat(path.join(this.folder, name)).catch(() => undefined);
			if (found && now - found.mtimeMs > keptFor) await rm(path.join(this.folder, name), { force: true });
		}
	}

	/** One write at a time, and of several words only the last: typing into a long text would write it at each key. */
	private put(name: string, said: Said | undefined): Promise<void> {
		const queued = this.waiting.has(name);
		this.waiting.set(name, said);
		if (!queued) this.writing = this.writing.then(() => this.write(name)).catch(this.failed);
		return this.writing;
	}

	private async write(name: string): Promise<void> {
		const said = this.waiting.get(name);
		this.waiting.delete(name);
		if (said === undefined) {
			await rm(this.fileOf(name), { force: true });
			return;
		}
		await mkdir(this.folder, { recursive: true });
		await writeFile(this.fileOf(name), JSON.stringify(said), { mode: 0o600 });
	}

	private fileOf(name: string): string {
		return path.join(this.folder, `${name}.json`);
	}
}

/** The question and its texts: where the file has changed meanwhile, hunks are others. */
function nameOf(toolUseId: string, { realPath, oldText, newText }: ProposedEdit): string {
	const parts = JSON.stringify([toolUseId, realPath, oldText ?? null, newText]);
	return createHash('sha256').update(parts, 'utf8').digest('hex').slice(0, 32);
}
