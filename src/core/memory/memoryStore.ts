// The project's own memory: short Markdown files in `.loopwright/memory`, written by the agent (only when the person has
// turned that on) and by the person. Adapter: `FolderMemoryStore`.
import { limits } from '../limits.ts';
import { clip } from '../util/text.ts';

export interface MemoryFile {
	/** File name, such as `testing.md`. */
	readonly name: string;
	readonly text: string;
}

export interface MemoryStore {
	/** The files by name, at most `limits.memoryFiles`; none when there is no folder. Rejects when it cannot be read. */
	list(): Promise<readonly MemoryFile[]>;
	/**
	 * Writes a file, or takes it away when `text` is undefined. Contract: changes nothing and gives false when the file's text
	 * is not `expected` (undefined: it must not exist); rejects for a name that is no memory file.
	 */
	change(name: string, expected: string | undefined, text: string | undefined): Promise<boolean>;
}

/** Names that memory files may have: nothing in them leads out of the folder. */
export function isMemoryName(name: string): boolean {
	return /^[a-z0-9][a-z0-9_-]{0,59}\.md$/i.test(name);
}

/** How a note stands in what the model reads; by its heading it is found again there. */
export function noteText({ name, text }: MemoryFile): string {
	return `${noteHeading(name)}\n${clip(text.trim(), limits.memoryFileChars)}`;
}

export function noteHeading(name: string): string {
	return `## ${name}`;
}

/** The memory as one text for the model; empty when there is none. At most `limits.memoryChars`, and says what is missing. */
export function memoryText(files: readonly MemoryFile[]): string {
	const parts: string[] = [];
	let left: number = limits.memoryChars;
	for (const { name, text } of files) {
		if (text.trim() === '') continue;
		const shown = clip(text.trim(), Math.min(limits.memoryFileChars, Math.max(left, 0)));
		left -= shown.length;
		parts.push(
			left > 0 ? `${noteHeading(name)}\n${shown}` : `${noteHeading(name)}\n(left out: the memory is too large)`,
		);
	}
	return parts.join('\n\n');
}
