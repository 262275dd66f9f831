// Taking an answer back: from the transcript, the view and the executor, as if it had never come.
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { Turn } from './turn.ts';

/** Takes the answer back from everywhere: transcript, view, executor. Contract: only while no unsafe call has started. */
export async function* retract(turn: Turn, params: QueryParams): AsyncGenerator<LoopEvent, void> {
	turn.executor.discard();
	await turn.executor.idle();
	turn.executor.dispose();
	const messageId = turn.answer.message.id;
	await params.deps.journal.append({ type: 'tombstone', messageId });
	yield { type: 'answer_retracted', messageId };
}
