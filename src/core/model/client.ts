// The port to the model service: a raw event stream of the Messages API. Adapter: `AnthropicClient` (src/node/anthropic).
import type { JsonObject } from '../messages/types.ts';
import type { ModelFailure } from './failure.ts';

/** A tool as the model sees it. */
export interface ToolDefinition {
	readonly name: string;
	readonly description: string;
	/** JSON Schema, root `type: object`. */
	readonly inputSchema: JsonObject;
}

export type ThinkingSetting = 'auto' | 'off';

/** One request, already valid for the wire: `messages` are API message params (made by core/messages/toRequest). */
export interface ModelRequest {
	readonly model: string;
	/** The stable part first. */
	readonly system: readonly string[];
	readonly messages: readonly JsonObject[];
	readonly tools: readonly ToolDefinition[];
	readonly maxTokens: number;
	readonly thinking: ThinkingSetting;
	readonly toolChoice?: 'auto' | 'none';
}

/** A raw stream event as parsed JSON (anthropic-api §1.1). Unknown types are passed on. */
export type StreamEvent = { readonly type: string } & JsonObject;

/**
 * `failed` is always the last item. A stream that ends without `message_stop` and without `failed` was aborted.
 */
export type ModelSignal =
	{ readonly kind: 'event'; readonly event: StreamEvent } | { readonly kind: 'failed'; readonly failure: ModelFailure };

/** What the Models API (or the table) says of a model; null where nobody knows. Prices: USD per million tokens. */
export interface ModelFacts {
	readonly id: string;
	readonly name: string;
	/** Tokens. */
	readonly contextWindow: number;
	/** Tokens. */
	readonly maxOutputTokens: number;
	readonly prices: ModelPrices | null;
	/** Which `thinking` the model accepts. */
	readonly thinking: 'adaptive' | 'budget' | 'none';
}
export interface ModelPrices {
	readonly input: number;
	readonly output: number;
	/** Cache write for 5 minutes. */
	readonly cacheWrite: number;
	readonly cacheRead: number;
}

export interface ModelClient {
	/** Contract: never rejects or throws for failures of the service; ends silently when the signal aborts. */
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelSignal>;
	/** The models this key may use; a failure when the service has no such list. */
	listModels(signal: AbortSignal): Promise<readonly RemoteModel[] | ModelFailure>;
}
/** An entry of `GET /v1/models`; limits can be null (then the table decides). */
export interface RemoteModel {
	readonly id: string;
	readonly displayName: string;
	readonly maxInputTokens: number | null;
	readonly maxTokens: number | null;
}
