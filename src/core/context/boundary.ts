// The rule on thinking, in one place: signed thinking is bound to the exact prefix that it followed, so a change of anything
// that was sent before leaves out all thinking of the conversation so far (loop.md 5, anthropic-api 4.4).
import type { ProjectionChange } from '../messages/projection.ts';
import { thinkingDropped } from '../messages/projection.ts';
import type { Message } from '../messages/types.ts';
import type { ContextInput } from './contextTypes.ts';
import type { ContextCache } from './contextCache.ts';
import { lastAnswer } from './turns.ts';

/**
 * The changes, and before them the one that leaves out thinking if they touch what was sent and thinking is there. Before: a
 * transcript that ends between them must not keep thinking whose prefix has changed.
 */
export function atBoundary(
	{ messages, changes }: Pick<ContextInput, 'messages' | 'changes'>,
	made: readonly ProjectionChange[],
	cache: ContextCache,
): readonly ProjectionChange[] {
	const answer = lastAnswer(messages);
	if (!made.some((change) => changesUpTo(change, messages, answer))) return made;
	const hasThinking = cache.projectedOnce(messages, [...changes, ...made]).some(thinks);
	return hasThinking ? [...thinkingDropped(messages), ...made] : made;
}

/** True when a change alters what stands up to an answer. */
export function changesUpTo(change: ProjectionChange, messages: readonly Message[], answer: number): boolean {
	switch (change.kind) {
		case 'results_kept':
			return false;
		case 'results_stored': {
			// Results are usually judged before they are sent; those of a kept tail may have been sent.
			const fresh = new Set(
				messages
					.slice(answer + 1)
					.flatMap(({ content }) =>
						content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])),
					),
			);
			return change.results.some(({ toolUseId }) => !fresh.has(toolUseId));
		}
		default:
			return answer >= 0;
	}
}

function thinks(message: Message): boolean {
	return message.content.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
}
