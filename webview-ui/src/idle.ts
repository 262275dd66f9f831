// Work that can wait until the page has time for it, one small step after the other. Contract: steps are bounded by who adds them, and
// one that was taken back is not run.
export interface Idle {
	/** Runs it some time later; returns the way to take it back. */
	add(step: () => void): () => void;
	/** Everything that waits, now: for whoever needs the page as it will be. */
	finish(): void;
}

/** Milliseconds of rest in which a step has room; after so many it is run all the same, one in a frame. */
const room = 4;
const patience = 250;

export function createIdle(): Idle {
	const waiting = new Set<() => void>();
	let planned = false;
	const runOne = () => {
		const [step] = waiting;
		if (!step) return;
		waiting.delete(step);
		step();
	};
	const plan = () => {
		if (planned || waiting.size === 0) return;
		planned = true;
		requestIdleCallback(
			(deadline) => {
				planned = false;
				runOne();
				while (waiting.size > 0 && deadline.timeRemaining() > room) runOne();
				plan();
			},
			{ timeout: patience },
		);
	};
	return {
		add(step) {
			waiting.add(step);
			plan();
			return () => waiting.delete(step);
		},
		finish() {
			while (waiting.size > 0) runOne();
		},
	};
}
