// The commands in the background, for the panel: those of a conversation, and those of ended ones that the person keeps. No
// `vscode`. Contract: when the window goes, all of them end.
import type { BackgroundTasks } from '../../core/tasks/backgroundTasks.ts';
import type { TaskInfo } from '../../core/tasks/taskInfo.ts';
import type { TaskView } from '../../shared/view.ts';
import type { KeptTasks } from './keptTasks.ts';

export interface TaskDeskDeps {
	/** Calls once after `ms`; gives back how to prevent it. */
	later(task: () => void, ms: number): () => void;
	/** Of the window. */
	readonly kept: KeptTasks;
}

/** Milliseconds between two updates: a command that prints much changes all the time. */
const updateEvery = 200;

export class TaskDesk {
	private readonly deps: TaskDeskDeps;
	private readonly listeners = new Set<() => void>();
	private current: BackgroundTasks | undefined;
	private unfollow: () => void = () => {};
	private readonly unfollowKept: () => void;
	private due: (() => void) | undefined;

	constructor(deps: TaskDeskDeps) {
		this.deps = deps;
		this.unfollowKept = deps.kept.onChange(() => this.changed());
	}

	/** The conversation is opened, or opened anew; what it has left running stays in the list until it ends. */
	follow(tasks: BackgroundTasks): void {
		this.leave();
		for (const kept of this.deps.kept.lists) tasks.takeBack(kept);
		this.current = tasks;
		this.unfollow = tasks.onChange(() => this.changed());
		this.changed();
	}

	/** The conversation has ended. */
	leave(): void {
		this.unfollow();
		if (this.current) this.deps.kept.add(this.current);
		this.current = undefined;
	}

	/** The oldest first. */
	get views(): readonly TaskView[] {
		const kept = this.deps.kept.lists.flatMap(({ running }) => running);
		return [...kept, ...(this.current?.list ?? [])].map(taskView);
	}

	/** Those of the conversation. */
	get running(): readonly TaskInfo[] {
		return this.current?.running ?? [];
	}

	/** Those that end with the conversation. */
	get ending(): readonly TaskInfo[] {
		return this.running.filter(({ kept }) => !kept);
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
		this.unfollowKept();
		const { lists } = this.deps.kept;
		const all = this.current ? [...lists, this.current] : lists;
		for (const tasks of all) for (const { id } of tasks.running) tasks.keep(id, false);
		await Promise.all(all.map((tasks) => tasks.end()));
	}

	private ownerOf(id: string): BackgroundTasks | undefined {
		return [this.current, ...this.deps.kept.lists].find((tasks) => tasks?.find(id) !== undefined);
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
