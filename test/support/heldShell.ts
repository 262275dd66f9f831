// A shell whose commands run until the test ends them, and a clock whose sleeps the test ends.
import type { RunningCommand, Shell, ShellCommand, ShellResult } from '../../src/core/ports/shell.ts';

export class HeldCommand implements RunningCommand {
	readonly pid = 1;
	readonly order: ShellCommand;
	readonly begun?: Promise<void>;
	readonly finished: Promise<ShellResult>;
	readonly gone: Promise<void>;
	stops = 0;
	readonly shown: boolean[] = [];
	private settle: (result: ShellResult) => void = () => undefined;
	private leave: () => void = () => undefined;

	constructor(order: ShellCommand, begun?: Promise<void>) {
		this.order = order;
		if (begun !== undefined) this.begun = begun;
		this.finished = new Promise((resolve) => (this.settle = resolve));
		const left = new Promise<void>((resolve) => (this.leave = resolve));
		this.gone = this.finished.then((result) => (result.left ? left : undefined));
	}

	print(text: string): void {
		this.order.onOutput?.(text);
	}

	wait(waiting: boolean): void {
		this.order.onWaiting?.(waiting);
	}

	end(result: Partial<ShellResult> = {}): void {
		this.settle({ outcome: 'exited', exitCode: 0, output: '', omitted: 0, durationMs: 5_000, ...result });
	}

	/** What it had left behind is gone. */
	leftEnds(): void {
		this.leave();
	}

	stop(): void {
		this.stops++;
		this.settle({ outcome: 'stopped', output: '', omitted: 0, durationMs: 5_000 });
		this.leave();
	}

	show(focus = false): void {
		this.shown.push(focus);
	}
}

export class HeldShell implements Shell {
	readonly name: string;
	readonly commands: HeldCommand[] = [];
	/** When set: commands wait for it before they begin. */
	begun: Promise<void> | undefined;
	disposed = 0;

	constructor(name = 'bash') {
		this.name = name;
	}

	get last(): HeldCommand {
		const last = this.commands.at(-1);
		if (last === undefined) throw new Error('No command was started.');
		return last;
	}

	start(order: ShellCommand): HeldCommand {
		const command = new HeldCommand(order, this.begun);
		this.commands.push(command);
		return command;
	}

	dispose(): Promise<void> {
		this.disposed++;
		return Promise.resolve();
	}
}

/** Lets everything that is ready happen. */
export function turns(count = 30): Promise<void> {
	return count === 0 ? Promise.resolve() : new Promise<void>(setImmediate).then(() => turns(count - 1));
}
