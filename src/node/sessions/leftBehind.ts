// What a killed process left beside the files that it was about to write: files are written under another name first and then take
// the place of the old one (`diskFile.ts`). Looked for only where a call had started and nobody knows how it went.
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoredEntry } from '../../core/messages/journal.ts';
import { readAgents } from './agentTranscripts.ts';

const names = ['file_path', 'notebook_path'];

/** Milliseconds that a disk may round a file's time by. */
const slackMs = 2000;

/** By the session, and by the subagents that were at work with it. `folder`: of the session's own files. Never rejects. */
export async function removeLeftBehind(
	entries: readonly StoredEntry[],
	{ cwd, folder }: { readonly cwd: string; readonly folder: string },
): Promise<void> {
	await removeOf(entries, cwd);
	const since = agentsSince(entries);
	if (since === undefined) return;
	for (const agent of await readAgents(folder, since - slackMs)) await removeOf(agent.entries, cwd);
}

/** When the first of the subagents started that have no result; undefined when all have. Milliseconds since the epoch. */
function agentsSince(entries: readonly StoredEntry[]): number | undefined {
	const started = new Map<string, number>();
	for (const entry of entries) {
		if (entry.type === 'tool_result') started.delete(entry.toolUseId);
		if (entry.type === 'tool_start' && entry.name === 'Agent') started.set(entry.toolUseId, entry.time);
	}
	return started.size === 0 ? undefined : Math.min(...started.values());
}

/** `cwd`: what relative paths are resolved against. Never rejects. */
async function removeOf(entries: readonly StoredEntry[], cwd: string): Promise<void> {
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
