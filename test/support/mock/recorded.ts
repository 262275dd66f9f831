// A request as the mock recorded it, and the questions that tests ask of one.
import type { IncomingHttpHeaders } from 'node:http';
import { asText, blocksOf, objects, type Json, type Violation } from './rules/types.ts';

export interface MockRequest {
	readonly body: Json;
	readonly headers: IncomingHttpHeaders;
	/** Milliseconds, `performance.now()`. */
	readonly time: number;
	readonly violations: readonly Violation[];
	/** How the exchange on the socket ended: by the server, or because the client went away (or was dropped). */
	readonly over: Promise<'finished' | 'aborted'>;
}

/** A message with its content always as blocks. */
export interface RecordedMessage {
	readonly role: string;
	readonly content: readonly Json[];
}

/** A tool result with its text joined. */
export interface RecordedResult {
	readonly id: string;
	/** Name and input of the call that it answers. */
	readonly name: string;
	readonly input: unknown;
	readonly text: string;
	readonly isError: boolean;
}

/** The messages of a request. */
export function messagesOf(request: MockRequest): RecordedMessage[] {
	return objects(request.body['messages']).map((message) => ({
		role: String(message['role']),
		content: blocksOf(message),
	}));
}

/** The last text block of the last user message that has one; empty when there is none. */
export function lastUserText(request: MockRequest): string {
	const texts = messagesOf(request)
		.filter(({ role }) => role === 'user')
		.flatMap(({ content }) => content.filter((block) => block['type'] === 'text'));
	return asText(texts.at(-1)?.['text']);
}

/** The tool results in the last message that has any. */
export function toolResults(request: MockRequest): RecordedResult[] {
	const messages = messagesOf(request);
	const calls = messages.flatMap(({ content }) => content.filter((block) => block['type'] === 'tool_use'));
	const isResult = (block: Json): boolean => block['type'] === 'tool_result';
	const latest = messages.findLast(({ content }) => content.some(isResult));
	return (latest?.content ?? []).filter(isResult).map((block) => {
		const call = calls.findLast(({ id }) => id === block['tool_use_id']);
		return {
			id: String(block['tool_use_id']),
			name: String(call?.['name']),
			input: call?.['input'],
			text: blocksOf(block)
				.map((part) => asText(part['text']))
				.join('\n'),
			isError: block['is_error'] === true,
		};
	});
}
