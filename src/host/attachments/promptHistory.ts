// What the person has sent in this workspace, for the arrow keys of the composer: a small file, the newest first. No `vscode`.
// Contract: never rejects; a history that cannot be written costs only itself.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { maskSecrets } from '../../core/util/secrets.ts';

const stored = z.array(z.string());
const most = 200;
/** Characters of one; longer ones are pasted texts, not what one types again. */
const longest = 20_000;

export class PromptHistory {
	readonly #file: string;
	readonly #failed: (error: unknown) => void;
	#prompts: Promise<readonly string[]> | undefined;
	#writing: Promise<void> = Promise.resolve();

	/** `folder`: of this workspace. */
	constructor(folder: string, failed: (error: unknown) => void) {
		this.#file = path.join(folder, 'prompts.json');
		this.#failed = failed;
	}

	list(): Promise<readonly string[]> {
		this.#prompts ??= readFile(this.#file, 'utf8').then(
			(text) => parsed(text),
			() => [],
		);
		return this.#prompts;
	}

	/** One that is there already moves to the front. */
	async add(prompt: string): Promise<void> {
		const text = maskSecrets(prompt.trim());
		if (text === '' || text.length > longest) return;
		const before = await this.list();
		const next = [text, ...before.filter((other) => other !== text)].slice(0, most);
		this.#prompts = Promise.resolve(next);
		this.#writing = this.#after(this.#writing, next);
		await this.#writing;
	}

	/** Deletes all of it. */
	async clear(): Promise<void> {
		this.#prompts = Promise.resolve([]);
		this.#writing = this.#after(this.#writing, []);
		await this.#writing;
	}

	async #after(before: Promise<void>, prompts: readonly string[]): Promise<void> {
		await before;
		try {
			await this.#write(prompts);
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Whole or not at all: another window may read it at any moment. */
	async #write(prompts: readonly string[]): Promise<void> {
		await mkdir(path.dirname(this.#file), { recursive: true });
		const fresh = `${this.#file}.${process.pid}.new`;
		await writeFile(fresh, JSON.stringify(prompts), { mode: 0o600 });
		await rename(fresh, this.#file);
	}
}

function parsed(text: string): readonly string[] {
	try {
		const found = stored.safeParse(JSON.parse(text));
		return found.success ? found.data.slice(0, most) : [];
	} catch {
		return [];
	}
}
