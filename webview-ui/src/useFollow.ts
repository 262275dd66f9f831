// Binds the follow rules to the page: scroll events, the person's wheel and keys, growth of the content, earlier rows.
import { effect, useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import { fits, isUpwardKey, jumped, lookedUp, scrolled, startFollowing } from './follow.ts';
import type { Follow } from './follow.ts';
import { usePanel } from './panelContext.ts';
import type { Panel } from './panelContext.ts';

/** Pixels from the top at which earlier rows are asked for. */
const nearTop = 120;

class Follower {
	readonly scroller: RefObject<HTMLDivElement | null> = { current: null };
	readonly content: RefObject<HTMLDivElement | null> = { current: null };
	readonly #panel: Panel;
	readonly #pinned: Signal<boolean>;
	#follow: Follow = startFollowing;
	#held = false;
	/** The oldest row when earlier ones were asked for. */
	#loading: string | undefined;
	/** Pixels from the reader's place to the end, just before the current drawing. */
	#below = 0;

	constructor(panel: Panel, pinned: Signal<boolean>) {
		this.#panel = panel;
		this.#pinned = pinned;
	}

	readonly handlers = {
		onScroll: () => this.#onScroll(),
		onWheel: (event: WheelEvent) => {
			if (event.deltaY < 0) this.#up();
		},
		onKeyDown: (event: KeyboardEvent) => {
			if (isUpwardKey(event.key, event.shiftKey)) this.#up();
		},
		onPointerDown: () => {
			this.#held = true;
		},
		onPointerUp: () => {
			this.#held = false;
		},
		onPointerCancel: () => {
			this.#held = false;
		},
	};

	/** Follows growth from now on; returns the way to end it. */
	start(): () => void {
		const { current: scroller } = this.scroller;
		const { current: content } = this.content;
		if (!scroller || !content) return () => {};
		this.#restore(scroller);
		const detach = this.#panel.nearness.attach(scroller);
		const observer = new ResizeObserver(() => this.#resized());
		observer.observe(scroller);
		observer.observe(content);
		const unhold = effect(() => {
			if (this.#panel.store.held.value > 0) this.#toEnd();
		});
		const release = () => {
			this.#held = false;
		};
		window.addEventListener('pointerup', release);
		return () => {
			observer.disconnect();
			detach();
			unhold();
			window.removeEventListener('pointerup', release);
		};
	}

	readonly jump = () => {
		this.#panel.store.forget();
		this.#toEnd();
		this.scroller.current?.focus({ preventScroll: true });
	};

	/** The reader goes elsewhere: growth no longer moves them. */
	readonly leave = () => {
		this.#loading = undefined;
		this.#set({ ...this.#follow, pinned: false });
	};

	readonly loadEarlier = () => {
		const first = this.#panel.store.firstRow();
		if (first === undefined) return;
		this.#loading = first;
		this.#panel.bridge.send({ type: 'rows_requested', before: first });
	};

	/** Before a drawing, while the page is still as the reader sees it. */
	drawing(): void {
		const { current: scroller } = this.scroller;
		if (scroller && this.#loading !== undefined) this.#below = scroller.scrollHeight - scroller.scrollTop;
	}

	/** After a drawing: earlier rows came in, so keep the reader's place. */
	drawn(): void {
		const { current: scroller } = this.scroller;
		if (!scroller || this.#loading === undefined || this.#loading === this.#panel.store.firstRow()) return;
		scroller.scrollTop = scroller.scrollHeight - this.#below;
		this.#loading = undefined;
		this.#set({ ...this.#follow, top: scroller.scrollTop, height: scroller.scrollHeight });
	}

	#toEnd(): void {
		const { current: scroller } = this.scroller;
		if (!scroller) return;
		scroller.scrollTop = scroller.scrollHeight;
		this.#set(jumped({ top: scroller.scrollTop, height: scroller.scrollHeight }));
		this.#remember(scroller);
	}

	#up(): void {
		const { current: scroller } = this.scroller;
		if (scroller) this.#set(lookedUp(this.#follow, { height: scroller.scrollHeight, client: scroller.clientHeight }));
	}

	#onScroll(): void {
		const { current: scroller } = this.scroller;
		if (!scroller) return;
		this.#set(
			scrolled(this.#follow, {
				top: scroller.scrollTop,
				height: scroller.scrollHeight,
				client: scroller.clientHeight,
				byHand: this.#held,
			}),
		);
		if (scroller.scrollTop < nearTop) this.#atTop();
		this.#remember(scroller);
	}

	/** Asks for earlier rows by itself, once per oldest row. */
	#atTop(): void {
		const { store } = this.#panel;
		if (!this.#follow.pinned && store.earlier.peek() > 0 && this.#loading !== store.firstRow()) this.loadEarlier();
	}

	#resized(): void {
		const { current: scroller } = this.scroller;
		if (!scroller) return;
		const all = fits({ height: scroller.scrollHeight, client: scroller.clientHeight });
		if (!this.#follow.pinned && !all) return;
		scroller.scrollTop = scroller.scrollHeight;
		this.#set(jumped({ top: scroller.scrollTop, height: scroller.scrollHeight }));
	}

	#set(follow: Follow): void {
		this.#follow = follow;
		this.#pinned.value = follow.pinned;
	}

	#remember(scroller: HTMLElement): void {
		if (this.#follow.pinned) {
			if (this.#panel.bridge.kept().place.kind !== 'bottom') this.#panel.bridge.keep({ place: { kind: 'bottom' } });
			return;
		}
		const edge = scroller.getBoundingClientRect().top;
		for (const row of sectionAt(scroller, edge)?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
			const box = row.getBoundingClientRect();
			// A prompt that sticks to the top says nothing about the place.
			const sticks = row.classList.contains('prompt') && (row.parentElement?.getBoundingClientRect().top ?? 0) < edge;
			if (box.bottom <= edge || sticks) continue;
			this.#panel.bridge.keep({ place: { kind: 'row', rowId: row.dataset['row'] ?? '', offset: edge - box.top } });
			return;
		}
	}

	#restore(scroller: HTMLElement): void {
		const { place } = this.#panel.bridge.kept();
		const row =
			place.kind === 'row' ? scroller.querySelector<HTMLElement>(`[data-row="${CSS.escape(place.rowId)}"]`) : undefined;
		if (place.kind === 'row' && row) {
			scroller.scrollTop += row.getBoundingClientRect().top - scroller.getBoundingClientRect().top + place.offset;
			this.#set({ pinned: false, top: scroller.scrollTop, height: scroller.scrollHeight });
		} else this.#resized();
	}
}

/** The exchange at a height of the window, by halving: a long conversation has thousands. */
function sectionAt(scroller: HTMLElement, edge: number): Element | undefined {
	const sections = scroller.getElementsByClassName('exchange');
	let [low, high] = [0, sections.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sections[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle;
		else low = middle + 1;
	}
	return sections[low];
}

export function useFollow() {
	const panel = usePanel();
	const pinned = useSignal(true);
	const kept = useRef<Follower | undefined>(undefined);
	kept.current ??= new Follower(panel, pinned);
	const follower = kept.current;
	follower.drawing();
	useLayoutEffect(() => follower.start(), [follower]);
	useLayoutEffect(() => follower.drawn());
	return useMemo(
		() => ({
			pinned,
			scroller: follower.scroller,
			content: follower.content,
			jump: follower.jump,
			leave: follower.leave,
			loadEarlier: follower.loadEarlier,
			handlers: follower.handlers,
		}),
		[follower, pinned],
	);
}
