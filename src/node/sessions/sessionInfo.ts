// What a list of sessions shows of one, from the two ends of its transcript.
import { open, type FileHandle } from 'node:fs/promises';
import type { StoredEntry } from '../../core/messages/journal.ts';
import { textOf } from '../../core/messages/types.ts';
import { totals } from '../../core/session/resume.ts';
import { leaseHolder } from './lease.ts';
import { linesBackward, readRange } from './linesOfFile.ts';
import type { SessionAbout } from './sessionAbout.ts';
import { parseTranscript, readLine } from './transcriptFile.ts';

/** `open`: somebody writes to it; `interrupted`: its last exchange has no end. */
export type SessionState = 'open' | 'interrupted' | 'ended';

export interface SessionInfo {
	readonly id: string;
	/** The folder whose sessions were asked for. */
	readonly root: string;
	/** The folder that it was started in; empty when its first entry cannot be read. */
	readonly cwd: string;
	/** Of the person or the model, else the first prompt; empty when there is none. At most 200 characters. */
	readonly title: string;
	readonly titleBy: 'person' | 'model' | 'prompt';
	/** Last written to, milliseconds since the epoch. */
	readonly mtime: number;
	/** Bytes of the transcript. */
	readonly size: number;
	/** USD; null when it is not known. */
	readonly costUsd: number | null;
	readonly state: SessionState;
	readonly pinned: boolean;
	readonly archived: boolean;
}

/** What depends on the transcript alone. */
export interface TranscriptEnds {
	readonly cwd: string;
	readonly firstPrompt: string;
	readonly costUsd: number | null;
	readonly interrupted: boolean;
}

/** What the disk says of one. */
export interface FoundSession {
	readonly id: string;
	readonly root: string;
	readonly mtime: number;
	readonly size: number;
	/** Of its own files. */
	readonly folder: string;
}

const headBytes = 64 * 1024;
/** Of an end without a sum in it no more than this is read. */
const tailBytes = 512 * 1024;
const promptShown = 200;

/** Rejects when the file cannot be read. */
export async function readEnds(file: string, size: number): Promise<TranscriptEnds> {
	const handle = await open(file, 'r');
	try {
		const head = parseTranscript((await readRange(handle, 0, Math.min(size, headBytes))).toString('utf8')).entries;
		const tail = size <= headBytes ? head : await readTail(handle, size);
		const whole = size <= headBytes || tail.some((entry) => entry.type === 'exchange_end' && entry.spent !== undefined);
		return {
			cwd: head.find((entry) => entry.type === 'session')?.cwd ?? '',
			firstPrompt: firstPrompt(head),
			costUsd: whole ? totals(tail).costUsd : null,
			interrupted: isInterrupted(tail),
		};
	} finally {
		await handle.close();
	}
}

export function infoOf(
	{ id, root, mtime, size, folder }: FoundSession,
	{ cwd, firstPrompt, costUsd, interrupted }: TranscriptEnds,
	{ title, titleBy, pinned, archived }: SessionAbout,
): SessionInfo {
	const state = leaseHolder(folder) ? 'open' : interrupted ? 'interrupted' : 'ended';
	return {
		id,
		root,
		cwd,
		mtime,
		size,
		costUsd,
		state,
		title: title ?? firstPrompt,
		titleBy: title === undefined ? 'prompt' : (titleBy ?? 'person'),
		pinned: pinned === true,
		archived: archived === true,
	};
}

/** From the last end of an exchange on, which has the sum. */
async function readTail(handle: FileHandle, size: number): Promise<readonly StoredEntry[]> {
	const reversed: StoredEntry[] = [];
	for await (const { start, text } of linesBackward(handle, size)) {
		const { entry } = readLine(text);
		if (entry) reversed.push(entry);
		if ((entry?.type === 'exchange_end' && entry.spent) || size - start > tailBytes) break;
	}
	return reversed.toReversed();
}

function firstPrompt(entries: readonly StoredEntry[]): string {
	const first = entries.find((entry) => entry.type === 'user' && entry.message.origin === 'prompt');
	return first?.type === 'user' ? textOf(first.message).replace(/\s+/g, ' ').trim().slice(0, promptShown) : '';
}

function isInterrupted(entries: readonly StoredEntry[]): boolean {
	const last = entries.findLast(
		({ type }) =>
			type === 'exchange_end' || type === 'rewound' || type === 'switched' || type === 'user' || type === 'request',
	);
	return last?.type === 'user' || last?.type === 'request';
}
