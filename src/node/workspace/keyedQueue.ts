// Work on one thing at a time: changes of a file wait for each other, whoever asked for them.

/** Contract: what is given for one key runs in order, never two at once; a failure does not hold up what waits. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<T>(key: string, work: () => Promise<T>): Promise<T> {
		const before = this.last.get(key) ?? Promise.resolve();
		const done = before.then(work, work);
		this.last.set(key, done);
		try {
			return await done;
		} finally {
			if (this.last.get(key) === done) this.last.delete(key);
		}
	}
}
