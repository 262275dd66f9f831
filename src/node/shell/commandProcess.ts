// One command inside the runner: starts the shell, passes its output on, and knows when it is over and what it left. Exit, end
// of output and silence after the exit are watched together, so that a background child with the pipe open holds nothing up.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Environment } from './environment.ts';
import type { Fifos } from './fifos.ts';
import { shellInvocation, type Invocation } from './invocation.ts';
import { endProcesses, isAlive, listProcesses, nameProcess, type ProcessScope, selectProcesses } from './processes.ts';
import { type CommandEnd, MARK } from './protocol.ts';
import { WaitWatch } from './waitWatch.ts';

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
	output(bytes: Buffer): void;
	/** Output after the end, of processes left in the background. */
	lateOutput(bytes: Buffer): void;
	/** The last line of the output, without its end. */
	lastLine(): string;
	/** It begins or ends to wait for the person. */
	waiting(waiting: boolean): void;
}

/** After the shell's exit: over when it was silent for so long … */
const SILENCE_MS = 100;
/** … or at the latest now, if the rest comes from the background. */
const LINGER_MS = 1000;
/** What was left in the background is looked for so often. */
const LEFT_EVERY_MS = 500;
const MAX_LEFT_NAMED = 20;

/** A command that runs. */
export class CommandProcess {
	/** Resolves when the command is over (and, after `kill`, when its processes are gone). */
	readonly ended: Promise<CommandEnd>;
	/** Resolves when what it left in the background is gone too. */
	readonly gone: Promise<void>;
	readonly #setup: CommandSetup;
	readonly #invocation: Invocation;
	readonly #child: ChildProcess;
	readonly #watch: WaitWatch | undefined;
	#readers: Readable[] = [];
	#open = 0;
	#over = false;
	#left: readonly number[] = [];
	#exit: CommandEnd | undefined;
	#exitTime = 0;
	#lastOutput = 0;
	#timer: NodeJS.Timeout | undefined;
	/** `kill` was called. */
	#killed = false;
	/** Its processes are being ended. */
	#killing = false;
	#resolve: (end: CommandEnd) => void = () => undefined;

	/** Starts the shell. Rejects with a reason for people when it cannot be started. */
	static async start(setup: CommandSetup): Promise<CommandProcess> {
		if (!isFolder(setup.cwd)) throw new Error(`The folder ${setup.cwd} does not exist.`);
		const command = new CommandProcess(setup);
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
		this.gone = this.ended.then(() => this.#leftGone());
		this.#watch = tty ? this.#watchFor() : undefined;
		this.#child.on('exit', (code, signal) => this.#exited(code, signal));
		for (const reader of pipe ? [pipe.reader] : [this.#child.stdout, this.#child.stderr]) {
			if (reader) this.#read(reader);
		}
	}

	/** The shell's process. */
	get pid(): number {
		return this.#child.pid ?? -1;
	}

	/** What still runs of it after its end. */
	get left(): readonly number[] {
		return this.#left;
	}

	/** Ends the command and every process of it; after its end, what it left in the background. */
	kill(): void {
		this.#killed = true;
		if (this.#over) void this.#endLeft();
		if (this.#killing || this.#over) return;
		this.#killing = true;
		void endProcesses(this.#scope())
			.catch(() => false)
			.then((gone) => {
				this.#killing = false;
				// A process that cannot be ended (another user's, or in the kernel) is not waited for.
				if (!gone) this.#exit ??= { signal: 'SIGKILL' };
				this.#check();
			});
	}

	#scope(): ProcessScope {
		return {
			roots: this.#exit === undefined ? [this.pid] : [],
			mark: this.#setup.mark,
			session: this.#setup.tty ? process.pid : this.pid,
			spared: this.#setup.spared(),
		};
	}

	#watchFor(): WaitWatch {
		return new WaitWatch({
			processes: async () => selectProcesses(await listProcesses(), this.#scope()),
			lastLine: () => this.#setup.lastLine(),
			changed: (waiting) => this.#setup.waiting(waiting),
		});
	}

	async #started(): Promise<void> {
		if (this.#child.pid !== undefined) return;
		const error = await new Promise<Error>((resolve) => this.#child.once('error', resolve));
		for (const reader of this.#readers) reader.destroy();
		this.#watch?.end();
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
			this.#watch?.output();
			this.#setup.output(bytes);
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
		const quiet = now - this.#lastOutput >= SILENCE_MS;
		if (this.#open === 0 || quiet || now - this.#exitTime >= LINGER_MS) void this.#finish(this.#exit);
		else this.#timer = setTimeout(() => this.#check(), SILENCE_MS / 4);
	}

	async #finish(exit: CommandEnd): Promise<void> {
		this.#over = true;
		this.#watch?.end();
		const cwd = this.#cwd();
		rmSync(this.#setup.folder, { recursive: true, force: true });
		this.#left = await this.#stillThere().catch(() => []);
		// A stop that came meanwhile holds for what was left as well.
		if (this.#killed && this.#left.length > 0) {
			await this.#endLeft();
			this.#left = this.#left.filter(isAlive);
		}
		const named = this.#left.slice(0, MAX_LEFT_NAMED).map((pid) => ({ pid, command: nameProcess(pid) }));
		// One that ended while it was looked at has no name any more.
		const left = named.filter(({ pid }) => isAlive(pid));
		this.#resolve({ ...exit, ...(cwd === undefined ? {} : { cwd }), ...(left.length === 0 ? {} : { left }) });
	}

	async #endLeft(): Promise<void> {
		const scope = { roots: this.#left, mark: this.#setup.mark, spared: new Set<number>() };
		await endProcesses(scope).catch(() => false);
	}

	/** What of the command runs now, without the runner's own helpers. */
	async #stillThere(): Promise<readonly number[]> {
		const all = await listProcesses();
		const helpers = new Set(all.flatMap(({ pid, parent, mark }) => (parent === process.pid && !mark ? [pid] : [])));
		return selectProcesses(all, this.#scope()).filter((pid) => !helpers.has(pid));
	}

	/** What is left in the background keeps its pipe, else its next line would end it. */
	async #leftGone(): Promise<void> {
		while (this.#left.length > 0) {
			await new Promise((resolve) => setTimeout(resolve, LEFT_EVERY_MS));
			if (this.#left.some(isAlive)) continue;
			// They may have started others.
			const scope = { roots: [], mark: this.#setup.mark, spared: new Set<number>() };
			this.#left = selectProcesses(await listProcesses(), scope);
		}
		for (const reader of this.#readers) reader.destroy();
	}

	#cwd(): string | undefined {
		const { cwdFile } = this.#invocation;
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
