// Commands that go on although their conversation has ended: shown in every conversation of the window, until they end. No `vscode`.
import type { BackgroundTasks } from '../../core/tasks/backgroundTasks.ts';

export class KeptTasks {
	private all: readonly BackgroundTasks[] = [];
	private readonly listeners = new Set<() => void>();

	/** Of one conversation each. */
	get lists(): readonly BackgroundTasks[] {
		return this.all;
	}

	/** A conversation has ended, or begins anew; what of it runs stays here until it ends. */
	add(tasks: BackgroundTasks): void {
		if (tasks.running.length === 0 || this.all.includes(tasks)) return;
		this.all = [...this.all, tasks];
		const unfollow = tasks.onChange(() => this.tell());
		void tasks.allGone().then(() => {
			unfollow();
			this.all = this.all.filter((other) => other !== tasks);
			this.tell();
		});
		this.tell();
	}

	/** Often, while a command prints. Gives back how to end the subscription. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}
