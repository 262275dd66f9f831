// Everything the loop needs from outside, as one plain object: tests spread it and replace one function.
import { readAnswer } from '../model/answer.ts';
import { costOf } from '../model/models.ts';
import type { AnswerOutcome, AnswerSignal } from '../model/answer.ts';
import type { ModelClient, ModelFacts, ModelRequest } from '../model/client.ts';
import type { Usage } from '../messages/types.ts';
import type { Clock, NewId } from '../ports/clock.ts';
import type { Journal } from '../messages/journal.ts';

export interface QueryDeps {
	/** Streams one answer. Contract: never throws for failures of the service; they are in the outcome. */
	callModel(
		request: ModelRequest,
		options: { readonly messageId: string; readonly signal: AbortSignal },
	): AsyncGenerator<AnswerSignal, AnswerOutcome>;
	readonly journal: Journal;
	/** USD of an answer; null when the model's prices are unknown. */
	cost(model: string, usage: Usage): number | null;
	uuid: NewId;
	readonly clock: Clock;
}

/** The real ones, made of adapters. */
export function productionDeps(ports: {
	readonly client: ModelClient;
	readonly journal: Journal;
	readonly clock: Clock;
	readonly uuid: NewId;
	readonly facts: (model: string) => ModelFacts;
}): QueryDeps {
	return {
		callModel: (request, { messageId, signal }) =>
			readAnswer(ports.client.stream(request, signal), {
				model: request.model,
				id: messageId,
				now: () => ports.clock.now(),
				signal,
			}),
		journal: ports.journal,
		cost: (model, usage) => costOf(ports.facts(model), usage),
		uuid: ports.uuid,
		clock: ports.clock,
	};
}
