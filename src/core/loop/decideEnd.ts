// Phase 3: the model asked for no tool, and nothing is left to recover. Stopped, failed, sent on by a hook or by the token
// budget, or done.
import type { ModelFailure } from '../model/failure.ts';
import { limits } from '../limits.ts';
import { nextForBudget } from './tokenBudget.ts';
import { end, endFailed, endStopped } from './endings.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import { hiddenMessage } from './record.ts';
import type { EndReason, Outcome, State } from './state.ts';
import { carried } from './state.ts';
import { retract } from './retract.ts';
import type { Turn } from './turn.ts';
import { endingFailure, mayBeRepeated } from './turn.ts';

export async function* decideEnd(
	turn: Turn,
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, Outcome<never>> {
	const { answer } = turn;
	turn.executor.dispose();
	const { message } = answer;
	const messages = message.content.length > 0 ? [...state.messages, message] : state.messages;
	if (params.signal.aborted) return yield* endStopped({ reason: 'aborted_streaming', messages }, state, params);
	const failure = answer.failure ?? endingFailure(answer);
	if (failure?.kind === 'refused' && mayBeRepeated(turn)) {
		// What was said before the model declined is no answer, and would only make it decline again.
		yield* retract(turn, params);
		return yield* endFailed({ reason: 'refusal', messages: state.messages, failure }, state, params);
	}
	if (failure) return yield* endFailed({ reason: reasonOf(failure), messages, failure }, state, params);

	const verdict = params.stopHooks
		? await params.stopHooks({ messages, active: state.stopHookActive }, params.signal)
		: pass;
	if (params.signal.aborted) return yield* endStopped({ reason: 'aborted_streaming', messages }, state, params);
	if (verdict.kind === 'prevent') return yield* end({ reason: 'stop_hook_prevented', messages }, state, params);
	if (verdict.kind === 'block' && state.guards.stopHookBlocks < limits.stopHookBlocks) {
		const reason = hiddenMessage(`Before you stop: ${verdict.reason}`, params.deps);
		await params.deps.journal.append({ type: 'user', message: reason });
		return {
			kind: 'continue',
			state: {
				...carried(state),
				messages: [...messages, reason],
				changes: state.changes,
				stopHookActive: true,
				guards: { ...state.guards, stopHookBlocks: state.guards.stopHookBlocks + 1 },
				transition: { reason: 'stop_hook_blocking' },
			},
		};
	}
	const budget = FEATURES.TOKEN_BUDGET ? nextForBudget(state.budget, params.tokenTarget) : undefined;
	if (FEATURES.TOKEN_BUDGET && budget) {
		const nudge = hiddenMessage(budget.text, params.deps);
		await params.deps.journal.append({ type: 'user', message: nudge });
		return {
			kind: 'continue',
			state: {
				...carried(state),
				messages: [...messages, nudge],
				changes: state.changes,
				budget: budget.progress,
				guards: state.guards,
				transition: { reason: 'token_budget_continuation' },
			},
		};
	}
	return yield* end({ reason: 'completed', messages }, state, params);
}

const pass = { kind: 'pass' } as const;

function reasonOf({ kind }: ModelFailure): EndReason {
	if (kind === 'prompt_too_long') return 'prompt_too_long';
	if (kind === 'media_too_large') return 'image_error';
	return kind === 'refused' ? 'refusal' : 'model_error';
}
