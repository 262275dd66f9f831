// Phase 5: what the next turn should know besides the results: what the attachment sources found, work in the background that
// has ended, what the person typed while the tools ran. The sources start with the model call; one that is late or fails is
// left out, never waited for.
import type { Message, UserMessage } from '../messages/types.ts';
import { textOf } from '../messages/types.ts';
import type { FinishedWork } from '../ports/finishedWork.ts';
import type { QueryDeps } from './deps.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { hiddenMessage } from './record.ts';
import type { State } from './state.ts';
import { systemNote, writeNotes, writePrompt } from './writePrompt.ts';
import type { WrittenPrompt } from './writePrompt.ts';

/** Notes that have arrived so far, in the order of their sources. */
export interface Prefetch {
	ready(): readonly string[];
}

export function startPrefetch(state: State, params: QueryParams): Prefetch {
	const sources = params.attachmentSources ?? [];
	const found: (readonly string[])[] = sources.map(() => []);
	const { messages, changes, turnCount: turn } = state;
	const input = { messages, turn, sent: () => params.context.cache.projected(messages, changes) };
	sources.forEach((source, index) => {
		source(input, params.signal).then(
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
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, readonly UserMessage[]> {
	const attached: UserMessage[] = [];
	const due = (await params.dueNotes?.(state.messages, params.signal)) ?? [];
	const notes = [...due, ...prefetch.ready()];
	if (notes.length > 0) {
		const message = await writeNotes(notes, params.deps);
		yield { type: 'context_attached', message, notes };
		attached.push(message);
	}
	for (const message of await tellFinished(state.messages, params.finishedWork, params.deps)) {
		yield { type: 'context_attached', message, notes: [textOf(message)] };
		attached.push(message);
	}
	for (let prompt = params.queue.take(); prompt; prompt = params.queue.take()) {
		let written: WrittenPrompt;
		try {
			written = await writePrompt(prompt, params.deps);
		} catch (error) {
			params.queue.putBack(prompt);
			throw error;
		}
		yield { type: 'prompt_taken', message: written.message, queueId: prompt.id };
		for (const message of written.attached) yield { type: 'context_attached', message, notes: written.notes };
		attached.push(written.message, ...written.attached);
	}
	return attached;
}

/**
 * Notes on work in the background that has ended, written down; the first that ended comes first. Contract: each once in a
 * conversation, whenever it is resumed: a note's id is that of its task.
 */
export async function tellFinished(
	messages: readonly Message[],
	work: FinishedWork | undefined,
	deps: Pick<QueryDeps, 'journal' | 'clock'>,
): Promise<readonly UserMessage[]> {
	if (!work || work.finished.length === 0) return [];
	const known = new Set(messages.map(({ id }) => id));
	const told: UserMessage[] = [];
	// A port may forget at once what was told.
	const ended = [...work.finished];
	for (const { id: taskId, note } of ended) {
		const id = `finished-${taskId}`;
		if (!known.has(id)) {
			const message = hiddenMessage(systemNote([note]), { uuid: () => id, clock: deps.clock });
			await deps.journal.append({ type: 'user', message });
			known.add(id);
			told.push(message);
		}
		work.told(taskId);
	}
	return told;
}
