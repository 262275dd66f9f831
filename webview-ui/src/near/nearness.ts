// Which parts of the conversation are near what is seen, and how high the others were. Only those that are near are drawn, what is
// in sight first, as many in a frame as it has time for; the browser's scroll anchoring keeps what is read in its place.
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';

/** Pixels beyond both ends of the view that are drawn ahead. */
const ahead = 1200;
/** Milliseconds of a frame that drawing may take, for what is in sight and for what is not yet; layout comes on top. */
const budget = { seen: 8, ahead: 3 };

export interface NearPart {
	/** Stable; its height is remembered by it. */
	readonly key: string;
	readonly near: Signal<boolean>;
	/** The person has done something in it: what is opened, selected or in focus stays. */
	readonly busy: () => boolean;
}

interface Watched extends NearPart {
	/** Pixels to the view; undefined while there is nothing to draw. */
	distance: number | undefined;
}

export interface Nearness {
	/** A row that is drawn wherever it stands: somebody is on the way to it. */
	readonly wanted: Signal<string | undefined>;
	/** The element that scrolls; returns the way to end it. */
	attach(scroller: Element): () => void;
	/** Returns the way to end it. */
	watch(element: Element, part: NearPart): () => void;
	/** Pixels; undefined for a part that was never drawn. */
	height(key: string): number | undefined;
}

export function createNearness(): Nearness {
	const watched = new Map<Element, Watched>();
	const heights = new Map<string, number>();
	let observer: IntersectionObserver | undefined;
	let frame = 0;

	const nearest = () => {
		let next: Watched | undefined;
		for (const part of watched.values()) {
			if (part.distance !== undefined && part.distance < (next?.distance ?? Infinity)) next = part;
		}
		return next;
	};
	const drawSome = async () => {
		const start = performance.now();
		for (let next = nearest(); next; next = nearest()) {
			next.distance = undefined;
			next.near.value = true;
			// Drawn when this goes on.
			await Promise.resolve();
			if (performance.now() - start > (nearest()?.distance === 0 ? budget.seen : budget.ahead)) break;
		}
		frame = 0;
		plan();
	};
	const plan = () => {
		if (frame === 0 && nearest()) frame = requestAnimationFrame(() => void drawSome());
	};
	const moved = (entries: readonly IntersectionObserverEntry[]) => {
		for (const { target, isIntersecting, boundingClientRect: box, rootBounds } of entries) {
			const part = watched.get(target);
			if (!part) continue;
			if (!isIntersecting) letGo(part, box.height, heights);
			else if (!part.near.peek()) {
				const [top, bottom] = [(rootBounds?.top ?? 0) + ahead, (rootBounds?.bottom ?? 0) - ahead];
				part.distance = Math.max(0, box.top - bottom, top - box.bottom);
			}
		}
		plan();
	};

	return {
		wanted: signal(undefined),
		attach(scroller) {
			observer = new IntersectionObserver(moved, { root: scroller, rootMargin: `${ahead}px 0px` });
			for (const element of watched.keys()) observer.observe(element);
			return () => {
				observer?.disconnect();
				observer = undefined;
				cancelAnimationFrame(frame);
				frame = 0;
			};
		},
		watch(element, part) {
			watched.set(element, { ...part, distance: undefined });
			observer?.observe(element);
			return () => {
				watched.delete(element);
				observer?.unobserve(element);
			};
		},
		height: (key) => heights.get(key),
	};
}

function letGo(part: Watched, height: number, heights: Map<string, number>): void {
	part.distance = undefined;
	if (!part.near.peek() || part.busy()) return;
	heights.set(part.key, height);
	part.near.value = false;
}
