// Everything the loop needs from outside, as one plain object: tests spread it and replace one function.
import type { AnswerOutcome, AnswerSignal } from '../model/answer.ts';
import type { ModelRequest } from '../model/client.ts';
import type { Message, Usage } from '../messages/types.ts';
import type { Clock, NewId } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { State } from './state.ts';

export interface QueryDeps {
	/** Streams one answer. Contract: never throws for failures of the service; they are in the outcome. */
	callModel(request: ModelRequest, signal: AbortSignal): AsyncGenerator<AnswerSignal, AnswerOutcome>;
	/** Makes old tool outputs small; gives back what is to be sent (loop.md 5). */
	microcompact(messages: readonly Message[]): readonly Message[];
	/** Summarises when the window is nearly full; `undefined` when there is nothing to do. */
	autocompact(state: State, signal: AbortSignal): Promise<readonly Message[] | undefined>;
	readonly journal: Journal;
	/** USD of an answer; null when the model's prices are unknown. */
	cost(model: string, usage: Usage): number | null;
	uuid: NewId;
	readonly clock: Clock;
}
