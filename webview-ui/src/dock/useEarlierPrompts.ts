// The arrow keys bring earlier prompts of the workspace back into the composer. They are asked for when the first is wanted.
import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import { browsed, mayBrowse, shownPrompt, type Browsing } from './earlierPrompts.ts';

export interface EarlierPrompts {
	/** True when the key is taken. */
	readonly onKey: (key: string, box: HTMLTextAreaElement) => boolean;
	readonly sent: (text: string) => void;
}

/** `show`: puts a text into the composer, with the cursor at its end; `current`: what is there. */
export function useEarlierPrompts(show: (text: string) => void, current: () => string): EarlierPrompts {
	const { bridge } = usePanel();
	const prompts = useRef<readonly string[] | undefined>(undefined);
	const browsing = useRef<Browsing | undefined>(undefined);
	/** The text that waits for the answer of the host. */
	const waiting = useRef<string | undefined>(undefined);
	const step = (shown: string, way: 'older' | 'newer') => {
		const from = browsing.current ?? { prompts: prompts.current ?? [], at: -1, draft: shown };
		const next = browsed(from, shown, way);
		if (!next) return;
		browsing.current = next;
		show(shownPrompt(next));
	};
	useEffect(
		() =>
			bridge.listen((message) => {
				if (message.type !== 'history') return;
				prompts.current = message.prompts;
				const shown = waiting.current;
				waiting.current = undefined;
				// Who has written on meanwhile does not want it any more.
				if (shown !== undefined && shown === current()) step(shown, 'older');
			}),
		[],
	);
	return {
		onKey(key, box) {
			if ((key !== 'ArrowUp' && key !== 'ArrowDown') || !mayBrowse(key, box, browsing.current)) return false;
			if (prompts.current) step(box.value, key === 'ArrowUp' ? 'older' : 'newer');
			else {
				waiting.current = box.value;
				bridge.send({ type: 'history_requested' });
			}
			return true;
		},
		sent(text) {
			browsing.current = undefined;
			if (prompts.current) prompts.current = [text, ...prompts.current.filter((other) => other !== text)];
		},
	};
}
