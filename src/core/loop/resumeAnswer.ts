// Entering phase 4 after a crash: calls that never started are queued again from the permission step on; what finished,
// or started with an unknown outcome, is answered already and never runs again (loop.md 9).
import { noUsage, toolUses } from '../messages/types.ts';
import type { QueryParams, ResumedTurn } from './params.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';
import { createExecutor } from './turn.ts';

export function resumeAnswer(resumed: ResumedTurn | undefined, state: State, params: QueryParams): Turn {
	if (!resumed) throw new Error('There is no turn to resume.');
	const { executor, wakeup } = createExecutor(state, params);
	const calls = toolUses(resumed.answer);
	for (const call of calls) if (!resumed.finished.has(call.id)) executor.add(call);
	return {
		answer: {
			message: { ...resumed.answer, usage: resumed.answer.usage ?? noUsage },
			cutToolUse: false,
			toolUses: calls,
		},
		executor,
		wakeup,
		known: new Map([...resumed.finished].map(([id, { result }]) => [id, result])),
	};
}
