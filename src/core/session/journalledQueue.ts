// The prompts that wait, written down as they come and go: a prompt that was typed while the agent worked outlives a crash.
// Nothing depends on these entries, so nobody waits for them.
import { PromptQueue } from '../loop/promptQueue.ts';
import type { Entry, Journal, QueuedPrompt } from '../messages/journal.ts';

export class JournalledQueue extends PromptQueue {
	private readonly journal: Journal;

	constructor(waiting: readonly QueuedPrompt[], journal: Journal) {
		super(waiting);
		this.journal = journal;
	}

	override add(prompt: QueuedPrompt): void {
		super.add(prompt);
		this.write({ type: 'queued', ...prompt });
	}

	override remove(id: string): boolean {
		const removed = super.remove(id);
		if (removed) this.write({ type: 'unqueued', id });
		return removed;
	}

	override move(id: string, to: number): boolean {
		const moved = super.move(id, to);
		if (moved) this.write({ type: 'queue_ordered', ids: this.waiting.map((prompt) => prompt.id) });
		return moved;
	}

	/** Takes this one out to be said now: its message will have its id. */
	claim(id: string | undefined): QueuedPrompt | undefined {
		const prompt = this.waiting.find((known) => known.id === id);
		if (prompt) super.remove(prompt.id);
		return prompt;
	}

	private write(entry: Entry): void {
		this.journal.append(entry).catch(() => {
			// A transcript that cannot be written shows with the next entry that counts.
		});
	}
}
