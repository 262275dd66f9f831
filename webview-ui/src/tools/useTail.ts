// A box whose content grows at its end: the newest stays in view while the person is at the end, and nothing moves them once they
// have gone up, or have opened something there.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Pixels; zoomed windows report fractions. */
const slack = 2;

/** `content`: whatever is another one when it has grown. */
export function useTail(box: RefObject<HTMLElement | null>, growing: boolean, content: unknown): void {
	const atEnd = useRef(true);
	const { current } = box;
	// Before it is drawn anew: what the person did since is in the page as it stands.
	if (current) atEnd.current = current.scrollHeight - current.clientHeight - current.scrollTop <= slack;
	useLayoutEffect(() => {
		if (growing && atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
	}, [growing, content]);
}
