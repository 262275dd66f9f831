// Parts of a large transcript: its newest page, older pages, and what the next request needs. Contract: a conversation that is
// resumed from the part sends the same bytes as one that is resumed from the whole.
import { open, type FileHandle } from 'node:fs/promises';
import type { StoredEntry } from '../../core/messages/journal.ts';
import { eachLine, linesBackward } from './linesOfFile.ts';
import { readLine, type Transcript } from './transcriptFile.ts';

export interface TranscriptPage {
	/** In the order of the file, whole exchanges wherever there are any. */
	readonly entries: readonly StoredEntry[];
	/** Where the page begins: what `before` of the page before it has to be. 0: there is none. */
	readonly start: number;
	/** Lines of the page that could not be read. */
	readonly damaged: number;
}

export interface PageOrder {
	/** Bytes; absent: the end of the file. */
	readonly before?: number;
	/** Entries, at least, where there are as many. */
	readonly atLeast?: number;
}

const pageEntries = 400;

/**
 * The entries before a place, from the end on: whole exchanges, so that each can be shown by itself. What was taken back is in the
 * page with all that it took back.
 */
export async function readPage(
	file: string,
	{ before, atLeast = pageEntries }: PageOrder = {},
): Promise<TranscriptPage> {
	return await reading(file, async (handle, size) => await pageBefore(handle, before ?? size, atLeast));
}

async function pageBefore(handle: FileHandle, before: number, atLeast: number): Promise<TranscriptPage> {
	const part = new Part();
	for await (const line of linesBackward(handle, before)) {
		const isEnough = part.size >= atLeast && part.isClosed && part.beginsExchange;
		if (isEnough && endsExchange(line.text)) break;
		part.add(line.text, line.start);
	}
	return part.page;
}

/** Transcripts up to this size, in bytes, are read whole. */
const wholeBytes = 4 * 1024 * 1024;

export interface NewestPage extends TranscriptPage {
	/** Of the transcript, in bytes. */
	readonly size: number;
}

/** The newest page of a transcript that is not read whole at once. */
export async function readNewest(file: string, smallest = wholeBytes): Promise<NewestPage | undefined> {
	return await reading(file, async (handle, size) =>
		size <= smallest ? undefined : { ...(await pageBefore(handle, size, pageEntries)), size },
	);
}

/** All of it, whatever its size: no more of it than a piece is text at a time, and others get their turn between pieces. */
export async function readWhole(file: string): Promise<Transcript> {
	return await reading(file, allEntries);
}

async function allEntries(handle: FileHandle, size: number): Promise<Transcript> {
	const entries: StoredEntry[] = [];
	let damaged = 0;
	await eachLine(handle, size, (bytes, start, to) => {
		const line = readLine(bytes.toString('utf8', start, to));
		if (line.entry) entries.push(line.entry);
		if (line.damaged) damaged++;
	});
	return { entries, damaged };
}

/** `size`: of the file, in bytes. */
async function reading<T>(file: string, read: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
	const handle = await open(file, 'r');
	try {
		return await read(handle, (await handle.stat()).size);
	} finally {
		await handle.close();
	}
}

export interface RequestPart extends Transcript {
	/** Of the transcript, in bytes. */
	readonly size: number;
	/** So small that all of it was read, and can be shown at once. */
	readonly small: boolean;
}

/**
 * What a conversation needs to go on: all entries from the last compaction's boundary on, and of those before it only what still
 * counts. The whole transcript where there is no such boundary.
 */
export async function readForRequest(file: string, smallest = wholeBytes): Promise<RequestPart> {
	return await reading(file, async (handle, size) => {
		const small = size <= smallest;
		const whole = async () => ({ ...(await allEntries(handle, size)), small, size });
		const tail = small ? undefined : await tailFromBoundary(handle, size);
		if (!tail || tail.start === 0) return await whole();
		const kept = await countingEntries(handle, tail.start);
		if (kept.some(leadsElsewhere)) return await whole();
		const counting = await waiting(handle, tail.start, kept.flatMap(withoutContent));
		return { entries: [...counting, ...tail.entries], damaged: tail.damaged, small, size };
	});
}

/** Who it is, the person's settings, what waits, and sums: they outlive a compaction. */
const stillCounting: ReadonlySet<string> = new Set([
	'session',
	'mode',
	'model',
	'queued',
	'unqueued',
	'exchange_end',
	'answer',
	'side_call',
	'rewound',
	'rewind_undone',
	'switched',
]);

/** Of a line only its head is looked at, and of a result what comes after its content: the todo list, the plan, files that were read. */
function mayCount(type: string | undefined, bytes: Buffer, start: number, to: number): boolean {
	if (type === undefined || stillCounting.has(type)) return true;
	if (type === 'block') return bytes.subarray(start, Math.min(to, start + 400)).includes('"name":"ExitPlanMode"');
	if (type !== 'tool_result') return false;
	const view = bytes.subarray(start, to).lastIndexOf('"view":{"kind":"');
	if (view < 0) return true;
	const kind = bytes.toString('latin1', start + view + 16, start + view + 22);
	return (
		kind.startsWith('todos"') ||
		kind.startsWith('plan"') ||
		bytes.subarray(start + view, to).includes('"files":[{"path":')
	);
}

/** Undefined for a line that does not begin as ours do: `{"time":1,"type":"user"`. */
function typeOf(bytes: Buffer, start: number, to: number): string | undefined {
	if (bytes[start] !== brace || bytes[start + lineStart.length] === quote) return undefined;
	const comma = bytes.indexOf(0x2c, start);
	const from = comma + typeField.length;
	if (comma < 0 || from >= to || bytes[from - 1] !== quote) return undefined;
	const end = bytes.indexOf(quote, from);
	if (end < 0 || end - from > longestType || end >= to) return undefined;
	const isOurs =
		bytes.toString('latin1', comma, from) === typeField && bytes.toString('latin1', start, start + 8) === lineStart;
	return isOurs ? bytes.toString('latin1', from, end) : undefined;
}

const brace = 0x7b;
const quote = 0x22;
const lineStart = '{"time":';
const typeField = ',"type":"';
const longestType = 40;

/** A conversation that was led elsewhere is read whole: what counts of it lies on one of several paths. */
function leadsElsewhere({ type }: StoredEntry): boolean {
	return type === 'rewound' || type === 'rewind_undone' || type === 'switched';
}

/** Of a result only what it says about the session; of anything that was said, nothing. */
function withoutContent(entry: StoredEntry): readonly StoredEntry[] {
	if (entry.type === 'tool_result') return [{ ...entry, result: { ...entry.result, content: [] } }];
	if (entry.type === 'block')
		return entry.block.type === 'tool_use' && entry.block.name === 'ExitPlanMode' ? [entry] : [];
	return entry.type === 'user' || entry.type === 'projection' ? [] : [entry];
}

/** What counts of the entries before `end`. Of sums only the last one and what came after it, and the last answer. */
async function countingEntries(handle: FileHandle, end: number): Promise<readonly StoredEntry[]> {
	const kept: string[] = [];
	let spent: string[] = [];
	await eachLine(handle, end, (bytes, start, to) => {
		const type = typeOf(bytes, start, to);
		if (!mayCount(type, bytes, start, to)) return;
		const text = bytes.toString('utf8', start, to);
		if (type !== 'exchange_end' && type !== 'answer' && type !== 'side_call') kept.push(text);
		else if (type === 'exchange_end' && text.includes('"spent":{')) spent = [...spent.filter(isAnswer).slice(-1), text];
		else spent.push(text);
	});
	return [...kept, ...spent].flatMap((line) => readLine(line).entry ?? []);
}

function isAnswer(line: string): boolean {
	return line.includes('"type":"answer"');
}

/** Without the queued prompts that were read. */
async function waiting(
	handle: FileHandle,
	end: number,
	entries: readonly StoredEntry[],
): Promise<readonly StoredEntry[]> {
	const queued = entries.flatMap((entry) => (entry.type === 'queued' ? [entry.id] : []));
	if (queued.length === 0) return entries;
	const read = new Set<string>();
	await eachLine(handle, end, (bytes, start, to) => {
		if (typeOf(bytes, start, to) !== 'user') return;
		const { entry } = readLine(bytes.toString('utf8', start, to));
		if (entry?.type === 'user') read.add(entry.message.id);
	});
	return entries.filter((entry) => entry.type !== 'queued' || !read.has(entry.id));
}

async function tailFromBoundary(handle: FileHandle, size: number): Promise<TranscriptPage | undefined> {
	const part = new Part();
	let upTo: string | undefined;
	let reached = false;
	for await (const line of linesBackward(handle, size)) {
		const entry = part.add(line.text, line.start);
		if (!entry) continue;
		if (leadsElsewhere(entry)) return undefined;
		if (upTo === undefined) {
			if (entry.type === 'projection' && entry.change.kind === 'compacted') upTo = entry.change.upTo;
			continue;
		}
		reached ||= idsOf(entry).includes(upTo);
		// An answer is whole from its request on.
		if (reached && (entry.type === 'user' || entry.type === 'request')) return part.page;
	}
	return undefined;
}

/** Ids of messages that an entry is part of, as a boundary names them. */
function idsOf(entry: StoredEntry): readonly string[] {
	if (entry.type === 'user') return [entry.message.id];
	return entry.type === 'block' ? [entry.messageId, `${entry.messageId}-results`] : [];
}

/** Not what leads elsewhere: whether it does is known only where its message is found, or not. */
function endsExchange(text: string): boolean {
	return readLine(text).entry?.type === 'exchange_end';
}

/** What may stand between the end of an exchange and the message that begins the next one. */
const between: ReadonlySet<string> = new Set([
	'mode',
	'model',
	'queued',
	'unqueued',
	'queue_ordered',
	'side_call',
	'projection',
]);

/** Entries that are read from the end on. */
class Part {
	private readonly reversed: StoredEntry[] = [];
	private start = 0;
	private damaged = 0;
	/** Messages that were gone back to, and have not been found. */
	private readonly sought = new Set<string>();
	private needsRewind = false;
	private needsAll = false;

	get size(): number {
		return this.reversed.length;
	}

	/** What led the conversation elsewhere has all that it is about in the part. */
	get isClosed(): boolean {
		return this.sought.size === 0 && !this.needsRewind && !this.needsAll;
	}

	/** Its first message is one of the person, and nothing of an exchange before it is there. */
	get beginsExchange(): boolean {
		const first = this.reversed.findLast(({ type }) => !between.has(type));
		return first?.type === 'user' && first.message.origin === 'prompt';
	}

	get page(): TranscriptPage {
		return { entries: this.reversed.toReversed(), start: this.start, damaged: this.damaged };
	}

	add(text: string, start: number): StoredEntry | undefined {
		const { entry, damaged } = readLine(text);
		this.start = start;
		if (damaged) this.damaged++;
		if (!entry) return undefined;
		this.reversed.push(entry);
		if (entry.type === 'user') this.sought.delete(entry.message.id);
		if (entry.type === 'switched') this.needsAll = true;
		if (entry.type === 'rewind_undone') this.needsRewind = true;
		if (entry.type === 'rewound') {
			this.sought.add(entry.to);
			this.needsRewind = false;
		}
		return entry;
	}
}
