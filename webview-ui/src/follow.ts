// When the conversation follows its own growth. Pure: the component feeds it scroll positions and what the person did.
// Any upward move of the person lets go at once; only reaching the true bottom again holds on.

export interface Follow {
	readonly pinned: boolean;
	readonly top: number;
	readonly height: number;
}
export interface ScrollPlace {
	/** `scrollTop`, `scrollHeight` and `clientHeight` of the scroller, in pixels. */
	readonly top: number;
	readonly height: number;
	readonly client: number;
	/** A pointer is down on the scroller (a scroll bar is being dragged) or keys just moved it. */
	readonly byHand: boolean;
}

/** Pixels; zoomed windows report fractions. */
const slack = 2;

export const startFollowing: Follow = { pinned: true, top: 0, height: 0 };

/** The person turned the wheel up, pressed a key that goes up, or swiped down. */
export function lookedUp(follow: Follow, place: Pick<ScrollPlace, 'height' | 'client'>): Follow {
	return fits(place) ? follow : { ...follow, pinned: false };
}

/**
 * The scroller moved. A move up counts as the person's when they hold it or when the content kept its height; with a changed
 * height it is the browser keeping its anchor. A move down holds on when it reaches the bottom.
 */
export function scrolled(follow: Follow, place: ScrollPlace): Follow {
	const atBottom = place.height - place.client - place.top <= slack;
	const up = place.top < follow.top - 0.5;
	const down = place.top > follow.top + 0.5;
	const next = { top: place.top, height: place.height };
	if (down && atBottom) return { ...next, pinned: true };
	if (up && !atBottom && (place.byHand || place.height === follow.height)) return { ...next, pinned: false };
	return { ...next, pinned: follow.pinned };
}

/** Whether all of it is in sight: then everybody is at the bottom. */
export function fits({ height, client }: Pick<ScrollPlace, 'height' | 'client'>): boolean {
	return height <= client + slack;
}

/** The panel itself moved to the bottom. */
export function jumped(place: Pick<ScrollPlace, 'top' | 'height'>): Follow {
	return { pinned: true, top: place.top, height: place.height };
}

/** Keys that move a reader up. */
export function isUpwardKey(key: string, shiftKey: boolean): boolean {
	return key === 'ArrowUp' || key === 'PageUp' || key === 'Home' || (key === ' ' && shiftKey);
}
