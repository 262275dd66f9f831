// Small parts around the `Shell` port: a command run to its end under a signal, and a command whose start takes a while.
import type { RunningCommand, Shell, ShellCommand, ShellResult } from './shell.ts';

/** A result for what never ran. */
export function notRun(outcome: 'stopped' | 'not_started', message?: string): ShellResult {
	return { outcome, output: '', omitted: 0, durationMs: 0, ...(message === undefined ? {} : { message }) };
}

/** Runs a command to its end; the signal stops it. Never rejects. */
export async function runCommand(shell: Shell, command: ShellCommand, signal: AbortSignal): Promise<ShellResult> {
	if (signal.aborted) return notRun('stopped');
	const running = shell.start(command);
	const stop = () => running.stop();
	signal.addEventListener('abort', stop, { once: true });
	try {
		return await running.finished;
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** How a late command begins and what follows its end. */
export interface LateStart {
	/** Starts it, or says what became of it instead. The signal is the stop: nothing may be started after it. */
	readonly begin: (stop: AbortSignal) => Promise<RunningCommand | ShellResult>;
	/** Called before `finished` resolves. */
	readonly settle?: (result: ShellResult) => Promise<ShellResult>;
}

/** A command that is started as soon as what it needs is there. Whatever `begin` rejects with becomes `not_started`. */
export class LateCommand implements RunningCommand {
	readonly begun: Promise<void>;
	readonly finished: Promise<ShellResult>;
	readonly gone: Promise<void>;
	readonly #stop = new AbortController();
	#inner: RunningCommand | undefined;
	#show: { readonly focus: boolean } | undefined;

	constructor({ begin, settle }: LateStart) {
		const begun = begin(this.#stop.signal).then(
			(inner) => this.#begun(inner),
			(error: unknown) => notRun('not_started', error instanceof Error ? error.message : String(error)),
		);
		this.begun = begun.then(async (inner) => ('finished' in inner ? await inner.begun : undefined));
		const ended = begun.then((inner) => ('finished' in inner ? inner.finished : inner));
		this.finished = settle === undefined ? ended : ended.then((result) => settle(result).catch(() => result));
		this.gone = begun.then(async (inner) => ('gone' in inner ? await inner.gone : undefined));
	}

	get pid(): number | undefined {
		return this.#inner?.pid;
	}

	stop(): void {
		this.#stop.abort();
		this.#inner?.stop();
	}

	show(focus = false): void {
		if (this.#inner) this.#inner.show?.(focus);
		else this.#show = { focus };
	}

	#begun(inner: RunningCommand | ShellResult): RunningCommand | ShellResult {
		if (!('finished' in inner)) return inner;
		this.#inner = inner;
		if (this.#stop.signal.aborted) inner.stop();
		if (this.#show) inner.show?.(this.#show.focus);
		return inner;
	}
}
