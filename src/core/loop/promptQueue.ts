// Prompts typed while the agent works. The loop reads them at turn boundaries, in order, each exactly once; until then
// the person can take them back.
import type { QueuedPrompt } from '../messages/journal.ts';

export class PromptQueue {
	private prompts: readonly QueuedPrompt[];
	/** What stood before the one that was given out last. */
	private before: ReadonlySet<string> = new Set();
	private readonly listeners = new Set<() => void>();

	/** `waiting`: what a resumed session had not read. */
	constructor(waiting: readonly QueuedPrompt[] = []) {
		this.prompts = waiting;
	}

	get waiting(): readonly QueuedPrompt[] {
		return this.prompts;
	}

	add(prompt: QueuedPrompt): void {
		this.prompts = [...this.prompts, prompt];
		if (!prompt.afterExchange) for (const listener of this.listeners) listener();
	}

	/** False when it was read already, or never there. */
	remove(id: string): boolean {
		const left = this.prompts.filter((prompt) => prompt.id !== id);
		const removed = left.length < this.prompts.length;
		this.prompts = left;
		return removed;
	}

	/** Puts it at this place (from 0) among those that wait; false when it was read already, or is there. */
	move(id: string, to: number): boolean {
		const from = this.prompts.findIndex((prompt) => prompt.id === id);
		const prompt = this.prompts[from];
		const place = Math.min(Math.max(0, to), this.prompts.length - 1);
		if (!prompt || place === from) return false;
		this.prompts = this.prompts.toSpliced(from, 1).toSpliced(place, 0, prompt);
		return true;
	}

	/**
	 * The first one that may be read while the exchange runs; it will not be given out again. One at a time: its reader may
	 * end at any moment.
	 */
	take(): QueuedPrompt | undefined {
		const first = this.prompts.find(({ afterExchange }) => !afterExchange);
		const place = first === undefined ? 0 : this.prompts.indexOf(first);
		this.before = new Set(this.prompts.slice(0, place).map(({ id }) => id));
		this.prompts = this.prompts.filter((prompt) => prompt !== first);
		return first;
	}

	/** It could not be read after all: it stands again where it stood. */
	putBack(prompt: QueuedPrompt): void {
		const place = this.prompts.findLastIndex(({ id }) => this.before.has(id)) + 1;
		this.prompts = this.prompts.toSpliced(place, 0, prompt);
	}

	/** Called on each new prompt that may be read while the exchange runs; returns the way to stop listening. */
	onAdd(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}
}
