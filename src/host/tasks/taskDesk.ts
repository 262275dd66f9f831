// The commands in the background, for the panel: those of the open conversation, and those of earlier ones that the person
// keeps. No `vscode`. Contract: when the window goes, all of them end.
import type { BackgroundTasks } from '../../core/tasks/backgroundTasks.ts';
import type { TaskInfo } from '../../core/tasks/taskInfo.ts';
import type { TaskView } from '../../shared/view.ts';

export interface TaskDeskDeps {
	/** Calls once after `ms`; gives back how to prevent it. */
	later(task: () => void, ms: number): () => void;
}

/** Milliseconds between two updates: a command that prints much changes all the time. */
const updateEvery = 200;

export class TaskDesk {
	private readonly deps: TaskDeskDeps;
	private readonly listeners = new Set<() => void>();
	private current: BackgroundTasks | undefined;
	private earlier: readonly BackgroundTasks[] = [];
	private unfollow: () => void = () => {};
	private due: (() => void) | undefined;

	constructor(deps: TaskDeskDeps) {
		this.deps = deps;
	}

	/** A conversation is opened; what the one before has left running stays in the list until it ends. */
	follow(tasks: BackgroundTasks): void {
		const before = this.current;
		this.unfollow();
		if (before && before.running.length > 0) {
			this.earlier = [...this.earlier, before];
			const unfollow = before.onChange(() => this.changed());
			void before.allGone().then(() => {
				unfollow();
				this.earlier = this.earlier.filter((other) => other !== before);
				this.changed();
			});
		}
		for (const kept of this.earlier) tasks.takeBack(kept);
		this.current = tasks;
		this.unfollow = tasks.onChange(() => this.changed());
		this.changed();
	}

	/** The oldest first. */
	get views(): readonly TaskView[] {
		const kept = this.earlier.flatMap(({ running }) => running);
		return [...kept, ...(this.current?.list ?? [])].map(taskView);
	}

	/** Those that end with the conversation. */
	get ending(): readonly TaskInfo[] {
		return (this.current?.running ?? []).filter(({ kept }) => !kept);
	}

	/** By its id, or of a running command by the id of its call. */
	async stop(id: string): Promise<void> {
		await this.ownerOf(id)?.stop(id, 'person');
	}

	/** Its terminal, with the focus, so that the person can type. */
	show(id: string): void {
		this.ownerOf(id)?.find(id)?.show(true);
	}

	keep(id: string, kept: boolean): void {
		this.ownerOf(id)?.keep(id, kept);
	}

	remove(id: string): void {
		this.current?.remove(id);
	}

	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	async dispose(): Promise<void> {
		this.listeners.clear();
		this.due?.();
		this.unfollow();
		const all = this.current ? [...this.earlier, this.current] : this.earlier;
		for (const tasks of all) for (const { id } of tasks.running) tasks.keep(id, false);
		await Promise.all(all.map((tasks) => tasks.end()));
	}

	private ownerOf(id: string): BackgroundTasks | undefined {
		return [this.current, ...this.earlier].find((tasks) => tasks?.find(id) !== undefined);
	}

	private changed(): void {
		this.due ??= this.deps.later(() => {
			this.due = undefined;
			for (const listener of this.listeners) listener();
		}, updateEvery);
	}
}

function taskView(info: TaskInfo): TaskView {
	return { ...info, description: info.description ?? '' };
}
