// Everything the loop needs from outside, as one plain object: tests spread it and replace one function.
import { callModel, type CallOptions } from '../model/callModel.ts';
import type { RetryPolicy } from '../model/retry.ts';
import { costOf } from '../model/models.ts';
import type { AnswerOutcome, AnswerSignal } from '../model/answer.ts';
import type { ModelClient, ModelFacts, ModelRequest } from '../model/client.ts';
import type { Usage } from '../messages/types.ts';
import type { Clock, NewId } from '../ports/clock.ts';
import type { Journal } from '../messages/journal.ts';
import type { PromptReader } from './promptParts.ts';

export interface QueryDeps {
	/** Streams one answer. Contract: never throws for failures of the service; they are in the outcome. */
	callModel(request: ModelRequest, options: CallOptions): AsyncGenerator<AnswerSignal, AnswerOutcome>;
	readonly journal: Journal;
	/** USD of an answer; null when the model's prices are unknown. */
	cost(model: string, usage: Usage): number | null;
	uuid: NewId;
	readonly clock: Clock;
	/** What prompts bring besides their words; absent: nothing. */
	readonly readPrompt?: PromptReader;
}

/** The real ones, made of adapters. */
export function productionDeps(ports: {
	readonly client: ModelClient;
	readonly journal: Journal;
	readonly clock: Clock;
	readonly uuid: NewId;
	readonly facts: (model: string) => ModelFacts;
	readonly retry: RetryPolicy;
	readonly readPrompt?: PromptReader;
}): QueryDeps {
	return {
		callModel: (request, options) => callModel(request, options, ports),
		journal: ports.journal,
		cost: (model, usage) => costOf(ports.facts(model), usage),
		uuid: ports.uuid,
		clock: ports.clock,
		...(ports.readPrompt ? { readPrompt: ports.readPrompt } : {}),
	};
}
