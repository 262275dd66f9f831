// A part of the conversation that is drawn only while it is near what is seen; else an empty block as high as it was.
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { usePanel } from '../panelContext.ts';
import { isWhole } from '../reading/wholeSelection.ts';
import type { Row } from '../../../src/shared/view.ts';

interface Props {
	/** Stable, and only its own. */
	readonly id: string;
	/** Ids of its rows, or of the one that it is a part of. */
	readonly rows: readonly string[];
	/** It is drawn wherever it stands, such as the end of the conversation. */
	readonly always: boolean;
	/** Pixels that a row of it is likely to need; asked for only while it was never drawn. */
	readonly supposed: (row: Row | undefined) => number;
	readonly draw: () => ComponentChildren;
}

/** What a person does with a row: what they opened stays open. */
const deeds = ['click', 'toggle'] as const;

export function Stretch({ id, rows, always, supposed, draw }: Props) {
	const { nearness, store } = usePanel();
	const element = useRef<HTMLDivElement>(null);
	const touched = useRef(false);
	const near = useSignal(always);
	const ids = useRef(rows);
	ids.current = rows;
	const wanted = useComputed(() => ids.current.includes(nearness.wanted.value ?? '')).value;
	useLayoutEffect(() => {
		const { current } = element;
		if (!current) return;
		const touch = () => {
			touched.current = true;
		};
		const ended = nearness.watch(current, { key: id, near, busy: () => touched.current || isUsed(current) });
		for (const type of deeds) current.addEventListener(type, touch, { capture: true });
		return () => {
			ended();
			for (const type of deeds) current.removeEventListener(type, touch, { capture: true });
		};
	}, [id]);
	if (always || wanted || near.value) {
		return (
			<div ref={element} class="stretch">
				{draw()}
			</div>
		);
	}
	const height = nearness.height(id) ?? rows.reduce((sum, row) => sum + supposed(store.row(row)?.peek()), 0);
	return <div ref={element} class="stretch" style={{ height: `${height}px` }} />;
}

/** It holds the focus or a part of the selection; where all is selected, no part counts. */
function isUsed(element: Element): boolean {
	if (element.contains(document.activeElement)) return true;
	const selection = document.getSelection();
	if (selection === null || selection.isCollapsed || !selection.containsNode(element, true)) return false;
	const content = element.closest('.log-content');
	return !content || !isWhole(selection, content);
}
