// What follows an answer that did not end well (loop.md 6): each recovery gives back the whole next state, or nothing when
// there is none left. Nothing that may have had an effect is repeated: an answer is retracted only while no unsafe call has started.
import { drainCollapses, reactiveCompact } from '../context/pipeline.ts';
import { contextSize } from '../context/tokens.ts';
import { thinkingDropped } from '../messages/projection.ts';
import type { ModelFailure } from '../model/failure.ts';
import { limits } from '../limits.ts';
import type { Message, UserMessage } from '../messages/types.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { contextInput, modelOf } from './prepareRequest.ts';
import { hiddenMessage, record } from './record.ts';
import type { Continue, State } from './state.ts';
import { carried } from './state.ts';
import { retract } from './retract.ts';
import type { Turn } from './turn.ts';
import { endingFailure, mayBeRepeated } from './turn.ts';

type Recovery = AsyncGenerator<LoopEvent, Continue | undefined>;

/** The next state after a problem; `undefined` when there is no problem, or no recovery for it. */
export async function* recover(turn: Turn, state: State, params: QueryParams): Recovery {
	if (params.signal.aborted) return undefined;
	const { answer } = turn;
	const problem = answer.failure ?? endingFailure(answer);
	if (!problem) return await recoverOddEnding(turn, state, params);
	if (answer.fallBack) return yield* fallBack(turn, state, params);
	switch (problem.kind) {
		case 'prompt_too_long':
		case 'media_too_large':
			return yield* makeRoom(problem, turn, state, params);
		case 'invalid_signature':
			return yield* stripThinking(turn, state, params);
		case 'output_limit':
			return yield* afterOutputLimit(turn, state, params);
		case 'refused':
			return yield* fallBack(turn, state, params);
		case 'dropped':
		case 'stalled':
		case 'overloaded':
		case 'server_error':
		case 'rate_limited':
			return yield* afterDrop(turn, state, params);
		default:
			return undefined;
	}
}

/** True for failures in mid-stream after which finished calls are run and the conversation goes on. */
export function isDrop(turn: Turn, state: State): boolean {
	const kinds = ['dropped', 'stalled', 'overloaded', 'server_error', 'rate_limited'];
	const { failure, message } = turn.answer;
	if (!failure || !kinds.includes(failure.kind)) return false;
	return message.content.length > 0 && state.guards.dropContinuations < limits.dropContinuations;
}

/** What an answer without calls had said before its request was refused: it will be asked for again. */
async function* retractSpoken(turn: Turn, params: QueryParams): AsyncGenerator<LoopEvent, void> {
	if (turn.answer.message.content.length > 0) yield* retract(turn, params);
	else turn.executor.dispose();
}

/** Too long, or a medium too large: commit what is staged, else compact now; each once. */
async function* makeRoom(failure: ModelFailure, turn: Turn, state: State, params: QueryParams): Recovery {
	// Refused in mid-stream, after calls: they are answered in phase 4.
	if (turn.answer.toolUses.length > 0) return undefined;
	const mayDrain =
		FEATURES.CONTEXT_COLLAPSE &&
		failure.kind === 'prompt_too_long' &&
		state.transition?.reason !== 'collapse_drain_retry';
	const drained = mayDrain ? drainCollapses(contextInput(state, params), params.context) : undefined;
	if (FEATURES.CONTEXT_COLLAPSE && drained) {
		yield* retractSpoken(turn, params);
		yield* record(drained.changes, params);
		yield { type: 'context_prepared', reports: [drained.report] };
		return {
			kind: 'continue',
			state: {
				...carried(state),
				messages: state.messages,
				changes: [...state.changes, ...drained.changes],
				guards: state.guards,
				transition: { reason: 'collapse_drain_retry' },
			},
		};
	}
	if (!FEATURES.REACTIVE_COMPACT || state.hasAttemptedReactiveCompact) return undefined;
	const input = contextInput(state, params);
	// Without the media is no summary: that takes no time.
	if (failure.kind === 'prompt_too_long') {
		const tokens = failure.actual ?? contextSize(input, params.context.cache).tokens;
		yield { type: 'compaction_start', trigger: 'reactive', tokens };
	}
	const { mediaRefusals } = state.guards;
	const all = mediaRefusals >= limits.mediaRefusals;
	const result = await reactiveCompact(input, params.context, params.signal, { failure, all });
	if (result.kind === 'not_compacted' || params.signal.aborted) return undefined;
	yield* retractSpoken(turn, params);
	yield* record(result.changes, params);
	yield { type: 'context_prepared', reports: [result.report] };
	// Only what was named is left out, a few times: if that is not enough, all media are, at the next attempt.
	const named = result.changes.some(({ kind }) => kind === 'media_refused');
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages: state.messages,
			changes: [...state.changes, ...result.changes],
			autoCompactTracking: result.tracking,
			hasAttemptedReactiveCompact: !named,
			guards: { ...state.guards, mediaRefusals: mediaRefusals + (named ? 1 : 0) },
			transition: { reason: 'reactive_compact_retry' },
		},
	};
}

/** A signature was refused: all thinking is left out, once. */
async function* stripThinking(turn: Turn, state: State, params: QueryParams): Recovery {
	if (state.guards.thinkingStripped || turn.answer.toolUses.length > 0) return undefined;
	yield* retractSpoken(turn, params);
	const dropped = thinkingDropped(state.messages);
	yield* record(dropped, params);
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages: state.messages,
			changes: [...state.changes, ...dropped],
			guards: { ...state.guards, thinkingStripped: true },
			transition: { reason: 'thinking_stripped_retry' },
		},
	};
}

/** The next model of the list takes over. What had effects stays; else the answer is taken back and asked for again. */
async function* fallBack(turn: Turn, state: State, params: QueryParams): Recovery {
	const models = params.settings().models;
	const model = models[state.modelIndex + 1];
	if (model === undefined) return undefined;
	const keeps = !mayBeRepeated(turn);
	// Calls that have started and may have had effects are answered in phase 4; the model changes with the turn after.
	if (keeps) return undefined;
	yield* retract(turn, params);
	const dropped = thinkingDropped(state.messages);
	yield* record(dropped, params);
	yield { type: 'model_fallback', from: models[state.modelIndex] ?? '', to: model };
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages: state.messages,
			changes: [...state.changes, ...dropped],
			modelIndex: state.modelIndex + 1,
			guards: state.guards,
			transition: { reason: 'model_fallback', model },
		},
	};
}

/** Cut by the output limit: once with a raised cap if it may be repeated, then up to three times from the cut. */
async function* afterOutputLimit(turn: Turn, state: State, params: QueryParams): Recovery {
	const { maxOutputTokens } = params.settings();
	const { maxOutputTokens: most } = params.facts(modelOf(state, params));
	const raised = Math.min(limits.raisedMaxOutputTokens, most);
	const mayRaise =
		turn.answer.message.stopReason === 'max_tokens' &&
		maxOutputTokens === undefined &&
		state.maxOutputTokensOverride === undefined &&
		raised > limits.defaultMaxOutputTokens &&
		mayBeRepeated(turn);
	if (mayRaise) {
		yield* retract(turn, params);
		return {
			kind: 'continue',
			state: {
				...carried(state),
				messages: state.messages,
				changes: state.changes,
				maxOutputTokensOverride: raised,
				guards: state.guards,
				transition: { reason: 'max_output_tokens_escalate' },
			},
		};
	}
	// Finished calls are answered first; the turn after them is the chance to go on.
	if (turn.answer.toolUses.length > 0) return undefined;
	if (state.maxOutputTokensRecoveryCount >= limits.outputLimitRecoveries) return undefined;
	const attempt = state.maxOutputTokensRecoveryCount + 1;
	const messages = await continued(turn, state, params, goOnFromCut(turn.answer.cutToolUse));
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages,
			changes: state.changes,
			maxOutputTokensRecoveryCount: attempt,
			guards: state.guards,
			transition: { reason: 'max_output_tokens_recovery', attempt },
		},
	};
}

function goOnFromCut(cutToolUse: boolean): string {
	const call = cutToolUse
		? ' A tool call was cut, too; it did not run. Make such calls smaller, in several steps.'
		: '';
	return `Your answer was cut by the output limit. Go on exactly where it ended, in smaller pieces, without repeating.${call}`;
}

/** The conversation with what came of the answer, and a hidden message that asks to go on. */
async function continued(turn: Turn, state: State, params: QueryParams, text: string): Promise<readonly Message[]> {
	const message: UserMessage = hiddenMessage(text, params.deps);
	await params.deps.journal.append({ type: 'user', message });
	const { message: answer } = turn.answer;
	turn.executor.dispose();
	return [...state.messages, ...(answer.content.length > 0 ? [answer] : []), message];
}

/** The connection ended after something had finished: it is kept, and the model goes on from there. */
async function* afterDrop(turn: Turn, state: State, params: QueryParams): Recovery {
	// Finished calls are run and answered in phase 4.
	if (turn.answer.toolUses.length > 0 || !isDrop(turn, state)) return undefined;
	const attempt = state.guards.dropContinuations + 1;
	const spoke = turn.answer.message.content.some((block) => block.type === 'text');
	if (!spoke) yield* retract(turn, params);
	const messages = spoke
		? await continued(
				turn,
				state,
				params,
				'The connection broke in the middle of your answer. Go on exactly where it ended, without repeating.',
			)
		: state.messages;
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages,
			changes: state.changes,
			guards: { ...state.guards, dropContinuations: attempt },
			transition: { reason: 'drop_continuation', attempt },
		},
	};
}

/** Nothing failed, and yet it is no answer: a server-side pause, or nothing at all. */
async function recoverOddEnding(turn: Turn, state: State, params: QueryParams): Promise<Continue | undefined> {
	const { message, toolUses } = turn.answer;
	if (toolUses.length > 0) return undefined;
	if (message.stopReason === 'pause_turn' && state.guards.pauseTurnResumes < limits.pauseTurnResumes) {
		const attempt = state.guards.pauseTurnResumes + 1;
		turn.executor.dispose();
		return {
			kind: 'continue',
			state: {
				...carried(state),
				messages: message.content.length > 0 ? [...state.messages, message] : state.messages,
				changes: state.changes,
				guards: { ...state.guards, pauseTurnResumes: attempt },
				transition: { reason: 'pause_turn_resume', attempt },
			},
		};
	}
	const spoke = message.content.some(
		(block) => block.type === 'opaque' || (block.type === 'text' && block.text.trim() !== ''),
	);
	if (spoke || state.guards.emptyAnswerRetried || message.stopReason === 'pause_turn') return undefined;
	const messages = await continued(turn, state, params, 'Your answer was empty. Answer now, or say what you need.');
	return {
		kind: 'continue',
		state: {
			...carried(state),
			messages,
			changes: state.changes,
			guards: { ...state.guards, emptyAnswerRetried: true },
			transition: { reason: 'empty_answer_retry' },
		},
	};
}
