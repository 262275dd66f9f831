// One command inside the runner: starts the shell, passes its output on, and knows when it is over. Exit, end of output
// and silence after the exit are watched together, so that a background child with the pipe open holds nothing up.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Environment } from './environment.ts';
import type { Fifos } from './fifos.ts';
import { shellInvocation, type Invocation } from './invocation.ts';
import { endProcesses } from './processes.ts';
import { MARK } from './protocol.ts';

/** What a command is started with. */
export interface CommandSetup {
	readonly shell: string;
	readonly command: string;
	readonly cwd: string;
	readonly env: Environment;
	/** The command's own mark in the environment of its processes. */
	readonly mark: string;
	/** A folder for its files, not made yet. */
	readonly folder: string;
	/** With a terminal the command stays in the runner's process group (to read what is typed), else it leads its own session. */
	readonly tty: boolean;
	readonly fifos: Fifos;
	/** Processes of earlier commands. */
	readonly spared: () => ReadonlySet<number>;
	/** Returns false to have the output held back until `resume`. */
	output(bytes: Buffer): boolean;
	/** Output after the end, of processes left in the background. */
	lateOutput(bytes: Buffer): void;
}

/** How a command ended. */
export interface CommandEnd {
	readonly code?: number;
	readonly signal?: string;
	readonly cwd?: string;
}

/** After the shell's exit: over when it was silent for so long … */
const SILENCE_MS = 100;
/** … or at the latest now, if the rest comes from the background. */
const LINGER_MS = 1000;

/** A command that runs. */
export class RunningCommand {
	/** Resolves when the command is over (and, after `kill`, when its processes are gone). */
	readonly ended: Promise<CommandEnd>;
	readonly #setup: CommandSetup;
	readonly #invocation: Invocation;
	readonly #child: ChildProcess;
	#readers: Readable[] = [];
	#open = 0;
	#held = false;
	#over = false;
	#exit: CommandEnd | undefined;
	#exitTime = 0;
	#lastOutput = 0;
	#timer: NodeJS.Timeout | undefined;
	#killing = false;
	#resolve: (end: CommandEnd) => void = () => undefined;

	/** Starts the shell. Rejects with a reason for people when it cannot be started. */
	static async start(setup: CommandSetup): Promise<RunningCommand> {
		if (!isFolder(setup.cwd)) throw new Error(`The folder ${setup.cwd} does not exist.`);
		const command = new RunningCommand(setup);
		await command.#started();
		return command;
	}

	private constructor(setup: CommandSetup) {
		this.#setup = setup;
		const { shell, command, folder, cwd, tty } = setup;
		this.#invocation = shellInvocation({ shell, command, folder, platform: process.platform, env: setup.env });
		const files = Object.entries(this.#invocation.files);
		if (files.length > 0 || this.#invocation.cwdFile !== undefined) mkdirSync(folder, { mode: 0o700 });
		for (const [file, text] of files) writeFileSync(file, text);
		const pipe = setup.fifos.take();
		try {
			this.#child = spawn(shell, [...this.#invocation.args], {
				cwd,
				env: { ...setup.env, ...this.#invocation.env, PWD: cwd, [MARK]: setup.mark },
				stdio: [tty ? 'inherit' : 'ignore', pipe?.writer ?? 'pipe', pipe?.writer ?? 'pipe'],
				detached: !tty && process.platform !== 'win32',
				windowsHide: true,
				windowsVerbatimArguments: this.#invocation.verbatim === true,
			});
		} catch (error) {
			pipe?.reader.destroy();
			throw error;
		} finally {
			if (pipe) closeSync(pipe.writer);
		}
		this.#child.on('error', () => undefined);
		this.ended = new Promise((resolve) => (this.#resolve = resolve));
		this.#child.on('exit', (code, signal) => this.#exited(code, signal));
		for (const reader of pipe ? [pipe.reader] : [this.#child.stdout, this.#child.stderr]) {
			if (reader) this.#read(reader);
		}
	}

	/** Lets held-back output flow again. */
	resume(): void {
		this.#held = false;
		this.#lastOutput = Date.now();
		for (const reader of this.#readers) reader.resume();
	}

	/** Ends the command and every process of it. */
	kill(): void {
		if (this.#killing || this.#over) return;
		this.#killing = true;
		const scope = {
			roots: this.#child.pid === undefined ? [] : [this.#child.pid],
			mark: this.#setup.mark,
			session: this.#setup.tty ? process.pid : (this.#child.pid ?? -1),
			spared: this.#setup.spared(),
		};
		void endProcesses(scope)
			.catch(() => false)
			.then((gone) => {
				this.#killing = false;
				// A process that cannot be ended (another user's, or in the kernel) is not waited for.
				if (!gone) this.#exit ??= { signal: 'SIGKILL' };
				this.#check();
			});
	}

	async #started(): Promise<void> {
		if (this.#child.pid !== undefined) return;
		const error = await new Promise<Error>((resolve) => this.#child.once('error', resolve));
		for (const reader of this.#readers) reader.destroy();
		rmSync(this.#setup.folder, { recursive: true, force: true });
		throw error;
	}

	#read(reader: Readable): void {
		this.#readers.push(reader);
		this.#open++;
		reader.on('data', (bytes: Buffer) => {
			if (this.#over) {
				this.#setup.lateOutput(bytes);
				return;
			}
			this.#lastOutput = Date.now();
			if (this.#setup.output(bytes)) return;
			this.#held = true;
			for (const each of this.#readers) each.pause();
		});
		reader.on('error', () => undefined);
		reader.on('close', () => {
			this.#open--;
			this.#check();
		});
	}

	#exited(code: number | null, signal: NodeJS.Signals | null): void {
		this.#exit = signal === null ? { code: code ?? 0 } : { signal };
		this.#exitTime = Date.now();
		this.#lastOutput = this.#exitTime;
		this.#check();
	}

	/** Over now, later, or when something else happens? */
	#check(): void {
		clearTimeout(this.#timer);
		if (this.#exit === undefined || this.#over || this.#killing) return;
		const now = Date.now();
		// Output that is held back is neither silence nor a background child's.
		if (this.#held) this.#exitTime = now;
		const quiet = !this.#held && now - this.#lastOutput >= SILENCE_MS;
		if (this.#open === 0 || quiet || now - this.#exitTime >= LINGER_MS) this.#finish(this.#exit);
		else this.#timer = setTimeout(() => this.#check(), SILENCE_MS / 4);
	}

	#finish(exit: CommandEnd): void {
		this.#over = true;
		const cwd = this.#cwd();
		rmSync(this.#setup.folder, { recursive: true, force: true });
		// What is left in the background keeps its pipe, else its next line would end it.
		for (const reader of this.#readers) reader.resume();
		this.#resolve(cwd === undefined ? exit : { ...exit, cwd });
	}

	#cwd(): string | undefined {
		const { cwdFile, cwdUnknown } = this.#invocation;
		if (cwdUnknown === true) return undefined;
		try {
			const folder = cwdFile === undefined ? this.#setup.cwd : readFileSync(cwdFile, 'utf8').replace(/\r?\n$/, '');
			return isFolder(folder) ? folder : undefined;
		} catch {
			return undefined;
		}
	}
}

function isFolder(folder: string): boolean {
	return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
