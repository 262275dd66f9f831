// Work beside a conversation: fired after an exchange and never awaited by it. Contract: nothing here delays a prompt or
// throws into the conversation, and after `dispose` nothing runs any more.
import type { LabelTools } from '../loop/toolBatch.ts';
import type { DreamPort } from '../memory/dreamPort.ts';
import type { MemoryStore } from '../memory/memoryStore.ts';
import type { Message } from '../messages/types.ts';
import type { Ask, BackgroundSettings } from './ask.ts';
import { dream } from './dream.ts';
import { extractMemory } from './extractMemory.ts';
import { labelTools } from './labelTools.ts';
import { suggestPrompt } from './suggestPrompt.ts';
import { titleSession } from './titleSession.ts';

export interface BackgroundParts {
	readonly ask: Ask;
	/** Read anew each time. */
	settings(): BackgroundSettings;
	/** Absent: nothing is remembered. */
	readonly memory?: MemoryStore;
	readonly dream?: DreamPort;
	/** Milliseconds since the epoch. */
	now(): number;
	onSuggestion(text: string): void;
	onTitle(title: string): void;
	/** Told which files of the memory were changed, by name. */
	onMemory(names: readonly string[]): void;
	/** Told what went wrong, for the log. */
	onProblem(work: string, error: unknown): void;
}

/** Prompts after which a conversation stays without a title. */
const titleUntil = 3;

export class Background {
	private readonly parts: BackgroundParts;
	private readonly life = new AbortController();
	/** Of what the next prompt makes pointless. */
	private untilPrompt: AbortController | undefined;
	private readonly running = new Set<Promise<void>>();
	/** The conversation that waits for its extraction, while one runs. */
	private waiting: readonly Message[] | undefined;
	private extracting = false;
	/** One attempt per conversation: a failing service is not asked again after each exchange. */
	private hasDreamt = false;
	/** The title was asked for in vain: it is asked for again, for a while. */
	private wantsTitle = false;

	constructor(parts: BackgroundParts) {
		this.parts = parts;
	}

	/** A new prompt comes: a suggestion for it is late. */
	promptComes(): void {
		this.untilPrompt?.abort();
		this.untilPrompt = undefined;
	}

	/** An exchange ended well; its messages are the conversation so far. */
	exchangeEnded(messages: readonly Message[]): void {
		if (this.life.signal.aborted) return;
		const { suggestions, memory, consolidation, title } = this.parts.settings();
		if (suggestions) this.fire('suggestion', () => this.suggest(messages));
		if (memory && this.parts.memory) this.extract(messages, this.parts.memory);
		if (title && this.isTitleDue(messages)) this.fire('title', () => this.title(messages));
		if (consolidation && !this.hasDreamt) this.consolidate();
	}

	/** The label of a batch of tools; undefined when there is none. Contract: never rejects. */
	readonly labelTools: LabelTools = (batch, signal) =>
		FEATURES.TOOL_SUMMARIES
			? labelTools(batch, this.parts.ask, AbortSignal.any([signal, this.life.signal]))
			: Promise.resolve(undefined);

	/** Resolves when nothing runs. */
	async idle(): Promise<void> {
		while (this.running.size > 0) await Promise.all(this.running);
	}

	async dispose(): Promise<void> {
		this.waiting = undefined;
		this.life.abort();
		await this.idle();
	}

	private async suggest(messages: readonly Message[]): Promise<void> {
		this.untilPrompt?.abort();
		this.untilPrompt = new AbortController();
		const signal = AbortSignal.any([this.untilPrompt.signal, this.life.signal]);
		const text = await suggestPrompt(messages, this.parts.ask, signal);
		if (text !== undefined && !signal.aborted) this.parts.onSuggestion(text);
	}

	/** Once in a conversation: after its first exchange, or one of the next ones where the service failed then. */
	private isTitleDue(messages: readonly Message[]): boolean {
		const prompts = messages.filter((message) => message.role === 'user' && message.origin === 'prompt').length;
		return prompts === 1 || (this.wantsTitle && prompts <= titleUntil);
	}

	private async title(messages: readonly Message[]): Promise<void> {
		this.wantsTitle = false;
		const title = await titleSession(messages, this.parts.ask, this.life.signal);
		if (this.life.signal.aborted) return;
		this.wantsTitle = title === undefined;
		if (title !== undefined) this.parts.onTitle(title);
	}

	/** One at a time; of exchanges that end meanwhile only the last one is looked at. */
	private extract(messages: readonly Message[], store: MemoryStore): void {
		if (this.extracting) {
			this.waiting = messages;
			return;
		}
		this.extracting = true;
		this.fire('memory', async () => {
			try {
				const names = await extractMemory(messages, { ask: this.parts.ask, store }, this.life.signal);
				if (names.length > 0) this.parts.onMemory(names);
			} finally {
				this.extracting = false;
				const next = this.waiting;
				this.waiting = undefined;
				if (next) this.extract(next, store);
			}
		});
	}

	private consolidate(): void {
		const { ask, memory: store, dream: port } = this.parts;
		if (FEATURES.AUTO_DREAM && store && port) {
			this.hasDreamt = true;
			this.fire('consolidation', async () => {
				const names = await dream({ ask, store, port, now: () => this.parts.now() }, this.life.signal);
				if (names.length > 0) this.parts.onMemory(names);
			});
		}
	}

	private fire(work: string, run: () => Promise<void>): void {
		const fired = run().catch((error: unknown) => this.parts.onProblem(work, error));
		this.running.add(fired);
		void fired.finally(() => this.running.delete(fired));
	}
}
