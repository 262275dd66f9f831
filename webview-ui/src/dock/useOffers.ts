// What is offered for what is being typed: commands at once, mentions as the host finds them. Contract: an answer to an older
// question is never shown; a closed list stays closed until something else is typed.
import { useEffect, useState } from 'preact/hooks';
import type { MentionItem } from '../../../src/shared/composer.ts';
import { usePanel } from '../panelContext.ts';
import type { Offer } from './OfferList.tsx';
import { commandOffer, mentionOffer } from './offerWords.ts';
import { askedAt, offeredCommands, type Asked } from './offers.ts';

export interface Offers {
	readonly asked: Asked | undefined;
	readonly list: readonly Offer[];
	/** Of mentions, in the same order. */
	readonly items: readonly MentionItem[];
	readonly active: number;
	readonly move: (to: number) => void;
	readonly close: () => void;
}

interface Found {
	readonly query: string;
	readonly items: readonly MentionItem[];
}

/** `cursor`: undefined while the text box has no focus or some text is selected. */
export function useOffers(draft: string, cursor: number | undefined): Offers {
	const { bridge } = usePanel();
	const [found, setFound] = useState<Found>({ query: '', items: [] });
	const [active, setActive] = useState(0);
	const [closed, setClosed] = useState<string | undefined>(undefined);
	const asked = cursor === undefined ? undefined : askedAt(draft, cursor);
	const key = asked ? `${asked.kind} ${asked.kind === 'mention' ? asked.start : 0} ${asked.query}` : undefined;
	const query = asked?.kind === 'mention' ? asked.query : undefined;
	useEffect(() => bridge.listen((message) => message.type === 'mentions_found' && setFound(message)), []);
	useEffect(() => {
		if (query !== undefined) bridge.send({ type: 'mentions_requested', query });
	}, [query]);
	useEffect(() => {
		setActive(0);
		if (key !== closed) setClosed(undefined);
	}, [key]);
	const isOpen = asked !== undefined && key !== closed;
	// The answer before stays until the next one is there, so that the list does not flicker.
	const items = isOpen && asked.kind === 'mention' && related(found.query, asked.query) ? found.items : [];
	const list = !isOpen
		? []
		: asked.kind === 'command'
			? offeredCommands(asked.query).map((command) => commandOffer(command, asked.query))
			: items.map(mentionOffer);
	return {
		asked: isOpen ? asked : undefined,
		list,
		items,
		active: Math.min(active, Math.max(0, list.length - 1)),
		move: setActive,
		close: () => setClosed(key),
	};
}

function related(one: string, other: string): boolean {
	return one.startsWith(other) || other.startsWith(one);
}
