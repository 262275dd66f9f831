// What phases 2 to 4 hand on to each other.
import type { AnswerOutcome } from '../model/answer.ts';
import type { ModelFailure } from '../model/failure.ts';
import type { ToolResultBlock, ToolUseBlock } from '../messages/types.ts';
import { StreamingToolExecutor } from '../tools/streamingToolExecutor.ts';
import { Wakeup } from '../util/wakeup.ts';
import type { QueryParams } from './params.ts';
import type { State } from './state.ts';

export interface Answer extends AnswerOutcome {
	/** The calls that really arrived: they alone decide whether another turn is needed. */
	readonly toolUses: readonly ToolUseBlock[];
}

export interface Turn {
	readonly answer: Answer;
	readonly executor: StreamingToolExecutor;
	/** Rings when the executor has something new. */
	readonly wakeup: Wakeup;
	/** Results known before (a resumed turn), by tool use id. */
	readonly known: ReadonlyMap<string, ToolResultBlock>;
}

/**
 * True while an answer may be taken back or its request sent again: no unsafe call of it has started (loop.md 6). Of a resumed
 * turn nothing may have started at all: what is known of its calls does not say whether they were safe.
 */
export function mayBeRepeated({ executor, known }: Pick<Turn, 'executor' | 'known'>): boolean {
	return !executor.hasUnsafeStarted && known.size === 0;
}

/** A fresh executor for one answer, and the bell it rings. */
export function createExecutor(state: State, params: QueryParams): Pick<Turn, 'executor' | 'wakeup'> {
	const wakeup = new Wakeup();
	const { maxConcurrency, bashErrorCancelsSiblings } = params.settings();
	const executor = new StreamingToolExecutor({
		tools: params.tools,
		context: state.toolUseContext,
		deps: params.toolDeps,
		signal: params.signal,
		maxConcurrency,
		bashErrorCancelsSiblings,
		onWake: () => wakeup.ring(),
	});
	return { executor, wakeup };
}

/** Endings that are no answer although nothing broke: the person must know that something is missing. */
export function endingFailure({ message, cutToolUse }: Answer): ModelFailure | undefined {
	switch (message.stopReason) {
		case 'max_tokens':
		case 'model_context_window_exceeded': {
			const what = cutToolUse ? 'a tool call was cut and did not run' : 'its end is missing';
			return { kind: 'output_limit', message: `The answer reached the output limit: ${what}.` };
		}
		case 'refusal':
			return { kind: 'refused', message: 'The model declined to answer.' };
		default:
			return undefined;
	}
}
