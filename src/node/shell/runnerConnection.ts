// One runner as the host sees it: gives it a command, collects the output, ends it when asked. Contract: `run` never
// rejects, and when it returns nothing of a stopped command runs any more, even if the runner itself is gone.
import type { Socket } from 'node:net';
import type { ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { LiveOutput } from './liveOutput.ts';
import { OutputCollector } from './output.ts';
import { endProcesses, KILL_GRACE_MS } from './processes.ts';
import { encodeFrame, type FrameDecoder, type FromRunner } from './protocol.ts';

/** Characters of output kept of one command, head and tail together. */
const MAX_OUTPUT = 1_000_000;
/** The runner has so long to end a command (its own grace and some more) before the host does it. */
const STOP_LIMIT_MS = 2 * KILL_GRACE_MS + 1500;
const SHUTDOWN_LIMIT_MS = 2 * KILL_GRACE_MS + 1000;
const MAX_TIMER = 2 ** 31 - 1;

type Ended = Extract<FromRunner, { type: 'exit' | 'failed' }> | { readonly type: 'lost' };

interface Current {
	readonly id: number;
	output(bytes: Buffer): void;
	ended(how: Ended): void;
}

/** A connected runner. */
export class RunnerConnection {
	/** Resolves when the runner is gone. */
	readonly closed: Promise<void>;
	readonly pid: number;
	readonly #socket: Socket;
	readonly #mark: string;
	#current: Current | undefined;
	#count = 0;
	#open = true;

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
				this.#current?.ended({ type: 'lost' });
				resolve();
			});
		});
		setup.socket.on('data', (bytes: Buffer) => this.#receive(setup.decoder, bytes));
	}

	/** Whether a command can be given to it now. */
	get free(): boolean {
		return this.#open && this.#current === undefined;
	}

	/** Runs a command with the shell at that path. Contract: never rejects. */
	async run(command: ShellCommand, shell: string, signal: AbortSignal): Promise<ShellResult> {
		const start = Date.now();
		const done = (rest: Omit<ShellResult, 'durationMs'>): ShellResult => ({ ...rest, durationMs: Date.now() - start });
		if (signal.aborted) return done({ outcome: 'stopped', output: '', omitted: 0 });
		if (!this.free) return done(notStarted('The shell runner is not ready.'));
		const collector = new OutputCollector(MAX_OUTPUT);
		const live = new LiveOutput(command.onOutput?.bind(command));
		let reason: 'timed_out' | 'stopped' | undefined;
		const how = await new Promise<Ended>((resolve) => {
			const id = ++this.#count;
			this.#current = { id, output: (bytes) => live.push(collector.push(bytes)), ended: resolve };
			let limit: NodeJS.Timeout | undefined;
			const kill = (why: typeof reason) => {
				if (reason !== undefined) return;
				reason = why;
				this.#send({ type: 'kill', id });
				limit = setTimeout(() => this.#socket.destroy(), STOP_LIMIT_MS);
			};
			const onAbort = () => kill('stopped');
			signal.addEventListener('abort', onAbort, { once: true });
			const timer = setTimeout(() => kill('timed_out'), Math.min(command.timeoutMs ?? MAX_TIMER, MAX_TIMER));
			this.#current.ended = (ended) => {
				clearTimeout(timer);
				clearTimeout(limit);
				signal.removeEventListener('abort', onAbort);
				resolve(ended);
			};
			this.#send({ type: 'run', id, cwd: command.cwd, shell }, Buffer.from(command.command, 'utf8'));
		});
		this.#current = undefined;
		const { text: output, omitted, rest } = collector.end();
		live.push(rest);
		live.end();
		if (how.type === 'lost') await this.#sweep();
		return done({ ...outcome(how, reason), output, omitted });
	}

	/** Ends the runner and everything that it started. */
	async dispose(): Promise<void> {
		if (!this.#open) return;
		this.#send({ type: 'shutdown' });
		const limit = setTimeout(() => this.#socket.destroy(), SHUTDOWN_LIMIT_MS);
		await this.closed;
		clearTimeout(limit);
		await this.#sweep();
	}

	#send(...frame: Parameters<typeof encodeFrame>): void {
		if (!this.#open) return;
		for (const piece of encodeFrame(...frame)) this.#socket.write(piece);
	}

	#receive(decoder: FrameDecoder<FromRunner>, bytes: Buffer): void {
		try {
			for (const { header, body } of decoder.push(bytes)) {
				if (header.type === 'hello' || header.id !== this.#current?.id) continue;
				if (header.type === 'output') this.#current.output(body);
				else this.#current.ended(header);
			}
		} catch {
			this.#socket.destroy();
		}
	}

	/** The runner is gone (killed, or its terminal closed) and may not have been able to tidy up. */
	async #sweep(): Promise<void> {
		const scope = { roots: [this.pid], mark: this.#mark, session: this.pid, spared: new Set<number>() };
		await endProcesses(scope).catch(() => false);
	}
}

function notStarted(message: string): Omit<ShellResult, 'durationMs'> {
	return { outcome: 'not_started', output: '', omitted: 0, message };
}

function outcome(
	how: Ended,
	reason: 'timed_out' | 'stopped' | undefined,
): Omit<ShellResult, 'durationMs' | 'output' | 'omitted'> {
	if (how.type === 'failed') return { outcome: reason ?? 'not_started', message: how.message };
	if (how.type === 'lost') {
		if (reason !== undefined) return { outcome: reason };
		return {
			outcome: 'killed_by_signal',
			signal: 'SIGHUP',
			message: 'The terminal was closed, or its process was ended, while the command ran.',
		};
	}
	const details = {
		...(how.code === undefined ? {} : { exitCode: how.code }),
		...(how.signal === undefined ? {} : { signal: how.signal }),
		...(how.cwd === undefined ? {} : { cwd: how.cwd }),
	};
	return { outcome: reason ?? (how.signal === undefined ? 'exited' : 'killed_by_signal'), ...details };
}
