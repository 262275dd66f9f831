// A transcript as text: one JSON object per line. Reading is tolerant (a broken line costs that line only), writing is
// append-only, one line per write, in order.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Entry, Journal, StoredEntry } from '../../core/messages/journal.ts';

export interface Transcript {
	readonly entries: readonly StoredEntry[];
	/** Lines that could not be read. */
	readonly damaged: number;
}

/**
 * The entries of a transcript. Kinds and versions that this program does not know are kept as they are. Where two records
 * were glued together because the first was cut, the second is rescued.
 */
export function parseTranscript(text: string): Transcript {
	const entries: StoredEntry[] = [];
	let damaged = 0;
	for (const line of text.split('\n')) {
		if (line.trim() === '') continue;
		const entry = parseLine(line);
		if (entry) {
			entries.push(entry);
			continue;
		}
		damaged++;
		const rescued = rescue(line);
		if (rescued) entries.push(rescued);
	}
	return { entries, damaged };
}

/** Every line starts like this (`formatLine`), and inside of a JSON string the quotes would be escaped. */
const lineStart = '{"time":';

/** A whole record at the end of a line that begins with half of another. */
function rescue(line: string): StoredEntry | undefined {
	const at = line.lastIndexOf(lineStart);
	return at > 0 ? parseLine(line.slice(at)) : undefined;
}

function parseLine(line: string): StoredEntry | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isEntry(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function isEntry(value: unknown): value is StoredEntry {
	if (typeof value !== 'object' || value === null) return false;
	return 'type' in value && typeof value.type === 'string' && 'time' in value && typeof value.time === 'number';
}

/** An entry as a line. JSON escapes line ends, NULs and lone surrogates, so that everything comes back as it was. */
export function formatLine(entry: Entry, time: number): string {
	return `${JSON.stringify({ time, ...entry })}\n`;
}

/**
 * Appends to one transcript. Contract: lines are written whole and in the order of the calls; `append` resolves when the
 * line is with the operating system. After a failed write every later `append` rejects too: a gap would be a false history.
 * Writes synchronously: a line into the system's cache takes some microseconds, a trip through the thread pool a hundred
 * times as long, and each turn waits for half a dozen lines one after the other.
 */
export class FileJournal implements Journal {
	readonly #path: string;
	readonly #now: () => number;
	readonly #startsFresh: boolean;
	/** The descriptor, from the first line on. */
	#file: number | undefined;
	#failure: Error | undefined;

	/** `startsFresh`: the file does not end with a line end, so the first line begins with one. */
	constructor(path: string, now: () => number, startsFresh = false) {
		this.#path = path;
		this.#now = now;
		this.#startsFresh = startsFresh;
	}

	async append(entry: Entry): Promise<void> {
		this.#write(formatLine(entry, this.#now()));
	}

	async close(): Promise<void> {
		if (this.#file !== undefined) closeSync(this.#file);
		this.#file = undefined;
	}

	#write(line: string): void {
		if (this.#failure) throw this.#failure;
		try {
			let text = line;
			if (this.#file === undefined) {
				this.#file = openSync(this.#path, 'a', 0o600);
				if (this.#startsFresh) text = `\n${line}`;
			}
			let offset = writeSync(this.#file, text);
			if (offset === Buffer.byteLength(text)) return;
			const bytes = Buffer.from(text, 'utf8');
			while (offset < bytes.length) offset += writeSync(this.#file, bytes, offset);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			this.#failure = new Error(`The transcript cannot be written: ${reason}`, { cause: error });
			throw this.#failure;
		}
	}
}
