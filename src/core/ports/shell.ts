// Runs commands for the agent. Adapters: `TerminalShell` (an integrated terminal whose process is our runner) and
// `NodeShell` (the same runner without a terminal). Contract: when a command is stopped or timed out, nothing of it runs
// any more once it is finished; what an ended command left in the background is named in the result.

export interface ShellCommand {
	readonly command: string;
	/** Absolute path. */
	readonly cwd: string;
	/** Hard limit in milliseconds after which everything is killed; without it there is none. */
	readonly timeoutMs?: number;
	/** All output (exact bytes, up to a cap of the adapter) is also written to this file, made anew; absolute path. */
	readonly outputFile?: string;
	/** Output as it comes, stdout and stderr in order, decoded, escape codes included; a flood is thinned out. */
	onOutput?(text: string): void;
	/** True when the command seems to wait for the person (silent for some seconds while it reads), false when it goes on. */
	onWaiting?(waiting: boolean): void;
}

/** A process that goes on after its command has ended. */
export interface LeftProcess {
	readonly pid: number;
	/** Its command line, shortened. */
	readonly command: string;
}

export interface ShellResult {
	/** `exited` has an exit code; `not_started`: the reason is in `message`. */
	readonly outcome: 'exited' | 'killed_by_signal' | 'timed_out' | 'stopped' | 'not_started';
	readonly exitCode?: number;
	readonly signal?: string;
	/** The whole output (bounded by the adapter: head and tail), escape codes removed. */
	readonly output: string;
	/** Characters left out of `output`. */
	readonly omitted: number;
	/** What stands in `outputFile`: absent when none was asked for, or it could not be written. */
	readonly saved?: { readonly bytes: number; readonly complete: boolean };
	/** The working folder at the end, when it is known. */
	readonly cwd?: string;
	readonly durationMs: number;
	/** What the model and the person should know besides, in English. */
	readonly message?: string;
	/** What it left in the background; absent when nothing. */
	readonly left?: readonly LeftProcess[];
}

/** A command that was started. */
export interface RunningCommand {
	/** The shell's process, once it is there. */
	readonly pid: number | undefined;
	/** Resolves when what it needs (a terminal, its runner) was there and it was started; absent: it was at once. Never rejects. */
	readonly begun?: Promise<void>;
	/** Never rejects. */
	readonly finished: Promise<ShellResult>;
	/** Resolves when nothing of the command runs any more, what it left in the background included. Never rejects. */
	readonly gone: Promise<void>;
	/** Kills the whole tree: `finished` resolves as `stopped`. After the end: kills what was left in the background. */
	stop(): void;
	/** Shows its terminal, if it has one, without taking the focus unless asked. */
	show?(focus?: boolean): void;
}

export interface Shell {
	/** The shell's name for the model: bash, zsh, pwsh… */
	readonly name: string;
	/** Contract: never throws; a failure to start is a result. */
	start(command: ShellCommand): RunningCommand;
	dispose(): Promise<void>;
}
