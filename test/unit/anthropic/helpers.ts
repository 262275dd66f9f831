// What the client's tests share: a client with short limits, and all signals of one request.
import type { ModelClient, ModelRequest, ModelSignal } from '../../../src/core/model/client.ts';
import type { ModelFailure } from '../../../src/core/model/failure.ts';
import { FakeClock, noRetry } from '../../support/fakeTools.ts';
import { callModel } from '../../../src/core/model/callModel.ts';
import type { AnswerOutcome } from '../../../src/core/model/answer.ts';
import { createAnthropicClient, type AnthropicClientOptions } from '../../../src/node/anthropic/client.ts';

export const key = 'sk-ant-test-0123456789abcdef';

export function clientOf(url: string, options: Partial<AnthropicClientOptions> = {}): ModelClient {
	return createAnthropicClient({
		apiKey: key,
		baseUrl: url,
		idleTimeoutMs: 5000,
		byteTimeoutMs: 5000,
		version: '0.0.0',
		...options,
	});
}

export const request: ModelRequest = {
	model: 'claude-sonnet-5-5',
	system: ['You are a test.', 'The folder is /x.'],
	messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
	tools: [],
	maxTokens: 1000,
	thinking: 'auto',
};

export async function signalsOf(
	client: ModelClient,
	changed: Partial<ModelRequest> = {},
	signal: AbortSignal = new AbortController().signal,
): Promise<ModelSignal[]> {
	const signals: ModelSignal[] = [];
	for await (const item of client.stream({ ...request, ...changed }, signal)) signals.push(item);
	return signals;
}

/** The failure at the end, or undefined. */
export async function failureOf(
	client: ModelClient,
	changed: Partial<ModelRequest> = {},
): Promise<ModelFailure | undefined> {
	const last = (await signalsOf(client, changed)).at(-1);
	return last?.kind === 'failed' ? last.failure : undefined;
}

/** The whole way: request, stream, accumulator. */
export async function outcomeOf(
	client: ModelClient,
	changed: Partial<ModelRequest> = {},
	signal: AbortSignal = new AbortController().signal,
): Promise<AnswerOutcome> {
	const sent = { ...request, ...changed };
	const answer = callModel(sent, { messageId: 'a1', signal }, { client, clock: new FakeClock(), retry: noRetry });
	while (true) {
		const step = await answer.next();
		if (step.done) return step.value;
	}
}
