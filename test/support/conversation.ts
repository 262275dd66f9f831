// A conversation with the real engine and client against the mock service, with tools, transcript and person of the test.
import type { Conversation } from '../../src/core/session/engineApi.ts';
import type { EngineOptions, SessionPorts, SessionSettings } from '../../src/core/session/options.ts';
import { createConversation } from '../../src/core/session/queryEngine.ts';
import type { LoopEvent } from '../../src/core/loop/events.ts';
import type { Terminal } from '../../src/core/loop/state.ts';
import type { Entry, Journal, StoredEntry } from '../../src/core/messages/journal.ts';
import { modelFacts } from '../../src/core/model/models.ts';
import type { Interaction } from '../../src/core/ports/interaction.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { createAnthropicClient } from '../../src/node/anthropic/client.ts';
import { newUuid, systemClock, systemRandom } from '../../src/node/clock.ts';
import { bareContext } from './fakeTools.ts';
import { FakeShell } from './fakeWorkspace.ts';

export interface ConversationOptions {
	readonly url: string;
	readonly tools?: readonly Tool[];
	readonly transcript?: readonly StoredEntry[];
	readonly interaction?: Interaction;
	readonly ports?: Partial<SessionPorts>;
	readonly settings?: Partial<SessionSettings>;
	readonly overrides?: Partial<EngineOptions>;
}

export interface TestConversation {
	readonly conversation: Conversation;
	/** The transcript: what was resumed and what came since. */
	readonly entries: readonly StoredEntry[];
}

export function startConversation(options: ConversationOptions): TestConversation {
	const entries: StoredEntry[] = [...(options.transcript ?? [])];
	const journal: Journal = {
		append: (entry: Entry) => {
			entries.push({ ...entry, time: 0 });
			return Promise.resolve();
		},
	};
	const { search } = bareContext();
	const conversation = createConversation({
		sessionId: 'session',
		ports: {
			client: createAnthropicClient({
				apiKey: 'key-of-the-tests',
				baseUrl: options.url,
				idleTimeoutMs: 5000,
				byteTimeoutMs: 5000,
				version: 'test',
			}),
			workspace: { ...bareContext().workspace, roots: ['/w'], realPath: (path) => Promise.resolve(path) },
			search,
			shell: new FakeShell(),
			interaction: options.interaction ?? { requestPermission: () => Promise.resolve({ behavior: 'allow' }) },
			journal,
			clock: systemClock,
			uuid: newUuid,
			random: systemRandom,
			...options.ports,
		},
		settings: () => ({
			model: 'claude-sonnet-5',
			thinking: 'auto',
			maxConcurrency: 10,
			bashErrorCancelsSiblings: true,
			streamingTools: true,
			allow: [],
			ask: [],
			deny: [],
			allowBypass: true,
			...options.settings,
		}),
		facts: (model) => modelFacts(model),
		mode: 'default',
		interactive: true,
		app: 'test',
		platform: 'linux',
		...(options.tools ? { tools: options.tools } : {}),
		...(options.transcript ? { transcript: options.transcript } : {}),
		...options.overrides,
	});
	return { conversation, entries };
}

/** Pulls an exchange to its end. */
export async function finish(
	exchange: AsyncGenerator<LoopEvent, Terminal>,
): Promise<{ events: LoopEvent[]; terminal: Terminal }> {
	const events: LoopEvent[] = [];
	for (let step = await exchange.next(); ; step = await exchange.next()) {
		if (step.done) return { events, terminal: step.value };
		events.push(step.value);
	}
}
