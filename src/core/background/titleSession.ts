// After the first exchange: a title for the list of sessions, of what the person wants and what was done.
import { limits } from '../limits.ts';
import type { Message } from '../messages/types.ts';
import type { Ask } from './ask.ts';
import { lineOnExchange, withoutFullStop } from './oneLineAnswer.ts';

const task = `Below is the beginning of a conversation between a user and a coding agent in an editor. Write a title for it, by
which the user finds it again in a list: what it is about, in the user's language, at most ${limits.titleChars} characters, on one line,
without quotes and without a full stop. Name files, functions or features where that says more than general words.`;

/** A title; undefined when there is none. Contract: never rejects. */
export async function titleSession(
	messages: readonly Message[],
	ask: Ask,
	signal: AbortSignal,
): Promise<string | undefined> {
	const title = withoutFullStop((await lineOnExchange(task, messages, { ask, signal })) ?? '');
	return title === '' || title.length > longest ? undefined : title;
}

/** Models count badly; what is much too long is no title. */
const longest = 2 * limits.titleChars;
