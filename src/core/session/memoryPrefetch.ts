// Notes of the project's memory that concern the turn and that the model has not before it as they are: changed or added since
// the conversation began, or left out of its first message for their size. Looked for while the model answers, by words alone.
import type { AttachmentSource } from '../loop/params.ts';
import { limits } from '../limits.ts';
import type { MemoryFile } from '../memory/memoryStore.ts';
import { noteHeading, noteText } from '../memory/memoryStore.ts';
import { relevantNotes } from '../memory/relevantNotes.ts';
import type { Message } from '../messages/types.ts';
import { textOf, toolUses } from '../messages/types.ts';
import { clip } from '../util/text.ts';
import type { EngineOptions, SessionEvent } from './options.ts';

/** One for each conversation. */
export class MemoryPrefetch {
	private readonly options: EngineOptions;
	private lastLook = -Infinity;
	/** Names of notes that came of this conversation itself: it knows what they say. */
	private readonly own = new Set<string>();
	private readonly ownTexts = new Map<string, string>();

	constructor(options: EngineOptions) {
		this.options = options;
	}

	note(event: SessionEvent): void {
		if (event.type === 'memory_changed') for (const name of event.names) this.own.add(name);
	}

	/** Contract: as `AttachmentSource`. Nothing while the memory is off; a memory that cannot be read is an empty one. */
	readonly source: AttachmentSource = async ({ messages, sent }, signal) => {
		const { ports, settings } = this.options;
		const now = ports.clock.now();
		if (!ports.memory || !settings().background?.memory || now - this.lastLook < limits.memoryLookEveryMs) return [];
		this.lastLook = now;
		const files = await ports.memory.list().catch(() => []);
		if (signal.aborted) return [];
		for (const file of files) if (this.own.delete(file.name)) this.ownTexts.set(file.name, file.text);
		const others = files.filter(({ name, text }) => text.trim() !== '' && this.ownTexts.get(name) !== text);
		const relevant = relevantNotes(subjectOf(messages), others);
		if (relevant.length === 0) return [];
		const before = sent().flatMap(hiddenTexts);
		const fresh = relevant.filter((file) => !isToldIn(before, file));
		if (fresh.length === 0) return [];
		const notes = fresh.map(noteText).join('\n\n');
		return [
			`<memory-notes>\nFrom earlier sessions in this project; they may be out of date.\n\n${notes}\n</memory-notes>`,
		];
	};
}

/** What the turn is about: what the person said last, and what the agent has asked its tools for last. */
function subjectOf(messages: readonly Message[]): string {
	const prompt = messages.findLast((message) => message.role === 'user' && message.origin === 'prompt');
	const answer = messages.findLast((message) => message.role === 'assistant');
	const calls = answer?.role === 'assistant' ? toolUses(answer) : [];
	const inputs = calls.map(({ input }) => {
		const texts = Object.values(input).filter((value) => typeof value === 'string');
		return clip(texts.join(' '), limits.digestCallChars);
	});
	return [prompt ? clip(textOf(prompt), limits.digestPartChars) : '', ...inputs].join('\n');
}

function hiddenTexts(message: Message): readonly string[] {
	if (message.role !== 'user' || message.origin !== 'hidden') return [];
	return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** True when the last version of a note in these texts is the one that it has now. */
function isToldIn(texts: readonly string[], file: MemoryFile): boolean {
	const heading = `${noteHeading(file.name)}\n`;
	const text = texts.findLast((candidate) => candidate.includes(heading)) ?? '';
	const at = text.lastIndexOf(heading);
	const note = noteText(file);
	return (
		at >= 0 && text.startsWith(note, at) && /^\s*(?:$|## |<\/)/.test(text.slice(at + note.length, at + note.length + 8))
	);
}
