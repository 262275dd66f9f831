// A part that is folded until the person opens it, or is taken to a place inside of it.
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useRevealed } from '../reading/useRevealed.ts';

interface Props {
	/** Of the row. */
	readonly id: string;
	readonly class: string;
	readonly onOpen?: () => void;
	/** The `summary` first. */
	readonly children: ComponentChildren;
}

export function Fold({ id, class: name, onOpen, children }: Props) {
	const element = useRef<HTMLDetailsElement>(null);
	const goal = useRevealed(id);
	useEffect(() => {
		if (goal?.place !== undefined && element.current) element.current.open = true;
	}, [goal]);
	return (
		<details ref={element} class={name} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
			{children}
		</details>
	);
}
