// One exchange through the real loop and the real client, against the mock service on a real socket. The tools are the
// test's own. What came out, what was sent and what was written down are all there to compare.
import type { LoopEvent } from '../../src/core/loop/events.ts';
import { productionDeps } from '../../src/core/loop/deps.ts';
import type { QueryDeps } from '../../src/core/loop/deps.ts';
import type { QueryParams } from '../../src/core/loop/params.ts';
import { PromptQueue } from '../../src/core/loop/promptQueue.ts';
import { query } from '../../src/core/loop/query.ts';
import type { Terminal } from '../../src/core/loop/state.ts';
import type { Entry } from '../../src/core/messages/journal.ts';
import type { Message, UserMessage } from '../../src/core/messages/types.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import type { ToolDeps } from '../../src/core/tools/permitCall.ts';
import { createRegistry } from '../../src/core/tools/registry.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { createAnthropicClient } from '../../src/node/anthropic/client.ts';
import { systemClock } from '../../src/node/clock.ts';
import { bareContext, bareContextDeps, FakeJournal, noRetry, toolDeps } from './fakeTools.ts';
import type { MockRequest, Script, Violation } from './mockServer.ts';
import { messagesOf, startMockServer } from './mockServer.ts';

export interface ExchangeOptions {
	readonly model: Script;
	readonly tools?: readonly Tool[];
	readonly messages?: readonly Message[];
	readonly params?: Partial<QueryParams>;
	readonly deps?: Partial<QueryDeps>;
	readonly toolDeps?: Partial<ToolDeps>;
	readonly streamingTools?: boolean;
	/** Attempts after the first; none unless given. */
	readonly maxRetries?: number;
	/** The primary model and the fallback models. */
	readonly models?: readonly string[];
	/** Sees each event as it comes; may stop the exchange or queue a prompt. */
	readonly onEvent?: (event: LoopEvent, controls: Controls) => void | Promise<void>;
}

export interface Controls {
	readonly stop: (reason?: 'stop' | 'interrupt') => void;
	readonly queue: PromptQueue;
}

export interface ExchangeRecord {
	readonly events: readonly LoopEvent[];
	readonly terminal: Terminal;
	readonly requests: readonly MockRequest[];
	readonly violations: readonly Violation[];
	readonly entries: readonly Entry[];
}

export function prompt(text: string): UserMessage {
	return { role: 'user', id: 'prompt', origin: 'prompt', content: [{ type: 'text', text }], time: 0 };
}

export async function exchange(options: ExchangeOptions): Promise<ExchangeRecord> {
	const mock = await startMockServer(options.model);
	const journal = new FakeJournal();
	const controller = new AbortController();
	const queue = new PromptQueue();
	const events: LoopEvent[] = [];
	try {
		const params = exchangeParams(options, { url: mock.url, journal, queue, signal: controller.signal });
		const loop = query(params);
		for (let step = await loop.next(); ; step = await loop.next()) {
			if (step.done) {
				return {
					events,
					terminal: step.value,
					requests: mock.requests,
					violations: mock.violations,
					entries: journal.entries,
				};
			}
			events.push(step.value);
			await options.onEvent?.(step.value, { stop: (reason = 'stop') => controller.abort(reason), queue });
		}
	} finally {
		controller.abort('stop');
		await mock.close();
	}
}

function exchangeParams(
	options: ExchangeOptions,
	world: {
		readonly url: string;
		readonly journal: FakeJournal;
		readonly queue: PromptQueue;
		readonly signal: AbortSignal;
	},
): QueryParams {
	const counter = { next: 0 };
	const client = createAnthropicClient({
		apiKey: 'key-of-the-tests',
		baseUrl: world.url,
		idleTimeoutMs: 5000,
		byteTimeoutMs: 5000,
		version: 'test',
	});
	const deps: QueryDeps = {
		...productionDeps({
			client,
			journal: world.journal,
			clock: systemClock,
			uuid: () => `id-${++counter.next}`,
			facts: (model) => modelFacts(model),
			retry: { ...noRetry, maxRetries: options.maxRetries ?? 0 },
		}),
		...options.deps,
	};
	return {
		messages: options.messages ?? [prompt('do it')],
		system: ['You are a test.'],
		tools: createRegistry(options.tools ?? []),
		toolContext: bareContext(),
		changes: [],
		facts: (model) => modelFacts(model),
		context: bareContextDeps(),
		overheadTokens: 0,
		settings: () => ({
			models: options.models ?? ['claude-sonnet-5'],
			compaction: { enabled: true },
			thinking: 'auto',
			maxConcurrency: 10,
			bashErrorCancelsSiblings: true,
			streamingTools: options.streamingTools ?? true,
		}),
		queue: world.queue,
		signal: world.signal,
		deps,
		toolDeps: toolDeps({ journal: world.journal, clock: systemClock, ...options.toolDeps }),
		...options.params,
	};
}

/** The kinds of the events, deltas left out: what a golden test compares. */
export function kinds(events: readonly LoopEvent[]): readonly string[] {
	return events.filter(({ type }) => type !== 'block_delta').map(({ type }) => type);
}

/**
 * The whole exchange in one line, for golden tests: every event but deltas and tool progress, a finished block as `block`,
 * transitions and ends with their reasons, and each request as `→ model × messages`.
 */
export function story({ events }: Pick<ExchangeRecord, 'events'>): string {
	const words = events.flatMap((event): string[] => {
		switch (event.type) {
			case 'block_delta':
			case 'block_start':
			case 'tool_progress':
			case 'tool_queued':
				return [];
			case 'block_end':
				return [event.block ? event.block.type : 'cut'];
			case 'transition':
				return [`⟳${event.transition.reason}`];
			case 'tool_end':
				return [`tool:${event.state}`];
			case 'exchange_end':
				return [`■${event.terminal.reason}`];
			case 'projection_changed':
				return [event.change.kind];
			default:
				return [event.type];
		}
	});
	return words.join(' ');
}

/** The requests in one line: the number of messages of each. */
export function requestSizes({ requests }: Pick<ExchangeRecord, 'requests'>): readonly number[] {
	return requests.map((request) => messagesOf(request).length);
}
