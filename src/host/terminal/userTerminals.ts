// The person's own terminals: the last command of each and its output, as shell integration tells them, and the selection.
// Contract: bounded memory per terminal; the agent's own terminals are no part of it, nothing is ever typed into one.
import * as vscode from 'vscode';
import { OutputCollector } from '../../node/shell/output.ts';

/** A command that the person ran in a terminal. */
export interface LastCommand {
	readonly command: string;
	/** The folder that it ran in, when it is known. */
	readonly cwd?: string;
	/** Head and tail, without escape codes; so far, if the command still runs. */
	readonly output: string;
	/** Characters left out of `output`. */
	readonly omitted: number;
	/** Undefined while it runs, or when the shell does not tell. */
	readonly exitCode?: number;
	readonly running: boolean;
}

/** Characters of output kept of one command. */
const MAX_OUTPUT = 100_000;
/** The output may end after the event that says so, on a busy machine much later; of some commands its end is never told. */
const LATE_MS = 3000;

interface Recorded {
	readonly execution: vscode.TerminalShellExecution;
	readonly chunks: OutputCollector;
	/** Resolves when all output was read. */
	readonly read: Promise<void>;
	result: { readonly text: string; readonly omitted: number } | undefined;
	exitCode: number | undefined;
	running: boolean;
}

/** Remembers the last command of each of the person's terminals. */
export class UserTerminals implements vscode.Disposable {
	readonly #last = new WeakMap<vscode.Terminal, Recorded>();
	readonly #subscriptions: readonly vscode.Disposable[];

	constructor() {
		this.#subscriptions = [
			vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#started(terminal, execution)),
			vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
				const recorded = this.#last.get(terminal);
				if (recorded?.execution !== execution) return;
				recorded.running = false;
				recorded.exitCode = exitCode;
			}),
		];
	}

	/** The last command of that terminal; undefined without one, or without shell integration. */
	async lastCommand(terminal: vscode.Terminal): Promise<LastCommand | undefined> {
		const recorded = this.#last.get(terminal);
		if (!recorded) return undefined;
		if (!recorded.running) {
			const late = new Promise<void>((resolve) => setTimeout(resolve, LATE_MS));
			await Promise.race([recorded.read, late]);
		}
		const { execution, exitCode, running } = recorded;
		const { text, omitted } = recorded.result ?? recorded.chunks.soFar();
		// What begins and ends in one piece of the terminal's data is never given to readers; the screen has it.
		const shown = text === '' && !running && terminal === vscode.window.activeTerminal;
		const output = shown ? (await copied('workbench.action.terminal.copyLastCommandOutput')).trimEnd() : text;
		return {
			command: execution.commandLine.value,
			...(execution.cwd === undefined ? {} : { cwd: execution.cwd.fsPath }),
			output,
			omitted,
			...(exitCode === undefined ? {} : { exitCode }),
			running,
		};
	}

	/** The selected text of the active terminal; empty without one. The clipboard is as it was afterwards. */
	async selection(): Promise<string> {
		return vscode.window.activeTerminal ? copied('workbench.action.terminal.copySelection') : '';
	}

	dispose(): void {
		for (const subscription of this.#subscriptions) subscription.dispose();
	}

	#started(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
		const chunks = new OutputCollector(MAX_OUTPUT);
		const read = async () => {
			for await (const text of execution.read()) chunks.push(Buffer.from(text, 'utf8'));
		};
		const recorded: Recorded = {
			execution,
			chunks,
			result: undefined,
			exitCode: undefined,
			running: true,
			read: read()
				.catch(() => undefined)
				.then(() => {
					recorded.result = chunks.end();
				}),
		};
		this.#last.set(terminal, recorded);
	}
}

/** What a command of the editor puts into the clipboard, which is as it was afterwards. */
async function copied(command: string): Promise<string> {
	const before = await vscode.env.clipboard.readText();
	try {
		await vscode.env.clipboard.writeText('');
		await vscode.commands.executeCommand(command);
		return await vscode.env.clipboard.readText();
	} finally {
		await vscode.env.clipboard.writeText(before);
	}
}
