// Pulls one step at a time out of an async generator without blocking on it: the step's arrival rings a bell. So one
// loop can serve a stream and other sources, and a stream that nobody asks stays where it is.
import type { Wakeup } from './wakeup.ts';

export class Pull<T, R> {
	private readonly source: AsyncGenerator<T, R>;
	private readonly wakeup: Wakeup;
	private arrived: IteratorResult<T, R> | undefined;
	private failure: { readonly error: unknown } | undefined;

	constructor(source: AsyncGenerator<T, R>, wakeup: Wakeup) {
		this.source = source;
		this.wakeup = wakeup;
	}

	/** Asks for the next step. Contract: not before the last one was taken. */
	ask(): void {
		this.source.next().then(
			(step) => {
				this.arrived = step;
				this.wakeup.ring();
			},
			(error: unknown) => {
				this.failure = { error };
				this.wakeup.ring();
			},
		);
	}

	/** The step that was asked for, once it is there; throws what the source threw. */
	take(): IteratorResult<T, R> | undefined {
		if (this.failure) throw this.failure.error;
		const step = this.arrived;
		this.arrived = undefined;
		return step;
	}

	/** Ends the source, wherever it is. */
	async close(): Promise<void> {
		await this.source.return(undefined as never);
	}
}
