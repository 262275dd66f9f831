// The staging area of context collapse: summaries of finished segments, made one at a time in the background and put in
// when room is needed. One instance for each conversation; what is staged and not put in is lost with it, at no harm.
import { limits } from '../limits.ts';

/** A segment of the conversation with its summary. Ids of its first and last message. */
export interface StagedSegment {
	readonly from: string;
	readonly to: string;
	readonly summary: string;
}

export class CollapseArea {
	private segments: readonly StagedSegment[] = [];
	private work: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
	private failures = 0;

	get staged(): readonly StagedSegment[] {
		return this.segments;
	}

	get busy(): boolean {
		return this.work !== undefined;
	}

	/** Too many summaries in a row could not be had: none is started any more. */
	get gaveUp(): boolean {
		return this.failures >= limits.summaryAttempts;
	}

	/** Starts one summary. `summarise` gives undefined when it failed; a rejection counts the same. */
	start(
		segment: { readonly from: string; readonly to: string },
		summarise: (signal: AbortSignal) => Promise<string | undefined>,
	): void {
		if (this.work) return;
		const controller = new AbortController();
		const done = summarise(controller.signal)
			.catch(() => undefined)
			.then((summary) => {
				if (controller.signal.aborted) return;
				this.failures = summary === undefined ? this.failures + 1 : 0;
				if (summary !== undefined) this.segments = [...this.segments, { ...segment, summary }];
				this.work = undefined;
			});
		this.work = { controller, done };
	}

	/** Takes everything out. */
	takeAll(): readonly StagedSegment[] {
		const taken = this.segments;
		this.segments = [];
		return taken;
	}

	/** Stops the background work and forgets what is staged (the conversation was compacted, or ends). */
	clear(): void {
		this.work?.controller.abort();
		this.work = undefined;
		this.segments = [];
	}

	/** Resolves when nothing is being summarised; for tests and for an orderly end. */
	async idle(): Promise<void> {
		await this.work?.done;
	}
}
