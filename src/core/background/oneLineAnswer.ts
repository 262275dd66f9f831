// Questions to the small model whose answer is one line: a title, a label, a suggestion.
import type { Message } from '../messages/types.ts';
import type { Ask } from './ask.ts';
import { exchangeDigest } from './digest.ts';

/** What it is asked with, and until when. */
export interface Asking {
	readonly ask: Ask;
	readonly signal: AbortSignal;
}

/** Of the last exchange; undefined when there is none, or no answer. Contract: never rejects. */
export async function lineOnExchange(
	task: string,
	messages: readonly Message[],
	asking: Asking,
): Promise<string | undefined> {
	const digest = exchangeDigest(messages);
	if (digest === '') return undefined;
	return await oneLineAnswer(`${task}\n\n<exchange>\n${digest}\n</exchange>`, asking);
}

/** Undefined when there is no answer, or nothing in it. Contract: never rejects. */
export async function oneLineAnswer(question: string, { ask, signal }: Asking): Promise<string | undefined> {
	const answer = await ask(question, signal);
	if (answer.kind === 'failed' || signal.aborted) return undefined;
	const line = firstLine(answer.text);
	return line === '' ? undefined : line;
}

/** What titles and labels do not end with, whatever the model was told. */
export function withoutFullStop(line: string): string {
	return line.replace(/[.。]$/, '');
}

/** The first line that says something, without the quotes and list marks that models put around it. */
function firstLine(text: string): string {
	const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
	return line
		.trim()
		.replace(/^[-*•]\s+/, '')
		.replace(/^(["'`“„«])(.*)["'`”“»]$/s, '$2')
		.trim();
}
