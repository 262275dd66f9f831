// The project's memory on disk: `.loopwright/memory/*.md` of the session's root. Rule: nothing outside of that folder is read
// or written, whatever links a project brings along.
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { MemoryFile, MemoryStore } from '../../core/memory/memoryStore.ts';
import { isMemoryName } from '../../core/memory/memoryStore.ts';

export class FolderMemoryStore implements MemoryStore {
	readonly #root: string;
	readonly #folder: string;

	/** `root`: absolute path of the session's folder. */
	constructor(root: string) {
		this.#root = root;
		this.#folder = path.join(root, '.loopwright', 'memory');
	}

	async list(): Promise<readonly MemoryFile[]> {
		if (!(await this.#isInside())) return [];
		const entries = await readdir(this.#folder, { withFileTypes: true });
		const names = entries.filter((entry) => entry.isFile() && isMemoryName(entry.name)).map(({ name }) => name);
		const wanted = names.toSorted().slice(0, limits.memoryFiles);
		const files = await Promise.all(wanted.map(async (name) => ({ name, text: await this.#read(name) })));
		return files.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
	}

	async change(name: string, expected: string | undefined, text: string | undefined): Promise<boolean> {
		if (!isMemoryName(name)) throw new Error(`"${name}" is no name of a memory file.`);
		await mkdir(path.dirname(this.#folder), { recursive: true });
		await mkdir(this.#folder, { recursive: true });
		if (!(await this.#isInside())) throw new Error('The memory folder leads out of the project.');
		const file = path.join(this.#folder, name);
		if ((await this.#read(name)) !== expected) return false;
		if (text === undefined) {
			await rm(file, { force: true });
			return true;
		}
		// A reader never sees half a file.
		const fresh = path.join(this.#folder, `.${name}.${randomUUID()}`);
		await writeFile(fresh, text, { flag: 'wx' });
		await rename(fresh, file);
		return true;
	}

	/** False when there is no such folder, or a link makes it another one. */
	async #isInside(): Promise<boolean> {
		try {
			const real = await realpath(this.#folder);
			return real === path.join(await realpath(this.#root), '.loopwright', 'memory');
		} catch {
			return false;
		}
	}

	/** Undefined when there is no such file. Links, folders and files that are too large count as a text that nobody expects. */
	async #read(name: string): Promise<string | undefined> {
		const file = path.join(this.#folder, name);
		const found = await lstat(file).catch(() => undefined);
		if (!found) return undefined;
		if (!found.isFile() || found.size > 4 * limits.memoryFileChars) return '';
		return await readFile(file, 'utf8');
	}
}
