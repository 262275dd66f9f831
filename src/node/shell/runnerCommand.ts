// A command as the host sees it while a runner runs it: takes what the runner says of it and turns it into a result.
// Contract: `finished` and `gone` never reject and always resolve, whatever becomes of the runner.
import { statSync } from 'node:fs';
import type { RunningCommand, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { OutputCollector } from './output.ts';
import { KILL_GRACE_MS } from './processes.ts';
import type { FromRunner } from './protocol.ts';

/** Characters kept of the live output, for when the runner is lost with the whole. */
const MAX_LIVE = 200_000;
/** The runner has so long to end a command (its own grace and some more) before the host does it. */
const STOP_LIMIT_MS = 2 * KILL_GRACE_MS + 1500;
const MAX_TIMER = 2 ** 31 - 1;

/** What the command needs of its runner. */
export interface RunnerLink {
	kill(): void;
	/** Cuts the connection: the runner does not answer. */
	giveUp(): void;
	/** Shows the terminal; undefined where there is none. */
	readonly show: ((focus: boolean) => void) | undefined;
}

type About = Exclude<FromRunner, { type: 'hello' }>;

/** One command given to a runner. */
export class RunnerCommand implements RunningCommand {
	readonly finished: Promise<ShellResult>;
	readonly gone: Promise<void>;
	readonly #command: ShellCommand;
	readonly #link: RunnerLink;
	readonly #start = Date.now();
	readonly #collector = new OutputCollector(MAX_LIVE);
	readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
	readonly #timer: NodeJS.Timeout | undefined;
	#limit: NodeJS.Timeout | undefined;
	#reason: 'timed_out' | 'stopped' | undefined;
	#over = false;
	#pid: number | undefined;
	#resolve: (result: ShellResult) => void = () => undefined;
	#resolveGone: () => void = () => undefined;

	constructor(command: ShellCommand, link: RunnerLink) {
		this.#command = command;
		this.#link = link;
		this.finished = new Promise((resolve) => (this.#resolve = resolve));
		this.gone = new Promise((resolve) => (this.#resolveGone = resolve));
		const { timeoutMs } = command;
		if (timeoutMs !== undefined) {
			this.#timer = setTimeout(() => this.#kill('timed_out'), Math.min(timeoutMs, MAX_TIMER));
		}
	}

	get pid(): number | undefined {
		return this.#pid;
	}

	stop(): void {
		if (this.#over) this.#link.kill();
		else this.#kill('stopped');
	}

	show(focus = false): void {
		this.#link.show?.(focus);
	}

	/** What the runner says of this command. */
	receive(said: About, body: Buffer): void {
		switch (said.type) {
			case 'started':
				this.#pid = said.pid;
				break;
			case 'output':
				this.#output(body);
				break;
			case 'waiting':
				this.#tell((command) => command.onWaiting?.(said.waiting));
				break;
			case 'exit':
				this.#exited(said, body.toString('utf8'));
				break;
			case 'failed':
				this.#end({ outcome: this.#reason ?? 'not_started', output: '', omitted: 0, message: said.message });
				this.#resolveGone();
				break;
			case 'gone':
				this.#resolveGone();
				break;
		}
	}

	/** The runner is gone, and so is everything that it had started. */
	lost(): void {
		const { text: output, omitted } = this.#collector.end();
		const saved = this.#savedSoFar();
		const rest = { output, omitted, ...(saved === undefined ? {} : { saved }) };
		if (this.#reason === undefined) {
			const message = 'The terminal was closed, or its process was ended, while the command ran.';
			this.#end({ outcome: 'killed_by_signal', signal: 'SIGHUP', message, ...rest });
		} else {
			this.#end({ outcome: this.#reason, ...rest });
		}
		this.#resolveGone();
	}

	#kill(why: 'timed_out' | 'stopped'): void {
		if (this.#over || this.#reason !== undefined) return;
		this.#reason = why;
		this.#link.kill();
		this.#limit = setTimeout(() => this.#link.giveUp(), STOP_LIMIT_MS);
	}

	#output(bytes: Buffer): void {
		this.#collector.push(bytes);
		const text = this.#utf8.decode(bytes, { stream: true });
		if (text !== '') this.#tell((command) => command.onOutput?.(text));
	}

	/** What listens must not disturb the command. */
	#tell(call: (command: ShellCommand) => void): void {
		try {
			call(this.#command);
		} catch {
			// Its own affair.
		}
	}

	#exited(said: Extract<FromRunner, { type: 'exit' }>, output: string): void {
		const { code, signal, cwd, left } = said.end;
		this.#end({
			outcome: this.#reason ?? (signal === undefined ? 'exited' : 'killed_by_signal'),
			...(code === undefined ? {} : { exitCode: code }),
			...(signal === undefined ? {} : { signal }),
			...(cwd === undefined ? {} : { cwd }),
			...(left === undefined ? {} : { left }),
			...(said.saved === undefined ? {} : { saved: said.saved }),
			output,
			omitted: said.omitted,
		});
	}

	#end(result: Omit<ShellResult, 'durationMs'>): void {
		if (this.#over) return;
		this.#over = true;
		clearTimeout(this.#timer);
		clearTimeout(this.#limit);
		this.#resolve({ ...result, durationMs: Date.now() - this.#start });
	}

	#savedSoFar(): ShellResult['saved'] {
		const { outputFile } = this.#command;
		const bytes = outputFile === undefined ? undefined : statSync(outputFile, { throwIfNoEntry: false })?.size;
		return bytes === undefined ? undefined : { bytes, complete: false };
	}
}
