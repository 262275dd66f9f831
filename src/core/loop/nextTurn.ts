// Phase 6: the next turn, or the end because the caller's limit is reached.
import type { UserMessage } from '../messages/types.ts';
import type { Collected } from './collectResults.ts';
import type { End } from './endings.ts';
import { end } from './endings.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';
import type { Continue, State } from './state.ts';
import { startLabel } from './toolLabels.ts';

export async function* nextTurn(
	collected: Collected,
	attachments: readonly UserMessage[],
	state: State,
	params: QueryParams,
): AsyncGenerator<LoopEvent, End | Continue> {
	const messages = [...collected.messages, ...attachments];
	const { maxTurns } = params;
	if (maxTurns !== undefined && state.turnCount + 1 > maxTurns) {
		yield { type: 'max_turns_reached', maxTurns };
		return yield* end({ reason: 'max_turns', messages, toolContext: collected.toolContext }, state, params);
	}
	return {
		kind: 'continue',
		state: {
			messages,
			changes: state.changes,
			toolUseContext: collected.toolContext,
			autoCompactTracking: state.autoCompactTracking,
			maxOutputTokensRecoveryCount: 0,
			hasAttemptedReactiveCompact: false,
			maxOutputTokensOverride: undefined,
			pendingToolUseSummary: FEATURES.TOOL_SUMMARIES ? startLabel(collected, params) : undefined,
			stopHookActive: state.stopHookActive,
			turnCount: state.turnCount + 1,
			modelIndex: state.modelIndex,
			guards: collected.guards,
			budget: state.budget,
			transition: { reason: 'next_turn' },
		},
	};
}
