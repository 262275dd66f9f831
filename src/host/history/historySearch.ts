// Looks for what the person types in what was said: after a pause, the newest question only, and no more than a list can show.
// No `vscode`. Contract: after `dispose`, or for an older question, nothing is told any more.
import { searchSessions, type SearchOrder, type SessionHit } from '../../node/sessions/sessionSearch.ts';

export interface HistorySearchDeps {
	/** Those to look in, the newest first. */
	readonly sessions: () => Promise<SearchOrder['sessions']>;
	readonly later: (task: () => void, ms: number) => () => void;
	/** Other hits, or it has begun or ended to look. */
	readonly changed: () => void;
	readonly failed: (error: unknown) => void;
}

const pauseMs = 200;
/** Hits that come together are told together. */
const gatherMs = 100;
const mostSessions = 60;

export class HistorySearch {
	private readonly deps: HistorySearchDeps;
	private found: ReadonlyMap<string, SessionHit> = new Map();
	private running: AbortController | undefined;
	private cancelPause: () => void = () => {};

	constructor(deps: HistorySearchDeps) {
		this.deps = deps;
	}

	/** One of each session. */
	get hits(): ReadonlyMap<string, SessionHit> {
		return this.found;
	}

	get busy(): boolean {
		return this.running !== undefined;
	}

	look(text: string): void {
		this.cancelPause();
		this.running?.abort();
		this.running = undefined;
		this.found = new Map();
		if (!isEnough(text.trim())) return;
		const control = new AbortController();
		this.running = control;
		this.cancelPause = this.deps.later(() => void this.run(text, control), pauseMs);
	}

	dispose(): void {
		this.look('');
	}

	private async run(text: string, control: AbortController): Promise<void> {
		const { signal } = control;
		const { deps } = this;
		let cancelTelling: (() => void) | undefined;
		const tell = () => {
			cancelTelling = undefined;
			if (!signal.aborted) deps.changed();
		};
		try {
			const sessions = await deps.sessions();
			for await (const hit of searchSessions({ sessions, text, signal, most: mostSessions, mostOfOne: 1 })) {
				if (signal.aborted) return;
				this.found = new Map([...this.found, [hit.sessionId, hit]]);
				cancelTelling ??= deps.later(tell, gatherMs);
			}
		} catch (error) {
			deps.failed(error);
		} finally {
			cancelTelling?.();
			if (this.running === control) this.running = undefined;
			tell();
		}
	}
}

/** One letter is in everything; one Chinese character may well be a word. */
function isEnough(text: string): boolean {
	return text.length > 1 || /\p{Script=Han}/u.test(text);
}
