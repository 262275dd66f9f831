// Brings sessions in from files: our own exports, and Claude Code's transcripts, which are only ever read. Whatever comes in gets an
// id of its own and belongs to the folder that it is imported into.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { maskEntry } from '../../core/messages/maskEntry.ts';
import { transcriptVersion } from '../../core/messages/journal.ts';
import { readClaudeTranscript } from '../../core/session/claudeTranscript.ts';
import { readSessionJson, type AgentTranscript } from '../../core/session/sessionExport.ts';
import { writeAgents } from './agentTranscripts.ts';
import { projectFolder, projectSlug } from './paths.ts';
import { changeAbout } from './sessionAbout.ts';
import { transcriptExtension } from './sessionStore.ts';
import { formatLine } from './transcriptFile.ts';

export interface ImportOrder {
	/** Of the file to read: an export of ours or a transcript of Claude Code. */
	readonly file: string;
	/** The folder that holds `projects`. */
	readonly home: string;
	readonly cwd: string;
	/** Of the new session. */
	readonly sessionId: string;
	/** The version of the extension. */
	readonly app: string;
	/** Milliseconds since the epoch. */
	readonly now: number;
}

/** False when the file holds no session. Rejects when it cannot be read, or the session cannot be written. */
export async function importSession({ file, home, cwd, sessionId, app, now }: ImportOrder): Promise<boolean> {
	const text = await readFile(file, 'utf8');
	const ours = readSessionJson(text);
	const imported = ours ?? readClaudeTranscript(text, now);
	if (!imported || imported.entries.length === 0) return false;
	const folder = projectFolder(home, cwd);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	const first = formatLine({ type: 'session', version: transcriptVersion, sessionId, cwd, app }, now);
	const lines = imported.entries.map(({ time, ...entry }) => formatLine(maskEntry(entry), time));
	await writeAgents(path.join(folder, sessionId), (ours?.subagents ?? []).map(masked));
	await writeFile(path.join(folder, sessionId + transcriptExtension), first + lines.join(''), {
		flag: 'wx',
		mode: 0o600,
	});
	if (imported.title !== '')
		await changeAbout(path.join(folder, sessionId), { title: imported.title, titleBy: 'model' });
	return true;
}

function masked({ id, entries }: AgentTranscript): AgentTranscript {
	return { id, entries: entries.map(({ time, ...entry }) => ({ ...maskEntry(entry), time })) };
}

/** Claude Code's transcripts of a folder, newest first; none where there are none. `claudeHome`: usually `~/.claude`. */
export async function claudeTranscripts(
	claudeHome: string,
	cwd: string,
): Promise<readonly { readonly file: string; readonly mtime: number; readonly size: number }[]> {
	const folder = path.join(claudeHome, 'projects', projectSlug(cwd));
	const names = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.jsonl'));
	const found = await Promise.all(
		names.map(async (name) => {
			const file = path.join(folder, name);
			const stats = await stat(file).catch(() => undefined);
			return stats?.isFile() ? [{ file, mtime: stats.mtimeMs, size: stats.size }] : [];
		}),
	);
	return found.flat().toSorted((a, b) => b.mtime - a.mtime);
}
