// A bell for one waiting loop: several sources ring it, the loop waits for the next ring. Rings while nobody waits are
// kept (one is enough). No promise outlives its wait, however long the stream.

export class Wakeup {
	private rung = false;
	private resolve: (() => void) | undefined;

	ring(): void {
		const resolve = this.resolve;
		if (!resolve) {
			this.rung = true;
			return;
		}
		this.resolve = undefined;
		resolve();
	}

	/** Contract: one waiter at a time. */
	wait(): Promise<void> {
		if (this.rung) {
			this.rung = false;
			return Promise.resolve();
		}
		return new Promise((resolve) => {
			this.resolve = resolve;
		});
	}
}
