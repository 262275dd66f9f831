// Phase 1: what is sent for one turn. The context pipeline decides on the projection; its changes are written down before
// the request that uses them. May end the exchange: over a limit that no request could keep.
import { prepareContext } from '../context/pipeline.ts';
import type { ContextInput } from '../context/contextTypes.ts';
import { limits } from '../limits.ts';
import type { ProjectionChange } from '../messages/projection.ts';
import { thinkingDropped } from '../messages/projection.ts';
import { toRequestMessages } from '../messages/toRequest.ts';
import type { Message } from '../messages/types.ts';
import type { ModelRequest } from '../model/client.ts';
import { toolDefinitions } from '../tools/registry.ts';
import type { End } from './endings.ts';
import { end, endFailed, endStopped } from './endings.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { record } from './record.ts';
import type { State } from './state.ts';

export interface Prepared {
	readonly kind: 'ready';
	readonly request: ModelRequest;
	/** With the changes that the pipeline made. */
	readonly state: State;
}

export async function* prepareRequest(state: State, given: QueryParams): AsyncGenerator<LoopEvent, Prepared | End> {
	// A setting that changes from here on holds from the next turn on.
	const settings = given.settings();
	const params = { ...given, settings: () => settings };
	const { messages } = state;
	const spent = params.spentUsd?.() ?? 0;
	if (params.maxCostUsd !== undefined && spent >= params.maxCostUsd) {
		return yield* end({ reason: 'budget_exhausted', messages }, state, params);
	}
	const foreign = foreignThinking(state, params);
	yield* record(foreign, params);
	state = foreign.length > 0 ? { ...state, changes: [...state.changes, ...foreign] } : state;
	const context = yield* prepareContext(contextInput(state, params), params.context, params.signal);
	yield* record(context.changes, params);
	if (context.reports.length > 0 || context.problem) {
		const { reports, problem } = context;
		yield { type: 'context_prepared', reports, ...(problem ? { problem } : {}) };
	}
	const next: State = {
		...state,
		changes: context.changes.length > 0 ? [...state.changes, ...context.changes] : state.changes,
		autoCompactTracking: context.tracking,
	};
	if (params.signal.aborted) return yield* endStopped({ reason: 'aborted_streaming', messages }, next, params);
	if (context.blocked) {
		const what = context.blocked === 'blocking_limit' ? 'is full' : 'fills up again right after each compaction';
		const failure = { kind: 'prompt_too_long', message: `The context ${what}.`, actual: context.tokens } as const;
		return yield* endFailed({ reason: context.blocked, messages, failure }, next, params);
	}
	return { kind: 'ready', request: requestOf(context.messages, next, params), state: next };
}

function requestOf(messages: State['messages'], state: State, params: QueryParams): ModelRequest {
	const model = modelOf(state, params);
	return {
		model,
		system: params.system,
		messages: toRequestMessages(messages, {
			answerContinues: isPaused(messages.at(-1)),
			memo: params.context.cache.params,
		}),
		tools: toolDefinitions(params.tools),
		maxTokens: outputCap(state, params),
		thinking: params.settings().thinking,
	};
}

/** Signed thinking belongs to one model: when another one is asked (chosen, or the primary one again) all of it is left out. */
function foreignThinking(state: State, params: QueryParams): readonly ProjectionChange[] {
	const model = modelOf(state, params);
	const projected = params.context.cache.projected(state.messages, state.changes);
	const last = projected.findLast(({ content }) =>
		content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking'),
	);
	return last?.role === 'assistant' && last.model !== model ? thinkingDropped(state.messages) : [];
}

/** The server paused the answer: it is sent back as it is, whatever was tried in between. */
function isPaused(message: Message | undefined): boolean {
	return message?.role === 'assistant' && message.stopReason === 'pause_turn';
}

/** The model whose turn it is: the primary one, or the fallback that took over. */
export function modelOf(state: State, params: QueryParams): string {
	const { models } = params.settings();
	return models[state.modelIndex] ?? models.at(-1) ?? '';
}

function outputCap(state: State, params: QueryParams): number {
	const cap = state.maxOutputTokensOverride ?? params.settings().maxOutputTokens ?? limits.defaultMaxOutputTokens;
	return Math.min(cap, params.facts(modelOf(state, params)).maxOutputTokens);
}

/** What the context pipeline needs to know of a state. */
export function contextInput(state: State, params: QueryParams): ContextInput {
	return {
		messages: state.messages,
		changes: state.changes,
		facts: params.facts(modelOf(state, params)),
		settings: params.settings().compaction,
		overheadTokens: params.overheadTokens,
		maxOutputTokens: outputCap(state, params),
		now: params.deps.clock.now(),
		tracking: state.autoCompactTracking,
		resultLimit: (name) => params.tools.find(name)?.maxResultChars,
		mainConversation: params.subagent !== true,
	};
}
