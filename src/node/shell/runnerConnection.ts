// One runner as the host sees it: gives it commands, one at a time, and hands what it says to each. Contract: when the runner is
// gone (killed, its terminal closed) everything that it had started is ended before its commands are told.
import type { Socket } from 'node:net';
import type { ShellCommand } from '../../core/ports/shell.ts';
import { endProcesses, KILL_GRACE_MS } from './processes.ts';
import { encodeFrame, type FrameDecoder, type FromRunner } from './protocol.ts';
import { RunnerCommand } from './runnerCommand.ts';

const SHUTDOWN_LIMIT_MS = 2 * KILL_GRACE_MS + 1000;

/** A connected runner. */
export class RunnerConnection {
	/** Resolves when the runner is gone. */
	readonly closed: Promise<void>;
	readonly pid: number;
	readonly #socket: Socket;
	readonly #mark: string;
	/** The one that runs, and those that left something in the background. */
	readonly #commands = new Map<number, RunnerCommand>();
	#running = false;
	#count = 0;
	#open = true;
	#swept: Promise<void> | undefined;

	constructor(setup: {
		readonly socket: Socket;
		readonly decoder: FrameDecoder<FromRunner>;
		readonly pid: number;
		/** What all processes of this runner carry in their environment. */
		readonly mark: string;
	}) {
		this.#socket = setup.socket;
		this.#mark = setup.mark;
		this.pid = setup.pid;
		this.closed = new Promise((resolve) => {
			setup.socket.once('close', () => {
				this.#open = false;
				void this.#sweep().then(() => {
					for (const command of this.#commands.values()) command.lost();
				});
				resolve();
			});
		});
		setup.socket.on('data', (bytes: Buffer) => this.#receive(setup.decoder, bytes));
	}

	/** Whether a command can be given to it now. */
	get free(): boolean {
		return this.#open && !this.#running;
	}

	/** Whether anything of an earlier command still runs in the background. */
	get hasLeft(): boolean {
		return this.#commands.size > (this.#running ? 1 : 0);
	}

	/** Runs a command with the shell at that path; the runner must be free. */
	start(command: ShellCommand, shell: string, show?: (focus: boolean) => void): RunnerCommand {
		const id = ++this.#count;
		const running = new RunnerCommand(command, {
			kill: () => this.#send({ type: 'kill', id }),
			giveUp: () => this.#socket.destroy(),
			show,
		});
		this.#commands.set(id, running);
		this.#running = true;
		void running.finished.then(() => (this.#running = false));
		void Promise.all([running.finished, running.gone]).then(() => this.#commands.delete(id));
		const { cwd, outputFile } = command;
		const order = { type: 'run' as const, id, cwd, shell, ...(outputFile === undefined ? {} : { outputFile }) };
		this.#send(order, Buffer.from(command.command, 'utf8'));
		return running;
	}

	/** Ends the runner and everything that it started. */
	async dispose(): Promise<void> {
		if (this.#open) {
			this.#send({ type: 'shutdown' });
			const limit = setTimeout(() => this.#socket.destroy(), SHUTDOWN_LIMIT_MS);
			await this.closed;
			clearTimeout(limit);
		}
		await this.#sweep();
	}

	#send(...frame: Parameters<typeof encodeFrame>): void {
		if (!this.#open) return;
		for (const piece of encodeFrame(...frame)) this.#socket.write(piece);
	}

	#receive(decoder: FrameDecoder<FromRunner>, bytes: Buffer): void {
		try {
			for (const { header, body } of decoder.push(bytes)) {
				if (header.type !== 'hello') this.#commands.get(header.id)?.receive(header, body);
			}
		} catch {
			this.#socket.destroy();
		}
	}

	/** The runner may not have been able to tidy up. */
	#sweep(): Promise<void> {
		this.#swept ??= endProcesses({ roots: [this.pid], mark: this.#mark, session: this.pid, spared: new Set() }).then(
			() => undefined,
			() => undefined,
		);
		return this.#swept;
	}
}
