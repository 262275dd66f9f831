// What a subagent's card says twice, said once: its last words are in its log, in its answer and, where it did not come to its end,
// in the text for the model. Pure.
import type { Row, ToolView } from './view.ts';

/** Characters by which a clipped text is known. */
const enough = 400;

/** The message of its call without the answer, which is shown by itself. */
export function agentMessage(message: string, answer: string): string {
	const said = answer.trim();
	return said !== '' && message.trimEnd().endsWith(said) ? message.trimEnd().slice(0, -said.length).trimEnd() : message;
}

/** Its log without the answer at the end. */
export function agentSteps({ log, answer }: Extract<ToolView, { kind: 'agent' }>): readonly Row[] {
	const last = log.at(-1);
	if (last?.kind !== 'text' || answer === '') return log;
	const [words, said] = [last.text.trim(), answer.trim()];
	const isAnswer = words.length > enough ? said.startsWith(words.slice(0, enough)) : said === words;
	return isAnswer ? log.slice(0, -1) : log;
}
