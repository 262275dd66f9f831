// The list over the composer: what `@` or `/` offers. The focus stays in the text box, which says what is active (combobox pattern).
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../Icon.tsx';

export interface Offer {
	readonly key: string;
	readonly icon: string;
	readonly label: string;
	/** Indices of the label's UTF-16 units that match. */
	readonly hits: readonly number[];
	readonly detail: string;
}
interface Props {
	readonly id: string;
	readonly label: string;
	readonly offers: readonly Offer[];
	readonly active: number;
	readonly onChoose: (index: number) => void;
}

export function optionId(list: string, index: number): string {
	return `${list}-${index}`;
}

export function OfferList({ id, label, offers, active, onChoose }: Props) {
	const list = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
	}, [active, offers]);
	return (
		<div class="menu offers" role="listbox" id={id} aria-label={label} ref={list}>
			{offers.map(({ key, icon, label: name, hits, detail }, index) => (
				<div
					key={key}
					id={optionId(id, index)}
					role="option"
					class="menu-item offer"
					aria-selected={index === active}
					title={detail === '' ? name : `${name} – ${detail}`}
					onPointerDown={(event) => {
						// The focus stays where it is.
						event.preventDefault();
						onChoose(index);
					}}
				>
					<Icon name={icon} />
					<span class="offer-name">{marked(name, hits)}</span>
					{detail !== '' && (
						<>
							<span class="hidden">, </span>
							<span class="small offer-detail">{detail}</span>
						</>
					)}
				</div>
			))}
		</div>
	);
}

/** Runs of hits in bold. */
function marked(text: string, hits: readonly number[]) {
	if (hits.length === 0) return text;
	const hit = new Set(hits);
	const parts: { readonly text: string; readonly bold: boolean; readonly at: number }[] = [];
	let start = 0;
	for (let at = 1; at <= text.length; at++) {
		if (at < text.length && hit.has(at) === hit.has(start)) continue;
		parts.push({ text: text.slice(start, at), bold: hit.has(start), at: start });
		start = at;
	}
	return parts.map((part) => (part.bold ? <b key={part.at}>{part.text}</b> : <span key={part.at}>{part.text}</span>));
}
