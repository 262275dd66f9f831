// The draft: its words, what was pasted into it, pictures and PDFs. It outlives the page: what changes is kept at once, and a large
// one after a short rest.
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import type { DraftMedia } from './media.ts';
import { pastesIn, type Pastes } from './pastes.ts';

export interface Draft {
	readonly text: string;
	readonly pastes: Pastes;
	readonly media: readonly DraftMedia[];
}
export interface DraftHold {
	readonly draft: Draft;
	/** Also between two renderings the newest. */
	readonly current: () => Draft;
	readonly change: (part: Partial<Draft>) => void;
}

export const emptyDraft: Draft = { text: '', pastes: {}, media: [] };

/** Characters from which on a draft is kept only when the person rests, and milliseconds of that rest. */
const large = 50_000;
const restMs = 300;

export function useDraft(): DraftHold {
	const { bridge } = usePanel();
	const [draft, setDraft] = useState<Draft>(() => {
		const { draft: text, pastes, media } = bridge.kept();
		return { text, pastes, media };
	});
	const newest = useRef(draft);
	const timer = useRef(0);
	const keep = () => {
		clearTimeout(timer.current);
		timer.current = 0;
		const { text, pastes, media } = newest.current;
		bridge.keep({ draft: text, pastes, media });
	};
	useEffect(() => {
		const keepNow = () => timer.current !== 0 && keep();
		window.addEventListener('blur', keepNow);
		window.addEventListener('pagehide', keepNow);
		return () => {
			window.removeEventListener('blur', keepNow);
			window.removeEventListener('pagehide', keepNow);
		};
	}, []);
	return {
		draft,
		current: () => newest.current,
		change(part) {
			const next = { ...newest.current, ...part };
			newest.current = { ...next, pastes: pastesIn(next.text, next.pastes) };
			setDraft(newest.current);
			const size = next.text.length + Object.values(next.pastes).reduce((sum, text) => sum + text.length, 0);
			if (size < large) return keep();
			clearTimeout(timer.current);
			timer.current = window.setTimeout(keep, restMs);
		},
	};
}
