// For attachment sources that tell each thing once: what counts as told is what stands in the conversation. A note that came
// too late, and was dropped with its turn, is told at the next.
import type { Message } from '../messages/types.ts';

/** What a source knows, kept apart from what it will know once its note is told. Contract: `known` never runs ahead of the conversation. */
export class ToldNotes<T> {
	private now: T;
	private waiting: { readonly note: string; readonly known: T } | undefined;

	constructor(known: T) {
		this.now = known;
	}

	/** What has been told, by the conversation as it is. */
	known(messages: readonly Message[]): T {
		const { waiting } = this;
		this.waiting = undefined;
		if (waiting && stands(waiting.note, messages)) this.now = waiting.known;
		return this.now;
	}

	/** What will be known when the note is told; at once when there is nothing to tell. */
	tell(note: string | undefined, known: T): readonly string[] {
		if (note === undefined) {
			this.now = known;
			return [];
		}
		this.waiting = { note, known };
		return [note];
	}
}

function stands(note: string, messages: readonly Message[]): boolean {
	return messages.some(
		(message) =>
			message.role === 'user' &&
			message.origin === 'hidden' &&
			message.content.some((block) => block.type === 'text' && block.text.includes(note)),
	);
}
