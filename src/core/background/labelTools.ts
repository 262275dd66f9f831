// A label of a few words for a finished batch of tools ("Ran the tests"), by the small model, so that a long turn can be shown as one line.
import { limits } from '../limits.ts';
import type { ToolBatch } from '../loop/toolBatch.ts';
import { clip } from '../util/text.ts';
import type { Ask } from './ask.ts';
import { callLine } from './digest.ts';
import { oneLineAnswer, withoutFullStop } from './oneLineAnswer.ts';

/** A function, so that nothing of it is left in a bundle without labels. */
const task =
	() => `Say in at most ${limits.labelChars} characters what these tool calls of a coding agent did: a past-tense phrase such as
"Read the parser's tests" or "Fixed the login redirect". Name the subject, not the tools. No full stop, no quotes.`;

/** A label; undefined when there is none. Contract: never rejects. */
export async function labelTools(batch: ToolBatch, ask: Ask, signal: AbortSignal): Promise<string | undefined> {
	const lines = batch.calls.map(({ name, input, failed }) => `${callLine(name, input)}${failed ? ' failed' : ''}`);
	const said = batch.text.trim() === '' ? '' : `The agent said: ${clip(batch.text.trim(), limits.digestCallChars)}\n`;
	const question = `${task()}\n\n${said}${clip(lines.join('\n'), limits.digestPartChars)}`;
	const label = withoutFullStop((await oneLineAnswer(question, { ask, signal })) ?? '');
	return label === '' ? undefined : clip(label, limits.labelCharsMost);
}
