// Runners that are free are used again; each runs one command at a time. What a runner is (a terminal or a child) is
// the business of whoever starts it.
import type { RunningCommand } from '../../core/ports/shell.ts';
import type { RunnerConnection } from './runnerConnection.ts';

/** A runner in the pool. */
export interface PooledRunner {
	readonly connection: RunnerConnection;
	/** Called before it is used again; false when it can take no more. */
	ready?(): boolean;
}

/** Keeps runners. */
export class RunnerPool<Runner extends PooledRunner = PooledRunner> {
	readonly #make: () => Promise<Runner>;
	#idle: Runner[] = [];

	/** `make` starts a new runner; it may reject. */
	constructor(make: () => Promise<Runner>) {
		this.#make = make;
	}

	/**
	 * Calls `begin` with a free runner, a new one if need be. Rejects only when none can be started; undefined when it was stopped
	 * before there was one.
	 */
	async start(begin: (runner: Runner) => RunningCommand, stop: AbortSignal): Promise<RunningCommand | undefined> {
		const runner = this.#take() ?? (await this.#fresh(stop));
		if (runner === undefined || stop.aborted) {
			if (runner) this.#giveBack(runner);
			return undefined;
		}
		const running = begin(runner);
		void running.finished.then(() => this.#giveBack(runner));
		return running;
	}

	/** Takes every free runner out; those at work are asked by `ready` before their next command. */
	takeAll(): readonly Runner[] {
		const all = this.#idle;
		this.#idle = [];
		return all;
	}

	#giveBack(runner: Runner): void {
		if (runner.connection.free) this.#idle.push(runner);
	}

	#take(): Runner | undefined {
		for (;;) {
			const runner = this.#idle.pop();
			if (runner === undefined || (runner.connection.free && runner.ready?.() !== false)) return runner;
		}
	}

	/** A new runner; who stops does not wait for it, and it is kept for the next command. */
	async #fresh(stop: AbortSignal): Promise<Runner | undefined> {
		const made = this.#make();
		const stopped = new Promise<undefined>((resolve) => {
			stop.addEventListener('abort', () => resolve(undefined), { once: true });
		});
		const runner = await Promise.race([made, stopped]);
		if (runner === undefined) {
			made.then(
				(late) => this.#giveBack(late),
				() => undefined,
			);
		}
		return runner;
	}
}
