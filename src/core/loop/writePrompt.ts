// A prompt as it is read: its words, the media beside them, and what its mentions stand for at this moment. Written down as one
// message of the person, and after it one of notes.
import type { QueuedPrompt } from '../messages/journal.ts';
import type { UserMessage } from '../messages/types.ts';
import type { QueryDeps } from './deps.ts';
import { hiddenMessage, ownMessage } from './record.ts';

export interface WrittenPrompt {
	readonly message: UserMessage;
	/** The notes' message, after it; none without notes. */
	readonly attached: readonly UserMessage[];
	readonly notes: readonly string[];
}

export type PromptDeps = Pick<QueryDeps, 'journal' | 'uuid' | 'clock' | 'readPrompt'>;

/** Rejects when it cannot be written down. Its id tells a resumed session that it was read. */
export async function writePrompt(prompt: QueuedPrompt, deps: PromptDeps): Promise<WrittenPrompt> {
	const { media, notes } = deps.readPrompt ? await deps.readPrompt(prompt) : { media: [], notes: [] };
	const said = ownMessage(prompt.text, 'prompt', deps);
	const { attachments } = prompt;
	const message: UserMessage = {
		...said,
		id: prompt.id,
		content: [...media, ...said.content],
		...(attachments && attachments.length > 0 ? { attachments } : {}),
	};
	await deps.journal.append({ type: 'user', message });
	return { message, attached: notes.length === 0 ? [] : [await writeNotes(notes, deps)], notes };
}

/** A message of our own with notes for the model, written down. */
export async function writeNotes(
	notes: readonly string[],
	deps: Pick<QueryDeps, 'journal' | 'uuid' | 'clock'>,
): Promise<UserMessage> {
	const message = hiddenMessage(systemNote(notes), deps);
	await deps.journal.append({ type: 'user', message });
	return message;
}

export function systemNote(notes: readonly string[]): string {
	return `<system-note>\n${notes.join('\n\n')}\n</system-note>`;
}
