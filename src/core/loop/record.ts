// What the loop writes into the transcript besides answers and results, each before it is used.
import type { ProjectionChange } from '../messages/projection.ts';
import type { UserMessage, UserOrigin } from '../messages/types.ts';
import type { QueryDeps } from './deps.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';

/** Writes changes of the projection down, then tells them. */
export async function* record(
	changes: readonly ProjectionChange[],
	params: QueryParams,
): AsyncGenerator<LoopEvent, void> {
	for (const change of changes) {
		await params.deps.journal.append({ type: 'projection', change });
		yield { type: 'projection_changed', change };
	}
}

/** A user message of our own; hidden from the person unless the origin says otherwise. */
export function ownMessage(text: string, origin: UserOrigin, deps: Pick<QueryDeps, 'uuid' | 'clock'>): UserMessage {
	return { role: 'user', id: deps.uuid(), origin, content: [{ type: 'text', text }], time: deps.clock.now() };
}

export function hiddenMessage(text: string, deps: Pick<QueryDeps, 'uuid' | 'clock'>): UserMessage {
	return ownMessage(text, 'hidden', deps);
}
