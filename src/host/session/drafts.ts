// What the person has written and not sent, by conversation, in a small file of this window's storage: it is there again wherever the
// conversation is shown next. Contract: never rejects; drafts that cannot be written cost only the way back. No `vscode`.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { KeptDraft } from '../../shared/composer.ts';
import { keptDraft } from './draftShape.ts';

const stored = z.record(z.string(), keptDraft);
/** Conversations; the ones written to last stay. */
const most = 50;

export class Drafts {
	private readonly file: string;
	private readonly failed: (error: unknown) => void;
	private loading: Promise<Map<string, KeptDraft>> | undefined;
	/** One write at a time, so that the last one counts. */
	private writing: Promise<void> = Promise.resolve();

	/** `folder`: of this window. */
	constructor(folder: string, failed: (error: unknown) => void) {
		this.file = path.join(folder, 'drafts.json');
		this.failed = failed;
	}

	/** `conversation`: a session's id; empty for whatever conversation nothing was said in. */
	async of(conversation: string): Promise<KeptDraft | undefined> {
		return (await this.all()).get(conversation);
	}

	async keep(conversation: string, draft: KeptDraft): Promise<void> {
		const all = await this.all();
		const before = all.get(conversation);
		const isEmpty = draft.text === '' && draft.media.length === 0;
		if (isEmpty ? before === undefined : JSON.stringify(before) === JSON.stringify(draft)) return;
		all.delete(conversation);
		if (!isEmpty) all.set(conversation, draft);
		for (const oldest of [...all.keys()].slice(0, Math.max(0, all.size - most))) all.delete(oldest);
		await this.write(all);
	}

	/** Deletes all of it. */
	async clear(): Promise<void> {
		const all = await this.all();
		all.clear();
		await this.write(all);
	}

	private all(): Promise<Map<string, KeptDraft>> {
		this.loading ??= readFile(this.file, 'utf8').then(
			(text) => parsed(text),
			() => new Map(),
		);
		return this.loading;
	}

	/** Whole or not at all: the process may be killed at any moment. */
	private write(all: ReadonlyMap<string, KeptDraft>): Promise<void> {
		const text = JSON.stringify(Object.fromEntries(all));
		this.writing = this.writing
			.then(async () => {
				await mkdir(path.dirname(this.file), { recursive: true });
				await writeFile(`${this.file}.new`, text, { mode: 0o600 });
				await rename(`${this.file}.new`, this.file);
			})
			.catch(this.failed);
		return this.writing;
	}
}

function parsed(text: string): Map<string, KeptDraft> {
	try {
		return new Map(Object.entries(stored.parse(JSON.parse(text))));
	} catch {
		return new Map();
	}
}
