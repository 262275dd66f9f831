// Runs commands for the agent. Adapters: `TerminalShell` (an integrated terminal whose process is our runner) and
// `NodeShell` (the same runner without a terminal). Contract: `run` never rejects; when it returns, nothing of the
// command runs any more unless the command itself put it in the background.

export interface ShellCommand {
	readonly command: string;
	/** Absolute path. */
	readonly cwd: string;
	readonly timeoutMs: number;
	/** Output as it comes, stdout and stderr in order, decoded, escape codes included. */
	onOutput?(text: string): void;
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
	/** The working folder at the end, when it is known. */
	readonly cwd?: string;
	readonly durationMs: number;
	readonly message?: string;
}
export interface Shell {
	/** The shell's name for the model: bash, zsh, pwsh… */
	readonly name: string;
	run(command: ShellCommand, signal: AbortSignal): Promise<ShellResult>;
	dispose(): Promise<void>;
}
