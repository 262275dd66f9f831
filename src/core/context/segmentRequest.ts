// The request for the summary of one segment: the steps as plain text in one message. It needs neither the tools nor the
// thinking that the conversation was held with, so that any model may answer it.
import { limits } from '../limits.ts';
import type { Message, UserMessage } from '../messages/types.ts';
import { textOf } from '../messages/types.ts';
import { clip, headAndTail } from '../util/text.ts';
import type { ContextDeps } from './contextTypes.ts';
import { segmentInstruction } from './instructions.ts';
import { resultText } from './turns.ts';

/** `prompt`: what the person had asked for before the steps. */
export function segmentRequest(
	steps: readonly Message[],
	prompt: Message | undefined,
	deps: Pick<ContextDeps, 'uuid' | 'clock'>,
): UserMessage {
	const request = prompt ? [`The user had asked:\n${excerpt(textOf(prompt))}`] : [];
	const parts = [
		...request,
		`<steps>\n${steps.map(stepText).filter(Boolean).join('\n\n')}\n</steps>`,
		segmentInstruction,
	];
	const content = parts.map((text) => ({ type: 'text', text }) as const);
	return { role: 'user', id: deps.uuid(), origin: 'hidden', content, time: deps.clock.now() };
}

function stepText(message: Message): string {
	const parts: string[] = [];
	for (const block of message.content) {
		switch (block.type) {
			case 'text':
				if (block.text.trim()) parts.push(`${message.role === 'user' ? 'Note' : 'Agent'}: ${excerpt(block.text)}`);
				break;
			case 'tool_use':
				parts.push(`Call of ${block.name}: ${clip(JSON.stringify(block.input), limits.segmentInputChars)}`);
				break;
			case 'tool_result':
				parts.push(`${block.is_error ? 'Failed' : 'Result'}: ${excerpt(resultText(block))}`);
				break;
			default:
		}
	}
	return parts.join('\n');
}

function excerpt(text: string): string {
	return headAndTail(text, limits.segmentTextChars).text;
}
