// The shell runner: the process of the agent's terminal, or a child without a terminal. It takes commands from the host
// over a local socket and runs one at a time. Contract: when the host or the terminal goes away, everything it started
// is ended. It starts in some 30 ms, so it imports only what it needs.
import { closeSync, constants, openSync, readSync, rmdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { CommandOutput } from './commandOutput.ts';
import { CommandProcess } from './commandProcess.ts';
import { likelyEncodings } from './decode.ts';
import { childEnvironment } from './environment.ts';
import { Fifos } from './fifos.ts';
import { endProcesses } from './processes.ts';
import {
	type CommandEnd,
	encodeFrame,
	type Frame,
	FrameDecoder,
	type FromRunner,
	HANDOVER,
	type ToRunner,
} from './protocol.ts';

import { TerminalView } from './terminalView.ts';

/** Bytes on their way to the host; with more no live output is added. */
const MAX_BEHIND = 1 << 20;

class Runner {
	readonly #folder: string;
	readonly #socketPath: string;
	readonly #env: Readonly<Record<string, string>>;
	readonly #socket: Socket;
	readonly #tty = process.stdout.isTTY && process.stdin.isTTY;
	readonly #view = process.stdout.isTTY ? new TerminalView(process.stdout) : undefined;
	readonly #fifos: Fifos;
	readonly #mark: string;
	/** The one that runs, and those that left something in the background. */
	readonly #commands = new Map<number, CommandProcess>();
	readonly #encodings: readonly string[];
	/** The one that is being started, and whether it is to be ended at once. */
	#starting: { readonly id: number; killed: boolean } | undefined;
	#ending = false;

	constructor(handover: Readonly<Record<keyof typeof HANDOVER, string>>) {
		this.#folder = handover.folder;
		this.#socketPath = handover.socket;
		this.#mark = path.basename(handover.folder);
		this.#env = childEnvironment(process.env, { tty: this.#tty, keep: handover.keep.split(',') });
		this.#encodings = likelyEncodings(this.#env);
		this.#fifos = new Fifos(handover.folder);
		this.#socket = connect(handover.socket);
		const decoder = new FrameDecoder<ToRunner>();
		this.#socket.on('connect', () => this.#send({ type: 'hello', token: handover.token, pid: process.pid }));
		this.#socket.on('data', (bytes) => {
			for (const frame of decoder.push(bytes)) this.#receive(frame);
		});
		this.#socket.on('error', () => undefined);
		this.#socket.on('close', () => this.end());
	}

	/** Ends everything that was started and then this process. */
	end(): void {
		if (this.#ending) return;
		this.#ending = true;
		const roots = [process.pid];
		void endProcesses({ roots, mark: this.#mark, session: process.pid, spared: new Set() })
			.catch(() => false)
			.then(async () => {
				this.#socket.destroy();
				rmSync(this.#folder, { recursive: true, force: true });
				if (process.platform !== 'win32' && !(await this.#hostLives())) this.#removeHostFolder();
				process.exit(0);
			});
	}

	async #hostLives(): Promise<boolean> {
		return await new Promise((resolve) => {
			const probe = connect(this.#socketPath);
			probe.once('connect', () => resolve(true));
			probe.once('error', () => resolve(false));
		});
	}

	/** A host that was killed leaves its folder; the last of its runners finds it empty but for the socket. */
	#removeHostFolder(): void {
		try {
			rmSync(this.#socketPath, { force: true });
			rmdirSync(path.dirname(this.#folder));
		} catch {
			// Others still use it.
		}
	}

	#send(header: FromRunner, body?: Uint8Array): void {
		for (const piece of encodeFrame(header, body)) this.#socket.write(piece);
	}

	#receive({ header, body }: Frame<ToRunner>): void {
		switch (header.type) {
			case 'run':
				void this.#run(header, body.toString('utf8'));
				break;
			case 'kill':
				if (this.#starting?.id === header.id) this.#starting.killed = true;
				this.#commands.get(header.id)?.kill();
				break;
			case 'shutdown':
				this.end();
				break;
		}
	}

	async #run(order: Extract<ToRunner, { type: 'run' }>, command: string): Promise<void> {
		const { id, cwd, shell } = order;
		this.#view?.begin(command);
		if (this.#tty) forgetTyped();
		const starting = { id, killed: false };
		this.#starting = starting;
		const output = new CommandOutput({
			view: this.#view,
			file: order.outputFile,
			encodings: this.#encodings,
			live: (bytes) => this.#live(id, bytes),
		});
		try {
			const running = await CommandProcess.start({
				shell,
				command,
				cwd,
				env: this.#env,
				mark: `${this.#mark}.${id}`,
				folder: path.join(this.#folder, String(id)),
				tty: this.#tty,
				fifos: this.#fifos,
				spared: () => new Set([...this.#commands].flatMap(([other, { left }]) => (other === id ? [] : left))),
				output: (bytes) => output.push(bytes),
				lateOutput: (bytes) => output.late(bytes),
				lastLine: () => output.lastLine,
				waiting: (waiting) => this.#send({ type: 'waiting', id, waiting }),
			});
			this.#commands.set(id, running);
			this.#send({ type: 'started', id, pid: running.pid });
			if (starting.killed) running.kill();
			const end = await running.ended;
			// The terminal or the host is going away: to the host this command is lost, whatever its own end was.
			if (this.#ending) return;
			this.#finish(id, end, output);
			await running.gone;
			this.#commands.delete(id);
			this.#send({ type: 'gone', id });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			this.#view?.end(message);
			this.#send({ type: 'failed', id, message });
		}
		output.close();
	}

	/** A host that is too busy to read misses some of the live view, nothing else. */
	#live(id: number, bytes: Buffer): void {
		if (this.#socket.writableLength < MAX_BEHIND) this.#send({ type: 'output', id }, bytes);
	}

	#finish(id: number, end: CommandEnd, output: CommandOutput): void {
		const status = end.signal ?? (end.code === 0 ? undefined : `exit ${end.code}`);
		const { text, ...rest } = output.end();
		this.#view?.end(status);
		// A command that was ended may have left the terminal without echo.
		if (this.#tty && end.signal !== undefined) execFile('stty', ['sane']).on('error', () => undefined);
		this.#send({ type: 'exit', id, end, ...rest }, Buffer.from(text, 'utf8'));
	}
}

/** What was typed while nothing ran must not answer the next command's question. */
function forgetTyped(): void {
	try {
		const fd = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
		try {
			const buffer = Buffer.alloc(4096);
			for (let i = 0; i < 64 && readSync(fd, buffer) > 0; i++);
		} finally {
			closeSync(fd);
		}
	} catch {
		// Nothing was typed (EAGAIN), or there is no such device.
	}
}

/** The terminal must not hold up the runner when it does not read (Ctrl+S, a busy window): writes go without waiting. */
function neverBlock(stream: NodeJS.WriteStream): void {
	const handle: unknown = Reflect.get(stream, '_handle');
	if (typeof handle !== 'object' || handle === null) return;
	const setBlocking: unknown = Reflect.get(handle, 'setBlocking');
	if (typeof setBlocking === 'function') Reflect.apply(setBlocking, handle, [false]);
}

function main(): void {
	const take = (name: string): string => {
		const value = process.env[name] ?? '';
		delete process.env[name];
		return value;
	};
	const handover = {
		socket: take(HANDOVER.socket),
		token: take(HANDOVER.token),
		folder: take(HANDOVER.folder),
		keep: take(HANDOVER.keep),
	};
	if (handover.socket === '' || handover.folder === '') {
		process.stderr.write('This program is started by Loopwright and does nothing by itself.\n');
		process.exitCode = 2;
		return;
	}
	if (process.stdout.isTTY) neverBlock(process.stdout);
	const runner = new Runner(handover);
	// Ctrl+C, Ctrl+\ and Ctrl+Z are for the command.
	for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTSTP'] as const) process.on(signal, () => undefined);
	for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.end());
	process.on('uncaughtException', () => runner.end());
}

main();
