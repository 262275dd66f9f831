// The transcripts of a session's subagents, in the session's own folder: `subagents/<agent id>.jsonl`. Each is one of the session's
// files, never a session.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { AgentTranscript } from '../../core/session/sessionExport.ts';
import { fileName } from './fileResultStore.ts';
import { formatLine, parseTranscript } from './transcriptFile.ts';

const extension = '.jsonl';
const lineEnd = 0x0a;

export interface AgentFile {
	readonly id: string;
	/** Absolute. */
	readonly file: string;
	/** Last written to, milliseconds since the epoch. */
	readonly mtime: number;
}

/** `folder`: of the session's own files. */
export function agentFile(folder: string, agentId: string): string {
	return path.join(folder, 'subagents', fileName(agentId) + extension);
}

/** By id; none where there are none. */
export async function agentFiles(folder: string): Promise<readonly AgentFile[]> {
	const names = await readdir(path.join(folder, 'subagents')).catch(() => [] as string[]);
	const found = names
		.filter((name) => name.endsWith(extension))
		.toSorted()
		.map(async (name) => {
			const file = path.join(folder, 'subagents', name);
			const stats = await stat(file).catch(() => undefined);
			const id = name.slice(0, -extension.length);
			return stats?.isFile() ? [{ id, file, mtime: stats.mtimeMs }] : [];
		});
	return (await Promise.all(found)).flat();
}

/** Those that were written to since then (milliseconds since the epoch). Those that cannot be read are left out. */
export async function readAgents(folder: string, since = 0): Promise<readonly AgentTranscript[]> {
	const agents: AgentTranscript[] = [];
	for (const { id, file, mtime } of await agentFiles(folder)) {
		if (mtime < since) continue;
		const text = await readFile(file, 'utf8').catch(() => '');
		if (text !== '') agents.push({ id, entries: parseTranscript(text).entries });
	}
	return agents;
}

/** Rejects when one cannot be written. */
export async function writeAgents(folder: string, agents: readonly AgentTranscript[]): Promise<void> {
	if (agents.length === 0) return;
	await makeFolder(folder);
	for (const { id, entries } of agents) {
		const lines = entries.map(({ time, ...entry }) => formatLine(entry, time));
		await writeFile(agentFile(folder, id), lines.join(''), { mode: 0o600 });
	}
}

/** Takes those to another session that `wanted` names; damage and all. Rejects when one cannot be written. */
export async function copyAgents(from: string, to: string, wanted: (id: string) => boolean): Promise<void> {
	const files = (await agentFiles(from)).filter(({ id }) => wanted(id));
	if (files.length === 0) return;
	await makeFolder(to);
	for (const { id, file } of files) await copyFile(file, agentFile(to, id));
}

/** The ids that cards of subagents name. */
export function agentsNamedIn(entries: readonly StoredEntry[]): ReadonlySet<string> {
	const ids = new Set<string>();
	for (const entry of entries) {
		if (entry.type !== 'tool_result' || entry.view.kind !== 'agent' || entry.view.agentId === undefined) continue;
		ids.add(fileName(entry.view.agentId));
	}
	return ids;
}

/** How a file that is gone on with ends; nothing where there is none. */
export function endOf(file: string): { readonly torn?: boolean; readonly lastTime?: number } {
	let descriptor: number;
	try {
		descriptor = openSync(file, 'r');
	} catch {
		return {};
	}
	try {
		const { size, mtimeMs } = fstatSync(descriptor);
		const last = Buffer.alloc(1);
		const torn = size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== lineEnd;
		return { torn, lastTime: Math.floor(mtimeMs) };
	} catch {
		return {};
	} finally {
		closeSync(descriptor);
	}
}

async function makeFolder(folder: string): Promise<void> {
	await mkdir(path.join(folder, 'subagents'), { recursive: true, mode: 0o700 });
}
