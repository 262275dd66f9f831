// What memory consolidation needs to know and to hold, so that it runs at most daily and never twice at once. Adapter:
// `FileDreamPort`.

export interface DreamPort {
	/** When the memory was consolidated last, in milliseconds since the epoch; undefined: never. */
	lastRun(): Promise<number | undefined>;
	/** Sessions of this project that were used after a time, counted up to `atMost`. */
	sessionsSince(time: number, atMost: number): Promise<number>;
	/** Takes the lock; undefined when another process holds it. A lock that its holder left behind is taken over. */
	lock(): Promise<DreamLock | undefined>;
}

export interface DreamLock {
	/** Releases the lock; `done`: and writes down that the memory is consolidated now. */
	release(done: boolean): Promise<void>;
}
