// From the loop's events to the messages of `stream-json` (ecosystem.md 8.3). Pure but for the ids and the count that it
// keeps. Contract: the messages of one exchange end with exactly one `result`, which `resultMessage` makes.
import type { LoopEvent } from '../core/loop/events.ts';
import type { EndReason, Terminal } from '../core/loop/state.ts';
import type { AssistantBlock, AssistantMessage, JsonObject, UserMessage, Usage } from '../core/messages/types.ts';
import { noUsage, textOf } from '../core/messages/types.ts';
import type { ModelFailure } from '../core/model/failure.ts';
import type { ProjectionChange } from '../core/messages/projection.ts';
import type { ModelUse } from '../core/session/ledger.ts';
import { addUsage } from '../core/session/resume.ts';
import { failureText, wireError } from './failureText.ts';

export type WireMessage = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface OutputOptions {
	readonly sessionId: string;
	/** `stream_event` messages too. */
	readonly partial: boolean;
	uuid(): string;
	/** Milliseconds since the epoch. */
	now(): number;
}

/** What is told at the start. */
export interface InitFacts {
	readonly cwd: string;
	readonly tools: readonly string[];
	readonly model: string;
	readonly permissionMode: string;
	/** Where the key comes from; `none` for servers that need none and for the demo model. */
	readonly apiKeySource: string;
	readonly version: string;
}

/** What only the conversation knows at the end. */
export interface ResultFacts {
	readonly terminal: Terminal | undefined;
	/** An error outside of the loop, in words. */
	readonly error?: string;
	/** Milliseconds. */
	readonly durationMs: number;
	/** USD of this run; null when a price is unknown. */
	readonly costUsd: number | null;
	/** Of this run, by model: turns, summaries, everything. */
	readonly modelUsage: ReadonlyMap<string, ModelUse>;
	readonly denials: readonly { readonly tool: string; readonly toolUseId: string; readonly input: unknown }[];
	/** Commands in the background that ended with the run. */
	readonly stopped?: readonly { readonly id: string; readonly command: string }[];
}

export class Output {
	readonly #options: OutputOptions;
	/** Answers that `message_start` was told of. */
	readonly #begun = new Set<string>();
	/** Blocks that are open, by index. */
	readonly #open = new Map<number, AssistantBlock['type']>();
	#model = '';
	#apiMs = 0;
	#last: AssistantMessage | undefined;
	/** Results that came while their answer still streams: they go out after it. */
	#early: WireMessage[] = [];
	#streaming = false;
	/** An answer that may be taken back: it goes out with the next event, unless that one retracts it. */
	#held:
		| { readonly id: string; readonly before: AssistantMessage | undefined; readonly messages: WireMessage[] }
		| undefined;
	#failure: ModelFailure | undefined;
	#compacting = false;

	constructor(options: OutputOptions) {
		this.#options = options;
	}

	init(facts: InitFacts): WireMessage {
		return this.#message('system', {
			subtype: 'init',
			cwd: facts.cwd,
			tools: facts.tools,
			mcp_servers: [],
			model: facts.model,
			permissionMode: facts.permissionMode,
			slash_commands: [],
			skills: [],
			plugins: [],
			apiKeySource: facts.apiKeySource,
			loopwright_version: facts.version,
		});
	}

	/** Something worth knowing that is no part of the conversation. */
	informational(content: string, level: 'info' | 'warning'): WireMessage {
		return this.#message('system', { subtype: 'informational', content, level });
	}

	/** What an event means on the wire: none, one or several messages. */
	project(event: LoopEvent): readonly WireMessage[] {
		if (event.type === 'answer_retracted') return this.#retract(event.messageId);
		const held = this.#held?.messages ?? [];
		this.#held = undefined;
		return [...held, ...this.#messages(event)];
	}

	#messages(event: LoopEvent): readonly WireMessage[] {
		switch (event.type) {
			case 'turn_start':
				this.#model = event.model;
				this.#streaming = true;
				this.#early = [];
				return [];
			case 'block_start':
			case 'block_delta':
			case 'block_end':
				return this.#options.partial ? this.#partial(event) : [];
			case 'answer_end':
				return this.#answer(event);
			case 'tool_end':
				return this.#result(event);
			case 'interrupted':
				return [this.#synthetic(event.message)];
			case 'model_error':
				this.#failure = event.failure;
				return [];
			case 'retry_wait':
				return [this.#retry(event)];
			case 'model_fallback':
				return [
					this.informational(`${event.from} does not answer; ${event.to} takes over for this prompt.`, 'warning'),
				];
			case 'compaction_start':
				this.#compacting = true;
				return [this.#message('system', { subtype: 'status', status: 'compacting' })];
			case 'projection_changed':
				return event.change.kind === 'compacted' ? [this.#boundary(event.change)] : [];
			case 'context_prepared':
			case 'exchange_end':
				return this.#compactionEnd(event);
			default:
				return [];
		}
	}

	/** The last message of a run. */
	result(facts: ResultFacts): WireMessage {
		const { terminal } = facts;
		const reason = facts.error === undefined ? terminal?.reason : undefined;
		const success = reason === 'completed';
		return this.#message('result', {
			subtype: subtypeOf(reason),
			is_error: !success,
			duration_ms: Math.round(facts.durationMs),
			duration_api_ms: Math.round(this.#apiMs),
			num_turns: terminal?.turnCount ?? 0,
			...(success ? { result: this.finalText } : { errors: [this.errorText(facts)] }),
			stop_reason: this.#last?.stopReason ?? null,
			total_cost_usd: facts.costUsd,
			usage: wireUsage([...facts.modelUsage.values()].map(({ usage }) => usage).reduce(addUsage, noUsage)),
			modelUsage: Object.fromEntries([...facts.modelUsage].map(([model, use]) => [model, wireModelUse(use)])),
			permission_denials: facts.denials.map(({ tool, toolUseId, input }) => ({
				tool_name: tool,
				tool_use_id: toolUseId,
				tool_input: input,
			})),
			...(facts.stopped === undefined || facts.stopped.length === 0
				? {}
				: { stopped_tasks: facts.stopped.map(({ id, command }) => ({ task_id: id, command })) }),
			terminal_reason: reason ?? 'turn_setup_failed',
		});
	}

	/** The text of the last answer. */
	get finalText(): string {
		return this.#last ? textOf(this.#last) : '';
	}

	/** Why a run did not succeed, in one sentence. */
	errorText({ error, terminal }: Pick<ResultFacts, 'error' | 'terminal'>): string {
		if (error !== undefined) return error;
		const failure = terminal?.failure ?? this.#failure;
		if (failure) return failureText(failure, this.#options.now());
		return endTexts[terminal?.reason ?? 'model_error'] ?? `The run ended: ${terminal?.reason ?? 'unknown'}.`;
	}

	#partial(event: Extract<LoopEvent, { type: 'block_start' | 'block_delta' | 'block_end' }>): readonly WireMessage[] {
		const { index } = event;
		const events: object[] = [];
		if (!this.#begun.has(event.messageId)) {
			this.#begun.add(event.messageId);
			const message = { id: event.messageId, type: 'message', role: 'assistant', model: this.#model, content: [] };
			events.push({ type: 'message_start', message: { ...message, stop_reason: null, usage: wireUsage(noUsage) } });
		}
		if (event.type === 'block_start') {
			this.#open.set(index, event.block);
			events.push({ type: 'content_block_start', index, content_block: emptyBlock(event) });
		} else if (event.type === 'block_delta') {
			const thinking = this.#open.get(index) === 'thinking';
			const delta = thinking
				? { type: 'thinking_delta', thinking: event.text }
				: { type: 'text_delta', text: event.text };
			events.push({ type: 'content_block_delta', index, delta });
		} else {
			if (event.block?.type === 'tool_use') {
				const delta = { type: 'input_json_delta', partial_json: JSON.stringify(event.block.input) };
				events.push({ type: 'content_block_delta', index, delta });
			}
			events.push({ type: 'content_block_stop', index });
		}
		return events.map((raw) => this.#streamEvent(raw));
	}

	#answer(event: Extract<LoopEvent, { type: 'answer_end' }>): readonly WireMessage[] {
		const { message, durationMs } = event;
		const before = this.#last;
		this.#last = message;
		this.#apiMs += durationMs;
		const ending = this.#begun.has(message.id)
			? [
					this.#streamEvent({
						type: 'message_delta',
						delta: { stop_reason: message.stopReason, stop_sequence: null },
						usage: wireUsage(message.usage),
					}),
					this.#streamEvent({ type: 'message_stop' }),
				]
			: [];
		const wire = {
			id: message.apiId ?? message.id,
			type: 'message',
			role: 'assistant',
			model: message.model,
			content: message.content.map(wireBlock),
			stop_reason: message.stopReason,
			stop_sequence: null,
			usage: wireUsage(message.usage),
		};
		const aborted = message.complete ? {} : { aborted: true };
		const told = [
			this.#message('assistant', { message: wire, parent_tool_use_id: null, ...aborted }),
			...this.#early.splice(0),
		];
		this.#streaming = false;
		if (!mayBeRetracted(message)) return [...ending, ...told];
		this.#held = { id: message.id, before, messages: told };
		return ending;
	}

	/** An answer, or an attempt at one, counts for nothing; what streamed of it begins anew with the next. */
	#retract(messageId: string): readonly WireMessage[] {
		this.#begun.delete(messageId);
		if (this.#held?.id === messageId) this.#last = this.#held.before;
		this.#held = undefined;
		return [];
	}

	#result(event: Extract<LoopEvent, { type: 'tool_end' }>): readonly WireMessage[] {
		const told = this.#message('user', {
			message: { role: 'user', content: [event.result] },
			parent_tool_use_id: null,
			tool_use_result: event.view,
		});
		if (!this.#streaming) return [told];
		this.#early.push(told);
		return [];
	}

	#retry({ attempt, maxRetries, delayMs, failure }: Extract<LoopEvent, { type: 'retry_wait' }>): WireMessage {
		return this.#message('system', {
			subtype: 'api_retry',
			attempt,
			max_retries: maxRetries,
			retry_delay_ms: delayMs,
			error_status: failure.status ?? null,
			error: wireError(failure),
		});
	}

	#boundary({ trigger, before, after }: Extract<ProjectionChange, { kind: 'compacted' }>): WireMessage {
		const metadata = {
			trigger: trigger === 'manual' ? 'manual' : 'auto',
			pre_tokens: before,
			post_tokens: after,
		};
		return this.#message('system', { subtype: 'compact_boundary', compact_metadata: metadata });
	}

	#compactionEnd(event: Extract<LoopEvent, { type: 'context_prepared' | 'exchange_end' }>): readonly WireMessage[] {
		const problem = event.type === 'context_prepared' ? event.problem : undefined;
		const failed = problem?.failure
			? [
					this.informational(
						`The conversation could not be compacted: ${failureText(problem.failure, this.#options.now())}`,
						'warning',
					),
				]
			: [];
		if (!this.#compacting) return failed;
		this.#compacting = false;
		return [...failed, this.#message('system', { subtype: 'status', status: null })];
	}

	#synthetic(message: UserMessage): WireMessage {
		const wire = { role: 'user', content: message.content };
		return this.#message('user', { message: wire, parent_tool_use_id: null, isSynthetic: true });
	}

	#streamEvent(event: object): WireMessage {
		return this.#message('stream_event', { event, parent_tool_use_id: null });
	}

	#message(type: string, fields: Readonly<Record<string, unknown>>): WireMessage {
		return { type, ...fields, session_id: this.#options.sessionId, uuid: this.#options.uuid() };
	}
}

const endTexts: Partial<Record<EndReason, string>> = {
	budget_exhausted: 'The limit of costs was reached before the work was done.',
	max_turns: 'The limit of turns was reached before the work was done.',
	aborted_streaming: 'The run was stopped.',
	aborted_tools: 'The run was stopped.',
	refusal: 'The model declined to answer.',
	rapid_refill_breaker: 'The context fills up again right after each compaction.',
	malformed_tool_use_exhausted: 'The model kept sending tool calls that cannot run.',
	prompt_too_long: 'The conversation is too long for the model.',
};

/** Cut, refused or failed: the loop may ask again instead. */
function mayBeRetracted({ complete, stopReason }: AssistantMessage): boolean {
	return !complete || stopReason === 'max_tokens' || stopReason === 'refusal' || stopReason === 'unknown';
}

function subtypeOf(reason: EndReason | undefined): string {
	switch (reason) {
		case 'completed':
			return 'success';
		case 'max_turns':
			return 'error_max_turns';
		case 'budget_exhausted':
			return 'error_max_budget_usd';
		default:
			return 'error_during_execution';
	}
}

function emptyBlock(event: Extract<LoopEvent, { type: 'block_start' }>): JsonObject {
	switch (event.block) {
		case 'text':
			return { type: 'text', text: '' };
		case 'thinking':
			return { type: 'thinking', thinking: '', signature: '' };
		case 'tool_use':
			return { type: 'tool_use', id: event.toolUse?.id ?? '', name: event.toolUse?.name ?? '', input: {} };
		default:
			return { type: event.block };
	}
}

function wireBlock(block: AssistantBlock): JsonObject {
	if (block.type === 'opaque') return block.value;
	if (block.type !== 'tool_use') return { ...block };
	return { type: 'tool_use', id: block.id, name: block.name, input: block.input, ...block.extra };
}

function wireUsage(usage: Usage): JsonObject {
	return {
		input_tokens: usage.inputTokens,
		cache_creation_input_tokens: usage.cacheCreationTokens,
		cache_read_input_tokens: usage.cacheReadTokens,
		output_tokens: usage.outputTokens,
	};
}

function wireModelUse({ usage, costUsd }: ModelUse): Readonly<Record<string, unknown>> {
	return {
		inputTokens: usage.inputTokens,
		outputTokens: usage.outputTokens,
		cacheReadInputTokens: usage.cacheReadTokens,
		cacheCreationInputTokens: usage.cacheCreationTokens,
		costUSD: costUsd,
	};
}
