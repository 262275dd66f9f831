// Whose draft stands in the composer. Pure. Contract: what the person has written is never dropped: it goes with its conversation, or,
// where nothing was said in that yet, on to the next one of that kind.

export interface DraftOwner {
	readonly sessionId: string;
	/** What the host keeps the draft under: the session's id, or nothing while nothing was said in it. */
	readonly key: string;
}

/** `keep`: the draft stays where it is; `take_along`: it is this conversation's under another key; `swap`: another one's is shown. */
export type DraftMove = 'keep' | 'take_along' | 'swap';

export function draftMove(before: DraftOwner | undefined, next: DraftOwner): DraftMove {
	if (before === undefined) return 'swap';
	if (before.key === next.key) return 'keep';
	return before.sessionId === next.sessionId ? 'take_along' : 'swap';
}
