// One command that the agent has started, in the foreground or in the background: what it prints, whether it waits for the
// person, and how it ended.
import type { RunningCommand, Shell, ShellResult } from '../ports/shell.ts';
import { TaskOutput } from './taskOutput.ts';

/** What is to be run, and who is told meanwhile. */
export interface TaskOrder {
	readonly toolUseId: string;
	readonly command: string;
	/** In the model's words. */
	readonly description?: string;
	/** Absolute. */
	readonly cwd: string;
	/** Without escape codes. */
	onOutput?(text: string): void;
	onWaiting?(waiting: boolean): void;
}

/** Who ended a command in the background. */
export type TaskStopper = 'person' | 'model' | 'session';

/** `foreground`: its call waits for it. `left`: it has ended, and what it left behind still runs. */
export type TaskPlace = 'foreground' | 'background' | 'left';

export class CommandTask {
	readonly id: string;
	readonly order: TaskOrder;
	/** Where all of its output goes as it comes; absolute. */
	readonly file: string | undefined;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	/** It was started: what it waited for (a terminal) was there. Absent: at once. Never rejects. */
	readonly begun: Promise<void> | undefined;
	/** Never rejects. */
	readonly finished: Promise<ShellResult>;
	/** Nothing of it runs any more. Never rejects. */
	readonly gone: Promise<void>;
	place: TaskPlace = 'foreground';
	/** There once it has ended. */
	result: ShellResult | undefined;
	endedAt: number | undefined;
	isGone = false;
	waiting = false;
	/** It has waited for the person at least once. */
	waited = false;
	/** It outlives the session. */
	kept = false;
	stoppedBy: TaskStopper | undefined;
	private readonly running: RunningCommand;
	private readonly output = new TaskOutput();

	constructor(
		start: {
			readonly id: string;
			readonly order: TaskOrder;
			readonly file: string | undefined;
			readonly shell: Shell;
			readonly now: () => number;
		},
		changed: (task: CommandTask) => void,
	) {
		const { id, order, file, shell, now } = start;
		this.id = id;
		this.order = order;
		this.file = file;
		this.startedAt = now();
		this.running = shell.start({
			command: order.command,
			cwd: order.cwd,
			...(file === undefined ? {} : { outputFile: file }),
			onOutput: (text) => {
				const plain = this.output.push(text);
				order.onOutput?.(plain);
				changed(this);
			},
			onWaiting: (waiting) => {
				if (waiting === this.waiting || this.result !== undefined) return;
				this.waiting = waiting;
				this.waited ||= waiting;
				order.onWaiting?.(waiting);
				changed(this);
			},
		});
		this.begun = this.running.begun;
		this.finished = this.running.finished.then((result) => {
			this.result = result;
			this.endedAt = now();
			this.waiting = false;
			changed(this);
			return result;
		});
		this.gone = this.running.gone.then(() => {
			this.isGone = true;
			changed(this);
		});
	}

	/** The newest of what it has printed. */
	newest(): { readonly text: string; readonly omitted: number } {
		return this.output.newest();
	}

	get lastLine(): string {
		return this.output.lastLine;
	}

	/** `focus`: so that the person can type at once. */
	show(focus: boolean): void {
		this.running.show?.(focus);
	}

	/** Kills the whole tree; `finished` and `gone` say when nothing runs any more. */
	stop(by?: TaskStopper): void {
		this.stoppedBy ??= by;
		this.running.stop();
	}
}
