// Time, identity and chance as ports, so that tests need no sleeping, have stable ids, and repeat. Nothing in core takes them
// from elsewhere.

export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms`, or as soon as the signal aborts (it never rejects). */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A fresh UUID (v4). */
export type NewId = () => string;

/** From 0 up to but not including 1. */
export type Random = () => number;
