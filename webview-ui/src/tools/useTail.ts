// A box whose content grows at its end: the newest stays in view while the person is at the end, and nothing moves them once they
// have gone up, or have opened something there. The browser's own anchoring is off in it: for what goes at the top of a box in a box,
// it moves both.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Pixels; zoomed windows report fractions. */
const slack = 2;

interface Place {
	/** The first one in view, and pixels from the top of the box to it. */
	readonly child: Element;
	readonly top: number;
}

/** `content`: whatever is another one when it has grown. */
export function useTail(box: RefObject<HTMLElement | null>, growing: boolean, content: unknown): void {
	const atEnd = useRef(true);
	const place = useRef<Place | undefined>(undefined);
	const { current } = box;
	// Before it is drawn anew: what the person did since is in the page as it stands.
	if (current) {
		atEnd.current = current.scrollHeight - current.clientHeight - current.scrollTop <= slack;
		place.current = atEnd.current ? undefined : placeIn(current);
	}
	useLayoutEffect(() => {
		const { current: drawn } = box;
		if (!drawn) return;
		if (growing && atEnd.current) drawn.scrollTop = drawn.scrollHeight;
		else if (place.current?.child.isConnected) drawn.scrollTop += topIn(drawn, place.current.child) - place.current.top;
	}, [growing, content]);
}

function placeIn(box: HTMLElement): Place | undefined {
	const child = [...box.children].find((one) => topIn(box, one) + one.clientHeight > 0);
	return child && { child, top: topIn(box, child) };
}

function topIn(box: HTMLElement, child: Element): number {
	return child.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
