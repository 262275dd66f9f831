// An effect of signals that runs within each change. The library's own waits for the next drawing and sees only the newest value:
// right for what is shown, not for what arrives (a text to insert, another conversation, an answer of the host).
import { effect } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** `follow` stays the one of the first drawing: what may change it reads from a ref. */
export function useEveryChange(follow: () => void): void {
	useLayoutEffect(() => effect(follow), []);
}
