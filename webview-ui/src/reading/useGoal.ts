// Takes the reader to the row they asked for: asks the host for it when it is not here, unfolds it, brings it into view and marks
// the place.
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePanel } from '../panelContext.ts';
import type { Panel } from '../panelContext.ts';
import { mark, placesOf, unmark } from './marks.ts';
import type { Goal } from './reading.ts';

/** `leave`: the conversation no longer follows its end. */
export function useGoal(scroller: RefObject<HTMLElement | null>, leave: () => void): void {
	const panel = usePanel();
	useEffect(() => {
		let asked: Goal | undefined;
		let reached: Goal | undefined;
		const ended = effect(() => {
			const goal = panel.reading.goal.value;
			// Rows that come in may be the ones that are waited for.
			void panel.store.exchanges.value;
			if (goal === undefined) return unmark();
			if (goal === reached) return;
			const before = panel.store.firstRow();
			if (panel.store.row(goal.rowId)) {
				reached = goal;
				leave();
				panel.nearness.wanted.value = goal.rowId;
				void afterDrawing().then(() => show(goal, panel, scroller.current));
			} else if (asked !== goal && before !== undefined) {
				asked = goal;
				leave();
				panel.bridge.send({ type: 'rows_requested', before, through: goal.rowId });
			}
		});
		return () => {
			ended();
			unmark();
		};
	}, [panel]);
}

/** What unfolds is drawn in the next frame. */
function afterDrawing(): Promise<void> {
	return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

async function show(goal: Goal, { reading, idle }: Panel, scroller: HTMLElement | null): Promise<void> {
	const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(goal.rowId)}"]`);
	if (!scroller || !row) return;
	const query = reading.query.peek();
	// Rows that were never drawn have a supposed height: the second time all around is drawn.
	for (let times = 0; times < 2; times += 1) {
		// Colours that come later would take the marks away with the letters under them.
		idle.finish();
		const places = query === '' ? [] : placesOf(row, query);
		const place = goal.place === undefined ? undefined : (places[goal.place] ?? places.at(-1));
		if (times > 0) mark(places, place);
		if (place) bring(scroller, place);
		else toTop(scroller, row);
		await afterDrawing();
		if (reading.goal.peek() !== goal) return;
	}
}

/** Into the middle, also of what scrolls inside of the conversation. */
function bring(scroller: HTMLElement, place: Range): void {
	place.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	const { top, height } = place.getBoundingClientRect();
	const view = scroller.getBoundingClientRect();
	scroller.scrollTop += top - view.top - (view.height - height) / 2;
}

/** A prompt sticks to the top, so its place is that of its section. */
function toTop(scroller: HTMLElement, row: HTMLElement): void {
	const element = row.classList.contains('prompt') ? (row.closest<HTMLElement>('.exchange') ?? row) : row;
	scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 4;
}
