// The Messages API through its SDK, by the SDK's deep paths and in this file only (a third of the size). The SDK makes the
// request; the stream is read by us (answerStream.ts), because it drops what other servers send (anthropic-api 1.7).
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Models } from '@anthropic-ai/sdk/resources/models';
import type { ModelClient, ModelFacts, ModelRequest, ModelSignal, RemoteModel } from '../../core/model/client.ts';
import type { ModelFailure } from '../../core/model/failure.ts';
import { modelFacts } from '../../core/model/models.ts';
import { answerSignals } from './answerStream.ts';
import { hostOf, isAnthropic, normaliseBaseUrl, shownAddress } from './baseUrl.ts';
import { BodyWriter, toBody } from './body.ts';
import { failureOfError, SendFailure, type FailureContext } from './failures.ts';
import { cleanHeaders, customHeaderNames, ownHeaders } from './headers.ts';
import { httpFetch } from './httpFetch.ts';
import { remoteModels } from './modelList.ts';

export interface AnthropicClientOptions {
	/** A key; or a bearer token, which wins. Neither: a server that needs none. */
	readonly apiKey?: string;
	readonly authToken?: string;
	/** With or without `/v1` at its end. */
	readonly baseUrl: string;
	/** Milliseconds without an event, outside of thinking (`network.idleTimeoutSeconds`). */
	readonly idleTimeoutMs: number;
	/** Milliseconds without a byte. */
	readonly byteTimeoutMs: number;
	/** Of Loopwright, for the user agent. */
	readonly version: string;
	/** Limits and kinds of thinking; by default the built-in table. */
	readonly facts?: (model: string) => ModelFacts;
	readonly fetch?: typeof globalThis.fetch;
}

const modelListMs = 20_000;
/** The SDK's own limit comes later than ours, so that ours decides. */
const sdkGraceMs = 60_000;

/** A client of the service at `baseUrl`. Never reads keys, addresses or headers from the environment or from files. */
export function createAnthropicClient(options: AnthropicClientOptions): ModelClient {
	const baseUrl = normaliseBaseUrl(options.baseUrl);
	const host = hostOf(baseUrl ?? options.baseUrl);
	const secrets = [options.apiKey, options.authToken].filter((secret) => secret !== undefined);
	const context: FailureContext = { host, secrets, now: () => Date.now() };
	const problem = baseUrl === undefined ? badAddress(options.baseUrl) : badCredentials(baseUrl, options);
	if (baseUrl === undefined || problem) return refusing({ kind: 'not_configured', message: problem ?? '', host });
	const sdk = makeSdk(options, baseUrl);
	const writer = new BodyWriter();
	return {
		stream: (request, signal) => stream({ sdk, writer, options, context }, request, signal),
		listModels: (signal) => listModels(sdk, context, signal),
	};
}

function badAddress(baseUrl: string): string {
	return `The base URL is no web address: ${shownAddress(baseUrl)}`;
}

/** What a header cannot carry is refused here, in words, before the runtime does. */
function badCredentials(baseUrl: string, { apiKey, authToken }: AnthropicClientOptions): string | undefined {
	const secret = authToken?.trim() || apiKey?.trim();
	if (!secret) return isAnthropic(baseUrl) ? 'There is no API key.' : undefined;
	return /^[\x21-\x7e]+$/.test(secret)
		? undefined
		: 'The API key has characters that no key has (a blank, a line end or a letter outside of ASCII).';
}

function refusing(failure: ModelFailure): ModelClient {
	return {
		async *stream() {
			yield { kind: 'failed', failure };
		},
		listModels: () => Promise.resolve(failure),
	};
}

/** Contract: whatever the environment holds, only `options` decides where requests go and what they carry. */
function makeSdk(options: AnthropicClientOptions, baseURL: string): BaseAnthropic {
	const apiKey = options.apiKey?.trim() || undefined;
	const authToken = options.authToken?.trim() || undefined;
	const own = ownHeaders(baseURL, { apiKey, authToken });
	const foreign = customHeaderNames(process.env['ANTHROPIC_CUSTOM_HEADERS']);
	const userAgent = `Loopwright/${options.version}`;
	const send = options.fetch ?? httpFetch;
	const silent = () => {};
	return new BaseAnthropic({
		// Any key here keeps the SDK from looking for one; what is sent is decided by `own`.
		apiKey: 'none',
		baseURL,
		maxRetries: 0,
		timeout: headersTimeout(options) + sdkGraceMs,
		openTelemetry: false,
		logLevel: 'off',
		logger: { error: silent, warn: silent, info: silent, debug: silent },
		webhookKey: null,
		fetch: (url, init) =>
			send(url, {
				...init,
				// A redirect would carry the key to another server, or end at a login page.
				redirect: 'manual',
				headers: cleanHeaders(init?.headers, own, foreign, userAgent),
			}).catch((error: unknown) => {
				throw error instanceof Error && error.name === 'AbortError' ? error : new SendFailure(error);
			}),
	});
}

/** Some servers send nothing, not even headers, until they have read the whole prompt. */
function headersTimeout(options: AnthropicClientOptions): number {
	return Math.max(options.idleTimeoutMs, options.byteTimeoutMs);
}

interface StreamParts {
	readonly sdk: BaseAnthropic;
	readonly writer: BodyWriter;
	readonly options: AnthropicClientOptions;
	readonly context: FailureContext;
}

async function* stream(
	{ sdk, writer, options, context }: StreamParts,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelSignal> {
	if (signal.aborted) return;
	const controller = new AbortController();
	const cancel = () => controller.abort();
	signal.addEventListener('abort', cancel, { once: true });
	let late = false;
	const limit = headersTimeout(options);
	const timer = setTimeout(() => {
		late = true;
		cancel();
	}, limit);
	try {
		const body = toBody(request, (options.facts ?? modelFacts)(request.model));
		// Bytes go through the SDK as they are; `Messages.create` would write the whole conversation anew at each turn.
		const response = await sdk
			.post('/v1/messages', {
				body: writer.write({ ...body, stream: true }),
				headers: { 'content-type': 'application/json' },
				stream: true,
				signal: controller.signal,
			})
			.asResponse();
		clearTimeout(timer);
		yield* answerSignals(response, options, context, { signal, cancel });
	} catch (error) {
		if (signal.aborted) return;
		const message = `No answer from the service for ${Math.round(limit / 1000)} s.`;
		const failure: ModelFailure = late
			? { kind: 'stalled', message, host: context.host }
			: failureOfError(error, context, 'before');
		yield { kind: 'failed', failure };
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', cancel);
	}
}

async function listModels(
	sdk: BaseAnthropic,
	context: FailureContext,
	signal: AbortSignal,
): Promise<readonly RemoteModel[] | ModelFailure> {
	try {
		const limited = AbortSignal.any([signal, AbortSignal.timeout(modelListMs)]);
		const response = await new Models(sdk).list({ limit: 1000 }, { signal: limited }).asResponse();
		const models = remoteModels(await response.json().catch(() => undefined));
		if (models) return models;
		const message = `${context.host} answered, but not with a list of models.`;
		return { kind: 'not_a_stream', message, host: context.host };
	} catch (error) {
		return failureOfError(error, context, 'before');
	}
}
