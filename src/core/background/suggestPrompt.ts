// After an exchange: what the person might want to say next, shown under the composer and never sent by itself.
import { limits } from '../limits.ts';
import type { Message } from '../messages/types.ts';
import type { Ask } from './ask.ts';
import { lineOnExchange } from './oneLineAnswer.ts';

const task = `Below is the latest exchange between a user and a coding agent in an editor. Write the one prompt that the user
will most likely send next: in the user's language and tone, as a command to the agent, at most ${limits.suggestionChars} characters, on one
line, without quotes. Suggest only an obvious next step of the user's own task (run the tests, commit, do the remaining part).
If there is none, or the agent asked a question that only the user can answer, write exactly NONE.`;

/** A suggestion; undefined when there is none. Contract: never rejects. */
export async function suggestPrompt(
	messages: readonly Message[],
	ask: Ask,
	signal: AbortSignal,
): Promise<string | undefined> {
	const line = (await lineOnExchange(task, messages, { ask, signal })) ?? '';
	return line === '' || line.length > limits.suggestionChars || /^none\b/i.test(line) ? undefined : line;
}
