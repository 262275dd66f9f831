// A transcript as text: one JSON object per line. Reading is tolerant: a broken line costs that line only, and what a later version
// wrote is kept.
import { hasShape } from '../../core/messages/entryShape.ts';
import type { Entry, StoredEntry } from '../../core/messages/journal.ts';

export interface Transcript {
	readonly entries: readonly StoredEntry[];
	/** Lines that could not be read. */
	readonly damaged: number;
}

/**
 * The entries of a transcript. Kinds that this program does not know are kept as they are. Where two records were glued together
 * because the first was cut, the second is rescued.
 */
export function parseTranscript(text: string): Transcript {
	const entries: StoredEntry[] = [];
	let damaged = 0;
	for (const line of text.split('\n')) {
		const read = readLine(line);
		if (read.entry) entries.push(read.entry);
		if (read.damaged) damaged++;
	}
	return { entries, damaged };
}

export interface ReadLine {
	readonly entry: StoredEntry | undefined;
	readonly damaged: boolean;
}

/** One line, without its end. A blank one is no damage. */
export function readLine(line: string): ReadLine {
	if (line.trim() === '') return { entry: undefined, damaged: false };
	const entry = parseLine(line);
	return entry ? { entry, damaged: false } : { entry: rescue(line), damaged: true };
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
	if (!('type' in value) || typeof value.type !== 'string') return false;
	return 'time' in value && typeof value.time === 'number' && hasShape({ ...value, type: value.type });
}

/** An entry as a line. JSON escapes line ends, NULs and lone surrogates, so that everything comes back as it was. */
export function formatLine(entry: Entry, time: number): string {
	return `${JSON.stringify({ time, ...entry })}\n`;
}
