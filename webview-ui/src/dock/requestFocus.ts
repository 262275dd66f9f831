// Where the keyboard is in the panel, told to the host; and the way to what waits for an answer.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PanelFocus } from '../../../src/shared/protocol.ts';
import { usePanel } from '../panelContext.ts';

/** What waits is a group in the dock, whatever its kind. */
const waiting = '.dock .waiting [role=group], .dock .permission[role=group]';

/** To what waits for an answer; when nothing does, to the composer. Never to a button: nothing is answered by accident. */
export function focusWaiting(): void {
	const group = document.querySelector<HTMLElement>(waiting);
	if (group) group.tabIndex = -1;
	(group ?? document.querySelector<HTMLElement>('.composer textarea'))?.focus();
}

export function useRequestFocus(): void {
	const { bridge, store } = usePanel();
	const handled = useRef(store.requestFocus.peek());
	useSignalEffect(() => {
		const count = store.requestFocus.value;
		if (count === handled.current) return;
		handled.current = count;
		requestAnimationFrame(focusWaiting);
	});
	useEffect(() => {
		let told: PanelFocus = 'none';
		const tell = () => {
			const focus = place();
			if (focus === told) return;
			told = focus;
			bridge.send({ type: 'focus_moved', focus });
		};
		// After the change: the element that loses the focus is told before the one that gets it.
		const later = () => requestAnimationFrame(tell);
		const kinds = ['focusin', 'focusout', 'focus', 'blur'] as const;
		for (const kind of kinds) window.addEventListener(kind, later);
		return () => {
			for (const kind of kinds) window.removeEventListener(kind, later);
		};
	}, []);
}

function place(): PanelFocus {
	if (!document.hasFocus()) return 'none';
	return document.activeElement?.closest(waiting) ? 'request' : 'elsewhere';
}
