// A session as a file for people (Markdown) and for programs (JSON), and the way back. Pure. Contract: what is exported and
// imported again goes on with the same conversation.
import { activeEntries } from '../messages/activeEntries.ts';
import { hasShape } from '../messages/entryShape.ts';
import type { Entry, StoredEntry } from '../messages/journal.ts';
import { textOf } from '../messages/types.ts';

const format = 'loopwright-session';
const formatVersion = 1;
/** Characters of one result in Markdown. */
const longestResult = 4000;

/** In the language of the person. */
export interface ExportWords {
	readonly you: string;
	readonly agent: string;
	/** Stands where a long result was cut. */
	readonly cut: string;
}

export function sessionMarkdown(title: string, entries: readonly StoredEntry[], words: ExportWords): string {
	const parts = [`# ${title.replaceAll('\n', ' ')}`];
	let speaker = '';
	const say = (who: string, text: string) => {
		if (who !== speaker) parts.push(`## ${who}`);
		speaker = who;
		parts.push(text);
	};
	const active = activeEntries(entries);
	const retracted = new Set(active.flatMap((entry) => (entry.type === 'tombstone' ? [entry.messageId] : [])));
	for (const entry of active) {
		if (entry.type === 'user' && entry.message.origin === 'prompt') say(words.you, textOf(entry.message));
		if (entry.type === 'block' && !retracted.has(entry.messageId)) {
			const { block } = entry;
			if (block.type === 'text' && block.text.trim() !== '') say(words.agent, block.text);
			if (block.type === 'tool_use')
				say(words.agent, `**${block.name}**\n\n${fenced(JSON.stringify(block.input, undefined, 2), 'json')}`);
		}
		if (entry.type === 'tool_result') {
			const text = entry.result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
			const shown = text.length > longestResult ? `${text.slice(0, longestResult)}\n${words.cut}` : text;
			if (shown.trim() !== '') say(words.agent, fenced(shown, ''));
		}
	}
	return `${parts.join('\n\n')}\n`;
}

/** A fence that is longer than any inside. */
function fenced(text: string, language: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}

/** The transcript of one of a session's subagents. */
export interface AgentTranscript {
	readonly id: string;
	readonly entries: readonly StoredEntry[];
}

export interface ImportedSession {
	readonly title: string;
	readonly entries: readonly StoredEntry[];
}

export interface SessionContent extends ImportedSession {
	readonly subagents: readonly AgentTranscript[];
}

/** `time`: milliseconds since the epoch. */
export function sessionJson({ title, entries, subagents }: SessionContent, time: number): string {
	const content = { format, version: formatVersion, title, exported: time, entries };
	const whole = subagents.length > 0 ? { ...content, subagents } : content;
	return `${JSON.stringify(whole, undefined, '\t')}\n`;
}

/** Undefined for anything that is no export of ours. Entries that cannot be read, and the first one, are left out. */
export function readSessionJson(text: string): SessionContent | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isFields(value) || value['format'] !== format || !Array.isArray(value['entries'])) return undefined;
	const { title, subagents } = value;
	const entries = value['entries'].filter(isStored).filter(({ type }) => type !== 'session');
	return {
		title: typeof title === 'string' ? title : '',
		entries,
		subagents: Array.isArray(subagents) ? subagents.flatMap(agentOf) : [],
	};
}

function agentOf(value: unknown): readonly AgentTranscript[] {
	if (!isFields(value) || !Array.isArray(value['entries'])) return [];
	const { id } = value;
	return typeof id === 'string' ? [{ id, entries: value['entries'].filter(isStored) }] : [];
}

function isStored(value: unknown): value is Entry & { readonly time: number } {
	if (!isFields(value) || typeof value['type'] !== 'string' || typeof value['time'] !== 'number') return false;
	return hasShape({ ...value, type: value['type'] });
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
