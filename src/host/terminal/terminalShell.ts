// Commands in the agent's own integrated terminals, whose process is the shell runner. A terminal is used again while it
// is free; commands at the same time have one each. Without a terminal the same runner works unseen.
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunningCommand, Shell, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { LateCommand, notRun, runCommand } from '../../core/ports/runCommand.ts';
import { secretNames } from '../../node/shell/environment.ts';
import { chooseShell, shellName } from '../../node/shell/invocation.ts';
import { NodeShell } from '../../node/shell/nodeShell.ts';
import { type Invitation, RunnerHost } from '../../node/shell/runnerHost.ts';
import { type PooledRunner, RunnerPool } from '../../node/shell/runnerPool.ts';

/** What a `TerminalShell` is made of. */
export interface TerminalShellOptions {
	/** The runner's bundle, `dist/shellRunner.js` of the extension. */
	readonly runnerPath: string;
	/** Variables that commands inherit although they hold the provider's keys. */
	readonly keep?: readonly string[];
	/** Told, in English, why there is no terminal. */
	log?(message: string): void;
}

/** After a terminal could not be had, this long until the next attempt. */
const RETRY_MS = 60_000;
const CLOSED = notRun('not_started', 'The shell has been closed.');

/** Runs commands in terminals named "Loopwright". */
export class TerminalShell implements Shell {
	readonly name: string;
	readonly #options: TerminalShellOptions;
	readonly #shell: string;
	readonly #pool = new RunnerPool(() => this.#start());
	readonly #terminals = new Set<vscode.Terminal>();
	#host: Promise<RunnerHost> | undefined;
	#unseen: NodeShell | undefined;
	#noTerminalUntil = 0;
	#disposed = false;

	constructor(options: TerminalShellOptions) {
		this.#options = options;
		this.#shell = chooseShell(vscode.env.shell, process.platform, existsSync);
		this.name = shellName(this.#shell);
	}

	start(command: ShellCommand): RunningCommand {
		return new LateCommand({ begin: (stop) => this.#run(command, stop) });
	}

	async #run(command: ShellCommand, signal: AbortSignal): Promise<ShellResult> {
		if (this.#disposed) return CLOSED;
		if (Date.now() >= this.#noTerminalUntil) {
			try {
				return await this.#pool.with(({ connection }) => connection.run(command, this.#shell, signal));
			} catch (error) {
				if (this.#disposed) return CLOSED;
				this.#withoutTerminal(error);
			}
		}
		const result = await runCommand(this.#withoutTerminalShell(), command, signal);
		return { message: 'No terminal could be opened; the command ran without one.', ...result };
	}

	/** Ends everything that was started and closes the terminals. */
	async dispose(): Promise<void> {
		this.#disposed = true;
		const host = await this.#host?.catch(() => undefined);
		await Promise.all([host?.dispose(), this.#unseen?.dispose()]);
		for (const terminal of this.#terminals) terminal.dispose();
	}

	async #start(): Promise<PooledRunner> {
		this.#host ??= RunnerHost.listen();
		const invitation = (await this.#host).invite(this.#options.keep);
		try {
			const terminal = this.#open(invitation);
			const connection = await invitation.connection;
			void connection.closed.then(() => this.#close(terminal));
			return { connection, show: () => this.#show(terminal) };
		} catch (error) {
			invitation.cancel('There is no terminal.');
			throw error;
		}
	}

	#open(invitation: Invitation): vscode.Terminal {
		const terminal = vscode.window.createTerminal({
			name: 'Loopwright',
			iconPath: new vscode.ThemeIcon('tools'),
			shellPath: process.execPath,
			shellArgs: [this.#options.runnerPath],
			env: { ...this.#withoutSecrets(), ...invitation.env, ELECTRON_RUN_AS_NODE: '1' },
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
		this.#show(terminal);
		return terminal;
	}

	/** Without taking the focus. False for a terminal that is being closed. */
	#show(terminal: vscode.Terminal): boolean {
		if (!this.#terminals.has(terminal)) return false;
		try {
			terminal.show(true);
			return true;
		} catch {
			return false;
		}
	}

	#close(terminal: vscode.Terminal): void {
		this.#terminals.delete(terminal);
		terminal.dispose();
	}

	/** Takes the keys out of the terminal's own environment: its children could read them there. */
	#withoutSecrets(): Record<string, null> {
		return Object.fromEntries(secretNames(process.env, this.#options.keep).map((name) => [name, null]));
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
