// Going through earlier prompts with the arrow keys, as in a shell. Pure. Contract: what was being written is not lost: it is the
// newest one.

export interface Browsing {
	/** The newest first. */
	readonly prompts: readonly string[];
	/** -1: the draft. */
	readonly at: number;
	readonly draft: string;
}

/** One step; `undefined` at either end, or when `shown` was changed since: then it is a draft of its own. */
export function browsed(browsing: Browsing, shown: string, step: 'older' | 'newer'): Browsing | undefined {
	const current = browsing.at < 0 ? browsing.draft : browsing.prompts[browsing.at];
	const from = current === shown ? browsing : { ...browsing, at: -1, draft: shown };
	let at = from.at + (step === 'older' ? 1 : -1);
	// The one that is shown already is no step.
	if (step === 'older' && from.prompts[at] === shown) at++;
	if (at < -1 || at >= from.prompts.length) return undefined;
	return { ...from, at };
}

export function shownPrompt({ prompts, at, draft }: Browsing): string {
	return at < 0 ? draft : (prompts[at] ?? draft);
}

/** Whether an arrow key means an earlier prompt: where it could not move the cursor, or right after it brought one. */
export function mayBrowse(
	key: 'ArrowUp' | 'ArrowDown',
	box: { readonly value: string; readonly selectionStart: number; readonly selectionEnd: number },
	browsing: Browsing | undefined,
): boolean {
	if (box.selectionStart !== box.selectionEnd) return false;
	const isShown = browsing !== undefined && browsing.at >= 0 && shownPrompt(browsing) === box.value;
	const atEdge = box.selectionStart === 0 || box.selectionStart === box.value.length;
	if (key === 'ArrowDown') return isShown && atEdge;
	return box.value === '' || box.selectionStart === 0 || (isShown && atEdge);
}
