// What a killed process left beside the files that it was about to write: files are written under another name first and then take
// the place of the old one (`diskFile.ts`). Looked for only where a call had started and nobody knows how it went.
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoredEntry } from '../../core/messages/journal.ts';

const names = ['file_path', 'notebook_path'];

/** `cwd`: what relative paths are resolved against. Never rejects. */
export async function removeLeftBehind(entries: readonly StoredEntry[], cwd: string): Promise<void> {
	const files = new Map<string, string>();
	for (const entry of entries) {
		if (entry.type === 'tool_result') files.delete(entry.toolUseId);
		if (entry.type !== 'tool_start') continue;
		const file = names.map((name) => entry.input[name]).find((value) => typeof value === 'string');
		if (typeof file === 'string') files.set(entry.toolUseId, path.resolve(cwd, file));
	}
	for (const file of new Set(files.values())) {
		const folder = path.dirname(file);
		const begin = `.${path.basename(file).slice(0, 100)}.`;
		for (const name of await readdir(folder).catch(() => [])) {
			const middle = name.startsWith(begin) && name.endsWith('.tmp') ? name.slice(begin.length, -4) : '';
			if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(middle)) {
				await rm(path.join(folder, name), { force: true }).catch(() => {});
			}
		}
	}
}
