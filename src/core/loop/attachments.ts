// Phase 5: what the next turn should know besides the results: what the person typed while the tools ran, and what the
// attachment sources found. The sources start with the model call; one that is late or fails is left out, never waited for.
import type { UserMessage } from '../messages/types.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { hiddenMessage, ownMessage } from './record.ts';
import type { State } from './state.ts';

/** Notes that have arrived so far, in the order of their sources. */
export interface Prefetch {
	ready(): readonly string[];
}

export function startPrefetch(state: State, params: QueryParams): Prefetch {
	const sources = params.attachmentSources ?? [];
	const found: (readonly string[])[] = sources.map(() => []);
	sources.forEach((source, index) => {
		source({ messages: state.messages, turn: state.turnCount }, params.signal).then(
			(notes) => {
				found[index] = notes;
			},
			() => {
				// A source that breaks its contract is a source that found nothing.
			},
		);
	});
	return { ready: () => found.flat().filter((note) => note.trim() !== '') };
}

export async function* attachContext(
	prefetch: Prefetch,
	_state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, readonly UserMessage[]> {
	const { journal } = params.deps;
	const attached: UserMessage[] = [];
	const notes = prefetch.ready();
	if (notes.length > 0) {
		const message = hiddenMessage(`<system-note>\n${notes.join('\n\n')}\n</system-note>`, params.deps);
		await journal.append({ type: 'user', message });
		yield { type: 'context_attached', message, notes };
		attached.push(message);
	}
	for (let prompt = params.queue.take(); prompt; prompt = params.queue.take()) {
		const message = ownMessage(prompt.text, 'prompt', params.deps);
		await journal.append({ type: 'user', message });
		yield { type: 'prompt_taken', message, queueId: prompt.id };
		attached.push(message);
	}
	return attached;
}
