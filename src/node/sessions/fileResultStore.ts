// Large tool results, and the output of commands as it comes, as files beside the transcript: `<session folder>/<id>/results/`.
// Files 0600, folders 0700.
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputFiles } from '../../core/ports/outputFiles.ts';
import type { ResultStore } from '../../core/ports/resultStore.ts';
import { maskSecrets } from '../../core/util/secrets.ts';
import { isSessionId, loopwrightHome, sessionFolder } from './paths.ts';

export interface ResultStoreOptions {
	/** The folder that the session belongs to. */
	readonly cwd: string;
	readonly sessionId: string;
	/** The folder that holds `projects`; by default LOOPWRIGHT_HOME or `~/.loopwright`. */
	readonly home?: string;
	/** Values that are secret whatever they look like, at the moment of writing. */
	readonly secrets?: () => readonly string[];
}

export class FileResultStore implements ResultStore, OutputFiles {
	/** Absolute. It exists from the first result on. */
	readonly folder: string;
	readonly #secrets: () => readonly string[];

	/** Throws when the session's id is no file name. */
	constructor({ cwd, sessionId, home = loopwrightHome(), secrets }: ResultStoreOptions) {
		if (!isSessionId(sessionId)) throw new Error(`This is no session id: ${JSON.stringify(sessionId.slice(0, 100))}`);
		this.#secrets = secrets ?? (() => []);
		this.folder = path.join(sessionFolder(cwd, sessionId, home), 'results');
	}

	/** What lets the model read and search what was stored without asking: it comes from its own calls. */
	get allowRules(): readonly string[] {
		const folder = this.folder.replaceAll('\\', '/').replace(/^\/+/, '');
		return [`Read(//${folder}/**)`];
	}

	/** The same id writes the same file again: a resumed session may store a result that it stored before. */
	async store(toolUseId: string, text: string): Promise<string> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		const file = path.join(this.folder, `${fileName(toolUseId)}.txt`);
		await writeFile(file, maskSecrets(text, this.#secrets()), { mode: 0o600 });
		return file;
	}

	async outputFile(id: string): Promise<string> {
		await mkdir(this.folder, { recursive: true, mode: 0o700 });
		return path.join(this.folder, `${fileName(id)}.output.txt`);
	}

	async removeOutput(file: string): Promise<void> {
		await rm(file, { force: true }).catch(() => undefined);
	}
}

const longestName = 100;

/** Ids come from the service: nothing in them may leave the folder, and no two may share a file. */
export function fileName(toolUseId: string): string {
	const plain = toolUseId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, longestName);
	if (plain === toolUseId && plain !== '') return plain;
	return `${plain}-${createHash('sha256').update(toolUseId).digest('hex').slice(0, 12)}`;
}
