// Commands in the agent's own integrated terminals, whose process is the shell runner. A terminal is used again while it
// is free; commands at the same time have one each. Without a terminal the same runner works unseen.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunningCommand, Shell, ShellCommand } from '../../core/ports/shell.ts';
import { LateCommand, notRun } from '../../core/ports/runCommand.ts';
import { chooseShell, shellName } from '../../node/shell/invocation.ts';
import { NodeShell } from '../../node/shell/nodeShell.ts';
import { type Invitation, RunnerHost } from '../../node/shell/runnerHost.ts';
import { type PooledRunner, RunnerPool } from '../../node/shell/runnerPool.ts';
import { TerminalEnvironment } from './terminalEnvironment.ts';

/** What a `TerminalShell` is made of. */
export interface TerminalShellOptions {
	/** The runner's bundle, `dist/shellRunner.js` of the extension. */
	readonly runnerPath: string;
	/** The shell's path; without it the one that VS Code's terminals have by default. */
	readonly shellPath?: string;
	/** The session's root, absolute: where its terminals begin; each command names its own folder. Absent: as VS Code does. */
	readonly root?: string;
	/** Variables that commands inherit although they hold the provider's keys. */
	readonly keep?: readonly string[];
	/** Told, in English, why there is no terminal. */
	log?(message: string): void;
}

/** After a terminal could not be had, this long until the next attempt. */
const RETRY_MS = 60_000;
const UNSEEN = 'No terminal could be opened; the command ran without one.';
const CLOSED = notRun('not_started', 'The shell has been closed.');

interface TerminalRunner extends PooledRunner {
	readonly show: (focus: boolean) => void;
}

/** Runs commands in terminals named "Loopwright". */
export class TerminalShell implements Shell {
	readonly name: string;
	readonly #options: TerminalShellOptions;
	readonly #shell: string;
	readonly #environment: TerminalEnvironment;
	readonly #pool = new RunnerPool<TerminalRunner>(() => this.#open());
	readonly #terminals = new Set<vscode.Terminal>();
	#host: Promise<RunnerHost> | undefined;
	#unseen: NodeShell | undefined;
	#noTerminalUntil = 0;
	#disposed = false;

	constructor(options: TerminalShellOptions) {
		this.#options = options;
		this.#shell = chooseShell(options.shellPath ?? vscode.env.shell, process.platform, existsSync);
		this.name = shellName(this.#shell);
		this.#environment = new TerminalEnvironment(this.#shell, options.keep);
	}

	start(command: ShellCommand): RunningCommand {
		let unseen = false;
		return new LateCommand({
			begin: async (stop) => {
				if (this.#disposed) return CLOSED;
				if (Date.now() >= this.#noTerminalUntil) {
					try {
						const begin = ({ connection, show }: TerminalRunner) => connection.start(command, this.#shell, show);
						return (await this.#pool.start(begin, stop)) ?? notRun('stopped');
					} catch (error) {
						this.#withoutTerminal(error);
					}
				}
				if (this.#isDisposed()) return CLOSED;
				unseen = true;
				return this.#withoutTerminalShell().start(command);
			},
			settle: (result) => Promise.resolve(unseen ? { message: UNSEEN, ...result } : result),
		});
	}

	/** Ends everything that was started and closes the terminals. */
	async dispose(): Promise<void> {
		this.#disposed = true;
		this.#environment.dispose();
		const host = await this.#host?.catch(() => undefined);
		await Promise.all([host?.dispose(), this.#unseen?.dispose()]);
		for (const terminal of this.#terminals) terminal.dispose();
	}

	/** It may have been disposed of while something was awaited. */
	#isDisposed(): boolean {
		return this.#disposed;
	}

	async #open(): Promise<TerminalRunner> {
		this.#host ??= RunnerHost.listen();
		const [host, variables] = await Promise.all([this.#host, this.#environment.variables()]);
		if (this.#disposed) throw new Error('The shell has been closed.');
		const version = this.#environment.version;
		const invitation = host.invite(this.#options.keep);
		try {
			const terminal = this.#create({ ...variables, ...invitation.env }, invitation);
			const connection = await invitation.connection;
			void connection.closed.then(() => this.#close(terminal));
			return {
				connection,
				show: (focus) => this.#show(terminal, focus),
				ready: () => {
					if (version === this.#environment.version) return this.#show(terminal, false);
					// What it left in the background keeps the old terminal open.
					if (!connection.hasLeft) void connection.dispose();
					return false;
				},
			};
		} catch (error) {
			invitation.cancel('There is no terminal.');
			throw error;
		}
	}

	#create(env: Readonly<Record<string, string | null>>, invitation: Invitation): vscode.Terminal {
		const terminal = vscode.window.createTerminal({
			name: 'Loopwright',
			iconPath: new vscode.ThemeIcon('tools'),
			shellPath: process.execPath,
			shellArgs: [this.#options.runnerPath],
			...(this.#options.root === undefined ? {} : { cwd: this.#options.root }),
			env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
			isTransient: true,
		});
		this.#terminals.add(terminal);
		const watch = vscode.window.onDidCloseTerminal((closed) => {
			if (closed !== terminal) return;
			watch.dispose();
			this.#terminals.delete(terminal);
			invitation.cancel('The terminal was closed before it was ready.');
		});
		invitation.connection.catch(() => this.#close(terminal));
		this.#show(terminal, false);
		return terminal;
	}

	/** Takes the focus only when asked. False for a terminal that is being closed. */
	#show(terminal: vscode.Terminal, focus: boolean): boolean {
		if (!this.#terminals.has(terminal)) return false;
		try {
			terminal.show(!focus);
			return true;
		} catch {
			return false;
		}
	}

	#close(terminal: vscode.Terminal): void {
		this.#terminals.delete(terminal);
		terminal.dispose();
	}

	#withoutTerminal(error: unknown): void {
		const first = this.#noTerminalUntil === 0;
		this.#noTerminalUntil = Date.now() + RETRY_MS;
		this.#options.log?.(`No terminal: ${error instanceof Error ? error.message : String(error)}`);
		if (first && !this.#disposed) {
			void vscode.window.showWarningMessage(
				vscode.l10n.t('No terminal could be opened. Commands run without one; their output is in the conversation.'),
			);
		}
	}

	#withoutTerminalShell(): NodeShell {
		this.#unseen ??= new NodeShell({
			runnerPath: this.#options.runnerPath,
			nodePath: process.execPath,
			shellPath: this.#shell,
			env: process.env,
			...(this.#options.keep === undefined ? {} : { keep: this.#options.keep }),
		});
		return this.#unseen;
	}
}
