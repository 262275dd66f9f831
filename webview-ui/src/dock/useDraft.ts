// The draft: its words, what was pasted into it, pictures and PDFs. It outlives the page: what changes is kept at once, and a large
// one after a short rest. It belongs to its conversation: the host keeps it, too, for wherever that is shown next.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePanel } from '../panelContext.ts';
import { useEveryChange } from '../useEveryChange.ts';
import { withInserted } from './composerKeys.ts';
import { draftMove, type DraftOwner } from './draftOwner.ts';
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
/** Milliseconds of rest after which the host is told. */
const hostRestMs = 500;

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
	const tellHost = useOwner(newest, (next) => {
		newest.current = next;
		setDraft(next);
		keep();
	});
	useEffect(() => {
		const keepNow = () => {
			if (timer.current !== 0) keep();
			tellHost(0);
		};
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
			tellHost(hostRestMs);
			const size = next.text.length + Object.values(next.pastes).reduce((sum, text) => sum + text.length, 0);
			if (size < large) return keep();
			clearTimeout(timer.current);
			timer.current = window.setTimeout(keep, restMs);
		},
	};
}

/** Follows which conversation is shown; gives back how to tell the host of the draft, after so many milliseconds of rest. */
function useOwner(newest: RefObject<Draft>, show: (draft: Draft) => void): (ms: number) => void {
	const { store, bridge } = usePanel();
	const timer = useRef(0);
	const told = useRef('');
	const keepAs = (conversation: string, draft: Draft) => {
		bridge.send({ type: 'draft_kept', conversation, draft });
	};
	const tell = (ms: number) => {
		clearTimeout(timer.current);
		const send = () => {
			const { draftOwner } = bridge.kept();
			const draft = newest.current ?? emptyDraft;
			const text = JSON.stringify([draftOwner?.key, draft]);
			if (!draftOwner || told.current === text) return;
			told.current = text;
			keepAs(draftOwner.key, draft);
		};
		if (ms === 0) send();
		else timer.current = window.setTimeout(send, ms);
	};
	// Within the change: what is put into the composer next is meant for the conversation that has just come.
	useEveryChange(() => {
		const sessionId = store.state.value?.sessionId ?? '';
		const wasSaid = store.exchanges.value.length > 0 || store.earlier.value > 0;
		if (sessionId === '') return;
		const next: DraftOwner = { sessionId, key: wasSaid ? sessionId : '' };
		const before = bridge.kept().draftOwner;
		const move = draftMove(before, next);
		if (before?.key === next.key && before.sessionId === sessionId) return;
		if (before && move !== 'keep') keepAs(before.key, move === 'swap' ? (newest.current ?? emptyDraft) : emptyDraft);
		bridge.keep({ draftOwner: next });
		if (move === 'take_along') tell(0);
		if (move !== 'swap') return;
		if (before) show(emptyDraft);
		// Another place may show a new conversation, too: what is written there stays there.
		if (before || next.key !== '') bridge.send({ type: 'draft_requested', conversation: next.key });
	});
	useEffect(
		() =>
			bridge.listen((message) => {
				if (message.type !== 'draft' || message.conversation !== bridge.kept().draftOwner?.key) return;
				const { text, pastes, media } = message.draft;
				const since = newest.current ?? emptyDraft;
				if ((text === '' && media.length === 0) || text === since.text) return;
				// Written, or put there, while it was on its way.
				const words = since.text === '' ? text : withInserted(text, since.text);
				show({ text: words, pastes: { ...pastes, ...since.pastes }, media: [...media, ...since.media] });
			}),
		[],
	);
	return tell;
}
