// A shell whose commands are watched; everything else is the shell's own.
import type { Shell, ShellCommand, ShellResult } from '../ports/shell.ts';
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
	async run(command: ShellCommand, signal: AbortSignal): Promise<ShellResult> {
		const settle = await this.watch.before(command).catch(() => undefined);
		const result = await this.inner.run(command, signal);
		await settle?.().catch(() => undefined);
		return result;
	}

	dispose(): Promise<void> {
		this.watch.stop();
		return this.inner.dispose();
	}
}
