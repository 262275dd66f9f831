// Changes of the memory as a model words them: JSON in an answer, checked and bounded before anything is written.
import * as z from 'zod';
import { limits } from '../limits.ts';
import type { MemoryFile, MemoryStore } from './memoryStore.ts';
import { isMemoryName } from './memoryStore.ts';

const schema = z.object({
	write: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
	remove: z.array(z.string()).default([]),
});

export interface MemoryChange {
	readonly name: string;
	/** Undefined takes the file away. */
	readonly text: string | undefined;
}

/** What the model is told about the form of its answer. */
export const changeFormat = `Answer with one JSON object and nothing else:
{"write": [{"name": "short-topic.md", "text": "the whole new text of the file"}], "remove": ["obsolete.md"]}
Names are lower-case words joined by hyphens, ending in .md. Both lists may be empty.`;

/** The changes in an answer; none when it holds no such object. What is no memory file, too long, or no change is left out. */
export function parseChanges(answer: string, files: readonly MemoryFile[]): readonly MemoryChange[] {
	const parsed = schema.safeParse(jsonIn(answer));
	if (!parsed.success) return [];
	const known = new Map(files.map(({ name, text }) => [name, text]));
	const changes = new Map<string, MemoryChange>();
	for (const name of parsed.data.remove) if (known.has(name)) changes.set(name, { name, text: undefined });
	for (const { name, text } of parsed.data.write) {
		const fits = isMemoryName(name) && text.trim() !== '' && text.length <= limits.memoryFileChars;
		const isNew = !known.has(name);
		if (!fits || known.get(name)?.trim() === text.trim()) continue;
		if (isNew && known.size + [...changes.keys()].filter((key) => !known.has(key)).length >= limits.memoryFiles)
			continue;
		changes.set(name, { name, text: `${text.trim()}\n` });
	}
	return [...changes.values()];
}

/** Writes the changes; a file that has changed since it was listed stays as it is. Returns the names that were changed. */
export async function applyChanges(
	changes: readonly MemoryChange[],
	files: readonly MemoryFile[],
	store: MemoryStore,
): Promise<readonly string[]> {
	const known = new Map(files.map(({ name, text }) => [name, text]));
	const done: string[] = [];
	for (const { name, text } of changes) if (await store.change(name, known.get(name), text)) done.push(name);
	return done;
}

/** The object between the first brace and the last; models like to say something around it. */
function jsonIn(answer: string): unknown {
	const start = answer.indexOf('{');
	const end = answer.lastIndexOf('}');
	if (start < 0 || end <= start) return undefined;
	try {
		return JSON.parse(answer.slice(start, end + 1));
	} catch {
		return undefined;
	}
}
