// The commands of a conversation that run, and those of the background that have ended. Contract: the model is told of each
// end in the background exactly once; what is not kept ends with the session.
import { limits } from '../limits.ts';
import type { Clock, NewId } from '../ports/clock.ts';
import type { FinishedTask, FinishedWork } from '../ports/finishedWork.ts';
import type { OutputFiles } from '../ports/outputFiles.ts';
import type { Shell } from '../ports/shell.ts';
import type { TaskOrder, TaskStopper } from './commandTask.ts';
import { CommandTask } from './commandTask.ts';
import type { TaskInfo } from './taskInfo.ts';
import { isRunning, taskInfo } from './taskInfo.ts';
import { endedNote, lostNote } from './taskWords.ts';

export interface TaskSetup {
	readonly clock: Pick<Clock, 'now'>;
	readonly newId: NewId;
	/** Absent: output is kept in memory only. */
	readonly files?: OutputFiles;
	/** A command that takes longer than its time goes on in the background; else it is ended. */
	readonly movesOnTimeout: boolean;
	/** Of an earlier process of this session, ended with it. */
	readonly earlier?: readonly TaskInfo[];
	/** The ones among them of which the model was not told. */
	readonly untold?: readonly string[];
}

export class BackgroundTasks implements FinishedWork {
	readonly movesOnTimeout: boolean;
	private readonly setup: TaskSetup;
	private readonly tasks = new Map<string, CommandTask>();
	private earlier: readonly TaskInfo[];
	private untold: readonly FinishedTask[];
	/** Ids of this conversation, also of what has gone: the model is told of an end by the id. */
	private readonly given: Set<string>;
	private readonly listeners = new Set<() => void>();

	constructor(setup: TaskSetup) {
		this.setup = setup;
		this.movesOnTimeout = setup.movesOnTimeout;
		this.earlier = setup.earlier ?? [];
		this.given = new Set(this.earlier.map(({ id }) => id));
		const untold = new Set(setup.untold);
		this.untold = this.earlier
			.filter(({ id }) => untold.has(id))
			.map((info) => ({ id: info.id, note: lostNote(info) }));
	}

	/** Starts a command, in the foreground. Never rejects; a failure to start is a result. */
	async start(order: TaskOrder, shell: Shell): Promise<CommandTask> {
		const { clock, files } = this.setup;
		const id = this.freshId();
		const file = await files?.outputFile(id).catch(() => undefined);
		const task = new CommandTask({ id, order, file, shell, now: () => clock.now() }, () => this.tell());
		this.add(task);
		return task;
	}

	/** Commands that were kept when this conversation was left are its own again: they have not ended. */
	takeBack(before: BackgroundTasks): void {
		for (const { id } of this.earlier) {
			const task = before.tasks.get(id);
			if (task === undefined || task.result !== undefined) continue;
			before.tasks.delete(id);
			this.earlier = this.earlier.filter((info) => info.id !== id);
			this.told(id);
			this.add(task);
		}
	}

	/** Its call does not wait for it any more. */
	toBackground(task: CommandTask): void {
		task.place = 'background';
		if (task.result !== undefined) this.ended(task);
		this.tell();
	}

	/** Its call is answered. `keepFile`: the answer names it. What it has left behind is listed until it is gone. */
	async answered(task: CommandTask, keepFile: boolean): Promise<void> {
		if (isRunning(taskInfo(task))) {
			task.place = 'left';
			this.tell();
			return;
		}
		this.tasks.delete(task.id);
		if (!keepFile && task.file !== undefined) await this.setup.files?.removeOutput(task.file);
	}

	/** In the background, running or ended, the oldest first. */
	get list(): readonly TaskInfo[] {
		const own = [...this.tasks.values()].filter(({ place }) => place !== 'foreground');
		return [...this.earlier, ...own.map(taskInfo)];
	}

	/** A command by its id, or a running one by the id of its call. */
	find(id: string): CommandTask | undefined {
		return this.tasks.get(id) ?? [...this.tasks.values()].find(({ order }) => order.toolUseId === id);
	}

	/** One of an earlier process. */
	findEarlier(id: string): TaskInfo | undefined {
		return this.earlier.find((info) => info.id === id);
	}

	/** False when nothing of that id runs. Resolves when nothing of it runs any more. */
	async stop(id: string, by: TaskStopper): Promise<boolean> {
		const task = this.find(id);
		if (task === undefined || task.isGone) return false;
		task.stop(by);
		await Promise.all([task.finished, task.gone]);
		return true;
	}

	/** Whether it outlives the session. */
	keep(id: string, kept: boolean): void {
		const task = this.find(id);
		if (task === undefined) return;
		task.kept = kept;
		this.tell();
	}

	/** Takes an ended one off the list. */
	remove(id: string): void {
		const task = this.tasks.get(id);
		if (task !== undefined && !isRunning(taskInfo(task))) this.tasks.delete(id);
		this.earlier = this.earlier.filter((info) => info.id !== id);
		this.tell();
	}

	/** The model knows of its end: there is no note any more. */
	told(id: string): void {
		this.untold = this.untold.filter((task) => task.id !== id);
	}

	get finished(): readonly FinishedTask[] {
		return this.untold;
	}

	/** In the background and running. */
	get running(): readonly TaskInfo[] {
		return this.list.filter(isRunning);
	}

	/** The session ends: stops what is not kept, and resolves when nothing of that runs any more. */
	async end(): Promise<void> {
		const all = [...this.tasks.values()].filter(({ kept, isGone }) => !kept && !isGone);
		for (const task of all) task.stop('session');
		await Promise.all(all.flatMap(({ finished, gone }) => [finished, gone]));
	}

	/** Resolves when nothing runs any more, kept or not. */
	async allGone(): Promise<void> {
		await Promise.all([...this.tasks.values()].map(({ gone }) => gone));
	}

	/** Something of the list, or of a command that runs, has changed; often, while a command prints. */
	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private add(task: CommandTask): void {
		this.tasks.set(task.id, task);
		void task.finished.then(() => this.ended(task));
		void task.gone.then(() => this.drop());
	}

	private ended(task: CommandTask): void {
		const { result, stoppedBy, place, id } = task;
		if (place !== 'background' || result === undefined) return;
		// Whoever stopped it knows; what ends with the session is told by the next one.
		const known = result.outcome === 'stopped' && (stoppedBy === 'model' || stoppedBy === 'session');
		if (!known && !this.untold.some((other) => other.id === id)) {
			this.untold = [...this.untold, { id, note: endedNote(task, result) }];
		}
		this.drop();
	}

	/** Old ones go. */
	private drop(): void {
		for (const { id, place, isGone } of this.tasks.values()) if (place === 'left' && isGone) this.tasks.delete(id);
		const ended = [...this.tasks.values()].filter((task) => task.place === 'background' && task.isGone);
		for (const { id } of ended.slice(0, Math.max(0, ended.length - limits.taskEnded))) this.tasks.delete(id);
		this.tell();
	}

	/** Short where that is enough. Contract: never one that was given before, whatever the source of ids says. */
	private freshId(): string {
		const whole = `b${this.setup.newId().replaceAll('-', '')}`;
		const short = whole.slice(0, 9);
		let id = this.given.has(short) ? whole : short;
		for (let number = 2; this.given.has(id); number++) id = `${whole}-${number}`;
		this.given.add(id);
		return id;
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}
