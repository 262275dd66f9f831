// Model calls outside the loop: one question and its answer, for summaries, titles and other small jobs. They count like
// any other; none of them may use a tool.
import type { SummaryAnswer, SummaryRequest } from '../context/contextTypes.ts';
import { systemPrompt } from '../context/systemPrompt.ts';
import type { QueryDeps } from '../loop/deps.ts';
import { limits } from '../limits.ts';
import { toRequestMessages } from '../messages/toRequest.ts';
import type { Message, Usage } from '../messages/types.ts';
import { textOf } from '../messages/types.ts';
import type { ModelFacts } from '../model/client.ts';
import type { Registry } from '../tools/registry.ts';
import { toolDefinitions } from '../tools/registry.ts';
import type { SessionSettings } from './options.ts';

export interface ModelCallParts {
	readonly deps: QueryDeps;
	readonly settings: () => SessionSettings;
	readonly facts: (model: string) => ModelFacts;
	readonly tools: Registry;
	/** The system prompt; absent: that of conversations. */
	readonly system?: readonly string[];
	/** Told of each answer, so that nothing goes uncounted. */
	readonly onUsage: (usage: Usage, model: string) => void;
}

/**
 * One answer to `messages`. `conversation`: system prompt and tools are the conversation's own, so that its cached prefix
 * is read; the tools are switched off. Contract: never rejects; an abort is a failure.
 */
export async function askModel(
	messages: readonly Message[],
	options: {
		readonly signal: AbortSignal;
		readonly conversation: boolean;
		readonly model?: string;
		readonly background?: boolean;
	},
	parts: ModelCallParts,
): Promise<SummaryAnswer> {
	const settings = parts.settings();
	const model = options.model ?? settings.model;
	const answer = parts.deps.callModel(
		{
			model,
			system: parts.system ?? systemPrompt(settings.appendSystemPrompt),
			messages: toRequestMessages(messages),
			tools: options.conversation ? toolDefinitions(parts.tools) : [],
			maxTokens: Math.min(limits.defaultMaxOutputTokens, parts.facts(model).maxOutputTokens),
			thinking: 'off',
			...(options.conversation ? { toolChoice: 'none' } : {}),
		},
		{ messageId: parts.deps.uuid(), signal: options.signal, background: options.background === true },
	);
	let step = await answer.next();
	while (!step.done) step = await answer.next();
	const { message, failure } = step.value;
	parts.onUsage(message.usage, model);
	if (failure) return { kind: 'failed', failure };
	if (options.signal.aborted) return { kind: 'failed', failure: { kind: 'unknown', message: 'Stopped.' } };
	if (message.stopReason === 'max_tokens' || message.stopReason === 'model_context_window_exceeded') {
		// Half a summary is none: what it does not say would be lost.
		return { kind: 'failed', failure: { kind: 'output_limit', message: 'The answer was cut by the output limit.' } };
	}
	return { kind: 'answered', text: textOf(message), usage: message.usage };
}

/** The context pipeline's summaries: of the conversation by its own model, of a segment by the small one. */
export function summariser(
	parts: ModelCallParts,
): (request: SummaryRequest, signal: AbortSignal) => Promise<SummaryAnswer> {
	return ({ messages, purpose }, signal) => {
		const { smallModel } = parts.settings();
		const small = purpose === 'segment' && smallModel !== undefined ? { model: smallModel } : {};
		return askModel(messages, { signal, conversation: purpose === 'conversation', ...small }, parts);
	};
}
