// Conversations and ports for tests of the context pipeline: built turn by turn, with ids that tell what is what.
import assert from 'node:assert/strict';
import { CollapseArea } from '../../src/core/context/collapseArea.ts';
import { ContextCache } from '../../src/core/context/contextCache.ts';
import type {
	ContextDeps,
	ContextEvent,
	ContextInput,
	PreparedContext,
	Reattachment,
	SummaryAnswer,
	SummaryRequest,
} from '../../src/core/context/contextTypes.ts';
import { noTracking } from '../../src/core/context/contextTypes.ts';
import { prepareContext } from '../../src/core/context/pipeline.ts';
import type { ProjectionChange } from '../../src/core/messages/projection.ts';
import { toRequestMessages } from '../../src/core/messages/toRequest.ts';
import type {
	AssistantBlock,
	JsonObject,
	Message,
	StopReason,
	ToolResultBlock,
	ToolResultContent,
	UserOrigin,
} from '../../src/core/messages/types.ts';
import { noUsage, toolUses } from '../../src/core/messages/types.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import { FakeClock } from './fakeTools.ts';
import { checkRequest } from './requestRules.ts';

export interface CallSpec {
	readonly name: string;
	readonly input?: JsonObject;
	readonly result?: string | readonly ToolResultContent[];
	readonly isError?: boolean;
}
export interface TurnSpec {
	readonly text?: string;
	readonly thinking?: string;
	readonly calls?: readonly CallSpec[];
	/** Tokens that the API reports for the prompt. */
	readonly tokens?: number;
	readonly stopReason?: StopReason;
}

/** A conversation that grows. */
export class Talk {
	messages: readonly Message[] = [];
	time = Date.UTC(2026, 0, 2);
	private count = 0;

	/** The number that the next message gets. */
	get next(): number {
		return this.count + 1;
	}

	prompt(text: string, origin: UserOrigin = 'prompt'): this {
		return this.add({
			role: 'user',
			id: `p${++this.count}`,
			origin,
			content: [{ type: 'text', text }],
			time: this.time,
		});
	}

	/** An answer, and the message with the results of its calls. */
	turn({ text, thinking, calls = [], tokens = 0, stopReason }: TurnSpec): this {
		const number = ++this.count;
		const content: AssistantBlock[] = [
			...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 'c2lnbmVk' } as const]),
			...(text === undefined ? [] : [{ type: 'text', text } as const]),
			...calls.map(
				({ name, input = {} }, index) => ({ type: 'tool_use', id: `t${number}_${index}`, name, input }) as const,
			),
		];
		this.add({
			role: 'assistant',
			id: `a${number}`,
			content,
			model: 'claude-haiku-4-5',
			stopReason: stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
			usage: { ...noUsage, inputTokens: tokens },
			complete: true,
			time: this.time,
		});
		if (calls.length === 0) return this;
		const results = calls.map(({ result = 'done', isError }, index): ToolResultBlock => ({
			type: 'tool_result',
			tool_use_id: `t${number}_${index}`,
			content: typeof result === 'string' ? [{ type: 'text', text: result }] : result,
			...(isError ? { is_error: true } : {}),
		}));
		return this.add({
			role: 'user',
			id: `a${number}-results`,
			origin: 'tool_results',
			content: results,
			time: this.time,
		});
	}

	add(message: Message): this {
		this.messages = [...this.messages, message];
		return this;
	}
}

/** Text of about so many tokens. */
export function tokensOfText(tokens: number, word = 'lorem '): string {
	return word.repeat(Math.ceil((tokens * 3.5) / word.length));
}

export function contextInput(messages: readonly Message[], overrides: Partial<ContextInput> = {}): ContextInput {
	return {
		messages,
		changes: [],
		facts: { ...modelFacts('claude-haiku-4-5'), contextWindow: 200_000 },
		settings: { enabled: true },
		overheadTokens: 0,
		maxOutputTokens: 32_000,
		now: Date.UTC(2026, 0, 2),
		tracking: noTracking,
		resultLimit: (name) => (name === 'Read' ? Infinity : name === 'Bash' ? 30_000 : undefined),
		mainConversation: true,
		...overrides,
	};
}

export interface FakeDeps extends ContextDeps {
	readonly requests: SummaryRequest[];
	/** By path. */
	readonly files: Map<string, string>;
	/** What `reattach` was asked for. */
	readonly asked: (readonly string[])[];
}

export function contextDeps(
	options: {
		readonly summarise?: (request: SummaryRequest, count: number, signal: AbortSignal) => Promise<SummaryAnswer>;
		readonly reattachment?: Reattachment;
		readonly storeFails?: boolean;
	} = {},
): FakeDeps {
	const requests: SummaryRequest[] = [];
	const files = new Map<string, string>();
	const asked: (readonly string[])[] = [];
	let ids = 0;
	return {
		requests,
		files,
		asked,
		storeResult: (id, text) => {
			if (options.storeFails) return Promise.reject(new Error('disk full'));
			files.set(`/results/${id}.txt`, text);
			return Promise.resolve(`/results/${id}.txt`);
		},
		summarise: (request, signal) => {
			requests.push(request);
			return options.summarise?.(request, requests.length, signal) ?? Promise.resolve(answered('the summary'));
		},
		reattach: (paths) => {
			asked.push(paths);
			return Promise.resolve(options.reattachment ?? { files: [], mode: 'default' });
		},
		uuid: () => `made-${++ids}`,
		clock: new FakeClock(),
		cache: new ContextCache(),
		staged: new CollapseArea(),
	};
}

export function answered(text: string): SummaryAnswer {
	return { kind: 'answered', text, usage: noUsage };
}
export function tooLong(actual?: number, maximum?: number): SummaryAnswer {
	return {
		kind: 'failed',
		failure: {
			kind: 'prompt_too_long',
			message: 'prompt is too long',
			...(actual === undefined ? {} : { actual }),
			...(maximum === undefined ? {} : { maximum }),
		},
	};
}

/** Pulls the preparation to its end. */
export async function prepared(
	input: ContextInput,
	deps: ContextDeps,
	signal = new AbortController().signal,
): Promise<PreparedContext & { readonly events: readonly ContextEvent[] }> {
	const run = prepareContext(input, deps, signal);
	const events: ContextEvent[] = [];
	for (let step = await run.next(); ; step = await run.next()) {
		if (step.done) return { ...step.value, events };
		events.push(step.value);
	}
}

export function kindsOf(changes: readonly ProjectionChange[]): readonly string[] {
	return changes.map(({ kind }) => kind);
}

/** Asserts that the API would take these messages, and that no call was separated from its result. */
export function assertSendable(messages: readonly Message[]): void {
	const body = { model: 'claude-haiku-4-5', max_tokens: 1000, stream: true, messages: toRequestMessages(messages) };
	const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'k', 'content-type': 'application/json' };
	assert.deepEqual(checkRequest({ body: JSON.parse(JSON.stringify(body)), headers }), []);
	let open: readonly string[] = [];
	for (const message of messages) {
		if (message.role === 'assistant') {
			assert.deepEqual(open, [], `calls without results before ${message.id}`);
			open = toolUses(message).map(({ id }) => id);
			continue;
		}
		const results = message.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
		assert.ok(
			results.every((id) => open.includes(id)),
			`results without calls in ${message.id}`,
		);
		open = open.filter((id) => !results.includes(id));
	}
	assert.deepEqual(open, [], 'calls without results at the end');
}

/** All text that is sent. */
export function sentText(messages: readonly Message[]): string {
	return JSON.stringify(toRequestMessages(messages));
}
