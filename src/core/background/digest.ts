// An exchange in few words, for questions to the small model: what was said and which tools ran, without their results.
import { limits } from '../limits.ts';
import type { Message } from '../messages/types.ts';
import { textOf, toolUses } from '../messages/types.ts';
import { clip, headAndTail } from '../util/text.ts';

/** The last exchange, from the person's last prompt on. Empty when there is none. At most `limits.digestChars`. */
export function exchangeDigest(messages: readonly Message[]): string {
	const start = messages.findLastIndex(isFirstPrompt);
	if (start < 0) return '';
	const lines = messages.slice(start).flatMap(linesOf);
	return headAndTail(lines.join('\n\n'), limits.digestChars).text;
}

/** A prompt that opened an exchange, not one that was read at a turn boundary. */
function isFirstPrompt(message: Message, index: number, all: readonly Message[]): boolean {
	if (message.role !== 'user' || message.origin !== 'prompt') return false;
	// Notes stand between results and the prompts that were read with them.
	let at = index - 1;
	for (let note = all[at]; note?.role === 'user' && note.origin === 'hidden'; note = all[at]) at--;
	const before = all[at];
	return !(before?.role === 'user' && (before.origin === 'tool_results' || before.origin === 'prompt'));
}

function linesOf(message: Message): readonly string[] {
	if (message.role === 'user') {
		return message.origin === 'prompt' ? [`<user>\n${clip(textOf(message), limits.digestPartChars)}\n</user>`] : [];
	}
	const text = textOf(message).trim();
	const calls = toolUses(message).map(({ name, input }) => callLine(name, input));
	const said = text === '' ? [] : [clip(text, limits.digestPartChars)];
	return said.length + calls.length === 0 ? [] : [`<agent>\n${[...said, ...calls].join('\n')}\n</agent>`];
}

/** One line for a call: its name and the beginning of its input. */
export function callLine(name: string, input: object): string {
	return `[${name} ${clip(JSON.stringify(input), limits.digestCallChars)}]`;
}
