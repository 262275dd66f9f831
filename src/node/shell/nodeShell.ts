// Commands without a terminal: the shell runner as a child process in a session of its own, its stdin /dev/null. Used by
// the headless runner, and by the extension where no terminal can be had.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RunningCommand, Shell, ShellCommand } from '../../core/ports/shell.ts';
import { LateCommand, notRun } from '../../core/ports/runCommand.ts';
import { childEnvironment, type Environment } from './environment.ts';
import { chooseShell, shellName } from './invocation.ts';
import { RunnerHost } from './runnerHost.ts';
import { type PooledRunner, RunnerPool } from './runnerPool.ts';

/** What a `NodeShell` is made of. */
export interface NodeShellOptions {
	/** The runner's bundle, `dist/shellRunner.js`. */
	readonly runnerPath: string;
	/** A Node (or VS Code's Electron, which is told to be one). */
	readonly nodePath: string;
	/** The person's shell; else `$SHELL`, else what the platform has. */
	readonly shellPath?: string;
	/** What commands inherit; the provider's keys are taken out here. */
	readonly env: Environment;
	/** Variables that are inherited although they hold keys. */
	readonly keep?: readonly string[];
}

/** Runs commands without a terminal. */
export class NodeShell implements Shell {
	readonly name: string;
	readonly #options: NodeShellOptions;
	readonly #shell: string;
	readonly #pool = new RunnerPool(() => this.#start());
	#host: Promise<RunnerHost> | undefined;
	#disposed = false;

	constructor(options: NodeShellOptions) {
		this.#options = options;
		this.#shell = chooseShell(options.shellPath ?? options.env['SHELL'], process.platform, existsSync);
		this.name = shellName(this.#shell);
	}

	start(command: ShellCommand): RunningCommand {
		return new LateCommand({
			begin: async (stop) => {
				if (this.#disposed) return notRun('not_started', 'The shell has been closed.');
				const begin = ({ connection }: PooledRunner) => connection.start(command, this.#shell);
				return (await this.#pool.start(begin, stop)) ?? notRun('stopped');
			},
		});
	}

	/** Ends everything that was started, background jobs as well. */
	async dispose(): Promise<void> {
		this.#disposed = true;
		const host = await this.#host?.catch(() => undefined);
		await host?.dispose();
	}

	async #start(): Promise<PooledRunner> {
		const { runnerPath, nodePath, env, keep = [] } = this.#options;
		this.#host ??= RunnerHost.listen();
		const host = await this.#host;
		const invitation = host.invite(keep);
		const child = spawn(nodePath, [runnerPath], {
			env: { ...childEnvironment(env, { keep }), ...invitation.env, ELECTRON_RUN_AS_NODE: '1' },
			stdio: 'ignore',
			detached: process.platform !== 'win32',
			windowsHide: true,
		});
		child.on('error', (error) => invitation.cancel(error.message));
		child.on('exit', () => invitation.cancel('The shell runner ended before it was ready.'));
		child.unref();
		try {
			return { connection: await invitation.connection };
		} catch (error) {
			child.kill('SIGKILL');
			throw error;
		}
	}
}
