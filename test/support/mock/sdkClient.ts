// The real SDK against a local server, and helpers that read its raw streams; for the tests of the servers themselves.
import Anthropic from '@anthropic-ai/sdk';
import type {
	MessageCreateParamsStreaming,
	RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';

/** A client that reads nothing from the machine it runs on and never retries. */
export function sdkClient(baseURL: string, apiKey = 'test-key'): Anthropic {
	return new Anthropic({ apiKey, baseURL, maxRetries: 0, logLevel: 'off', openTelemetry: false });
}

/** A small valid request body; `more` overrides. */
export function requestBody(more: Partial<MessageCreateParamsStreaming> = {}): MessageCreateParamsStreaming {
	return {
		model: 'claude-opus-5-5',
		max_tokens: 1024,
		stream: true,
		messages: [{ role: 'user', content: 'hello' }],
		...more,
	};
}

export interface ReadStream {
	readonly events: RawMessageStreamEvent[];
	/** What the iteration threw. */
	readonly error: unknown;
}

/** Reads a stream to its end; an error is returned, with what came before it. */
export async function readStream(
	client: Anthropic,
	body: MessageCreateParamsStreaming = requestBody(),
	signal?: AbortSignal,
): Promise<ReadStream> {
	const events: RawMessageStreamEvent[] = [];
	try {
		for await (const event of await client.messages.create(body, signal ? { signal } : {})) events.push(event);
		return { events, error: undefined };
	} catch (error) {
		return { events, error };
	}
}

/** The text of all text deltas. */
export function textOf(events: readonly RawMessageStreamEvent[]): string {
	return events
		.map((event) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''))
		.join('');
}
