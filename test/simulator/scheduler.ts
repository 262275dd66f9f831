// Decides what happens next. Everything that the engine waits for (bytes, tools, the person, time) is a task here; one at a
// time is let go, chosen by the run's decisions. Time is virtual: it moves when a sleep is chosen, by as much as it asked for.
import type { Clock } from '../../src/core/ports/clock.ts';
import type { Decisions } from './decisions.ts';

interface Task {
	readonly label: string;
	readonly go: () => void;
}
interface Sleeper extends Task {
	readonly due: number;
}

export class Scheduler implements Clock {
	private readonly decisions: Decisions;
	private readonly trace: string[] | undefined;
	private tasks: Task[] = [];
	private sleepers: Sleeper[] = [];
	private time = Date.UTC(2026, 0, 2, 3, 4, 5);

	constructor(decisions: Decisions, trace: string[] | undefined) {
		this.decisions = decisions;
		this.trace = trace;
	}

	now(): number {
		return this.time;
	}

	/** Virtual time passes while nothing else happens. */
	pass(ms: number): void {
		this.time += ms;
	}

	sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return Promise.resolve();
		return new Promise((resolve) => {
			const sleeper: Sleeper = { label: `sleep ${ms}`, due: this.time + ms, go: () => end() };
			const end = () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				signal?.removeEventListener('abort', end);
				resolve();
			};
			signal?.addEventListener('abort', end);
			this.sleepers.push(sleeper);
		});
	}

	/** Resolves when it is this task's turn. */
	turn(label: string): Promise<void> {
		return new Promise((resolve) => void this.add(label, resolve));
	}

	/** Adds a task; returns the way to take it back. */
	add(label: string, go: () => void): () => void {
		const task: Task = { label, go };
		this.tasks.push(task);
		return () => {
			this.tasks = this.tasks.filter((other) => other !== task);
		};
	}

	/** Lets one task go; false when there is none. */
	step(): boolean {
		const sleeper = this.earliest();
		const count = this.tasks.length + (sleeper ? 1 : 0);
		if (count === 0) return false;
		const index = count === 1 ? 0 : this.decisions.below(count);
		const task = this.tasks[index];
		if (task) {
			this.tasks.splice(index, 1);
			this.trace?.push(`  ${task.label}`);
			task.go();
		} else if (sleeper) {
			this.time = Math.max(this.time, sleeper.due);
			this.trace?.push(`  ${sleeper.label} ms are over`);
			sleeper.go();
		}
		return true;
	}

	/** The process is gone: nothing that it waited for comes any more. */
	clear(): void {
		this.tasks = [];
		this.sleepers = [];
	}

	private earliest(): Sleeper | undefined {
		let first = this.sleepers[0];
		for (const sleeper of this.sleepers) if (first && sleeper.due < first.due) first = sleeper;
		return first;
	}
}

/** Resolves when all that could go on without a task has gone on. */
export function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
