// Looks at what a generator yields without changing it: same yields, same return value, and `return()` reaches it.

export async function* tap<T, R>(source: AsyncGenerator<T, R>, look: (value: T) => void): AsyncGenerator<T, R> {
	try {
		for (let step = await source.next(); ; step = await source.next()) {
			if (step.done) return step.value;
			look(step.value);
			yield step.value;
		}
	} finally {
		// Reached by `return()` too: the source must have stopped before its consumer goes on.
		await source.return(undefined as never);
	}
}
