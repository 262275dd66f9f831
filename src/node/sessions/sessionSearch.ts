// Looks for words in what was said and done in sessions. Streams: hits come as they are found, newest sessions first, and whoever
// stops listening stops the search.
import { open } from 'node:fs/promises';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { JsonObject } from '../../core/messages/types.ts';
import { agentFiles } from './agentTranscripts.ts';
import { readRange } from './linesOfFile.ts';
import { folderOf } from './sessionStore.ts';
import { readLine } from './transcriptFile.ts';

export interface SessionHit {
	readonly sessionId: string;
	/** The person, the model, or a tool's result. */
	readonly from: 'person' | 'model' | 'tool';
	/** The words with what stands around them, in one line; `at`: where they begin in it. */
	readonly snippet: string;
	readonly at: number;
	/** Of the subagent that it happened in; absent for the conversation itself. */
	readonly agentId?: string;
	/** Of the message or call. */
	readonly messageId: string;
	/** Bytes from the beginning of the transcript that it is in. */
	readonly offset: number;
	/** Milliseconds since the epoch. */
	readonly time: number;
}

export interface SearchedSession {
	readonly id: string;
	readonly file: string;
}

export interface SearchOrder {
	readonly sessions: readonly SearchedSession[];
	/** Looked for as it is, whatever the case. */
	readonly text: string;
	readonly signal: AbortSignal;
	/** Hits, at most: in all, and of one session. */
	readonly most?: number;
	readonly mostOfOne?: number;
}

const chunkBytes = 1024 * 1024;
const lineEnd = 0x0a;
const around = 60;

/** Contract: ends without a word when it is cancelled; a transcript that cannot be read is left out. */
export async function* searchSessions(order: SearchOrder): AsyncGenerator<SessionHit, void> {
	const { sessions, signal, most = 200, mostOfOne = 5 } = order;
	const text = order.text.trim().toLowerCase();
	if (text === '') return;
	let left = most;
	for (const session of sessions) {
		let ofOne = mostOfOne;
		for await (const hit of hitsOf(session, text, signal)) {
			yield hit;
			if (--left <= 0) return;
			if (--ofOne <= 0) break;
		}
		if (signal.aborted) return;
	}
}

/** In what was said itself first, then in what its subagents did. */
async function* hitsOf(session: SearchedSession, text: string, signal: AbortSignal): AsyncGenerator<SessionHit, void> {
	yield* hitsIn(session, text, signal);
	for (const agent of signal.aborted ? [] : await agentFiles(folderOf(session.file))) {
		const inAgent = hitsIn({ id: session.id, file: agent.file }, text, signal);
		for await (const hit of inAgent) yield { ...hit, agentId: agent.id };
	}
}

async function* hitsIn(
	{ id, file }: SearchedSession,
	text: string,
	signal: AbortSignal,
): AsyncGenerator<SessionHit, void> {
	const handle = await open(file, 'r').catch(() => undefined);
	if (!handle) return;
	// As it stands in a line of JSON.
	const written = JSON.stringify(text).slice(1, -1);
	try {
		let rest: Buffer = Buffer.alloc(0);
		for (let at = 0; !signal.aborted; at += chunkBytes) {
			const chunk = await readRange(handle, at, at + chunkBytes);
			const bytes = Buffer.concat([rest, chunk]);
			const end = chunk.length < chunkBytes ? bytes.length : bytes.lastIndexOf(lineEnd) + 1;
			let offset = at - rest.length;
			for (const line of bytes.toString('utf8', 0, end).split('\n')) {
				if (line.toLowerCase().includes(written)) {
					const hit = hitOf(readLine(line).entry, text);
					if (hit) yield { ...hit, sessionId: id, offset };
				}
				offset += Buffer.byteLength(line) + 1;
			}
			if (chunk.length < chunkBytes) return;
			rest = bytes.subarray(end);
		}
	} finally {
		await handle.close();
	}
}

function hitOf(entry: StoredEntry | undefined, text: string): Omit<SessionHit, 'sessionId' | 'offset'> | undefined {
	const said = entry && saidIn(entry);
	if (!said) return undefined;
	const at = said.text.toLowerCase().indexOf(text);
	if (at < 0) return undefined;
	const begin = Math.max(0, at - around);
	const plain = (part: string) => part.replace(/\s+/g, ' ');
	const before = plain(said.text.slice(begin, at));
	const snippet = before + plain(said.text.slice(at, at + text.length + around));
	return { from: said.from, messageId: said.id, time: entry.time, snippet, at: before.length };
}

function saidIn(
	entry: StoredEntry,
): { readonly from: SessionHit['from']; readonly id: string; readonly text: string } | undefined {
	switch (entry.type) {
		case 'user':
			if (entry.message.origin !== 'prompt') return undefined;
			return { from: 'person', id: entry.message.id, text: texts(entry.message.content) };
		case 'block':
			if (entry.block.type === 'text') return { from: 'model', id: entry.messageId, text: entry.block.text };
			if (entry.block.type !== 'tool_use') return undefined;
			return { from: 'model', id: entry.messageId, text: inputText(entry.block.input) };
		case 'tool_result':
			return { from: 'tool', id: entry.toolUseId, text: texts(entry.result.content) };
		default:
			return undefined;
	}
}

function inputText(input: JsonObject): string {
	return Object.values(input)
		.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
		.join('\n');
}

function texts(content: readonly { readonly type: string; readonly text?: string }[]): string {
	return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
