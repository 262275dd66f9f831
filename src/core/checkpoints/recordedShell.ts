// A shell whose commands are watched; everything else is the shell's own.
import type { RunningCommand, Shell, ShellCommand } from '../ports/shell.ts';
import { LateCommand, notRun } from '../ports/runCommand.ts';
import type { CommandWatch } from './commandWatch.ts';

export class RecordedShell implements Shell {
	private readonly inner: Shell;
	private readonly watch: CommandWatch;

	constructor(inner: Shell, watch: CommandWatch) {
		this.inner = inner;
		this.watch = watch;
	}

	get name(): string {
		return this.inner.name;
	}

	/** Contract: as the shell's own; what fails in keeping files does not concern the command. */
	start(command: ShellCommand): RunningCommand {
		let settle: (() => Promise<void>) | undefined;
		return new LateCommand({
			begin: async (stop) => {
				settle = await this.watch.before(command).catch(() => undefined);
				return stop.aborted ? notRun('stopped') : this.inner.start(command);
			},
			settle: async (result) => {
				await settle?.();
				return result;
			},
		});
	}

	dispose(): Promise<void> {
		this.watch.stop();
		return this.inner.dispose();
	}
}
