// Runners that are free are used again; each runs one command at a time. What a runner is (a terminal or a child) is
// the business of whoever starts it.
import type { RunnerConnection } from './runnerConnection.ts';

/** A runner in the pool. */
export interface PooledRunner {
	readonly connection: RunnerConnection;
	/** Called before each command; false when it can take no more. */
	show?(): boolean;
}

/** Keeps runners. */
export class RunnerPool<Runner extends PooledRunner = PooledRunner> {
	readonly #start: () => Promise<Runner>;
	readonly #idle: Runner[] = [];

	/** `start` makes a new runner; it may reject. */
	constructor(start: () => Promise<Runner>) {
		this.#start = start;
	}

	/** Calls `use` with a free runner, a new one if need be. Rejects only when none can be started. */
	async with<Result>(use: (runner: Runner) => Promise<Result>): Promise<Result> {
		const runner = this.#take() ?? (await this.#start());
		try {
			return await use(runner);
		} finally {
			if (runner.connection.free) this.#idle.push(runner);
		}
	}

	#take(): Runner | undefined {
		for (;;) {
			const runner = this.#idle.pop();
			if (runner === undefined || (runner.connection.free && runner.show?.() !== false)) return runner;
		}
	}
}
