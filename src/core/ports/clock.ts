// Time and identity as ports, so that tests need no sleeping and have stable ids.

export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms`, or as soon as the signal aborts (it never rejects). */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A fresh UUID (v4). */
export type NewId = () => string;
