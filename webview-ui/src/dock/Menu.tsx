// A button that opens a menu of choices, one of them current. Arrow keys, Home, End, Enter; Esc and a click elsewhere close.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { Icon } from '../Icon.tsx';
import { isImeKey, menuMove } from './composerKeys.ts';

export interface Choice {
	readonly id: string;
	readonly name: string;
	readonly description?: string;
}
interface Props {
	/** The button's accessible name; the current choice is its visible text. */
	readonly label: string;
	readonly current: Choice;
	readonly choices: readonly Choice[];
	readonly onChoose: (id: string) => void;
}

export function Menu({ label, current, choices, onChoose }: Props) {
	const [open, setOpen] = useState(false);
	const root = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const menuId = useId();
	const valueId = useId();
	useCloseOutside(root, open, () => setOpen(false));
	const close = () => {
		setOpen(false);
		button.current?.focus();
	};
	return (
		<div class="menu-root" ref={root}>
			{/* The button lies over its value: its name stays the label alone, the value is its description. */}
			<div class="menu-anchor">
				<span class="menu-value" id={valueId}>
					{current.name}
				</span>
				<Icon name="chevron-down" />
				<button
					ref={button}
					type="button"
					class="quiet menu-button"
					aria-label={label}
					aria-describedby={valueId}
					aria-haspopup="menu"
					aria-expanded={open}
					aria-controls={open ? menuId : undefined}
					title={`${label}: ${current.name}`}
					onClick={() => setOpen(!open)}
					onKeyDown={(event) => {
						if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
						event.preventDefault();
						setOpen(true);
					}}
				/>
			</div>
			{open && (
				<Items
					id={menuId}
					label={label}
					current={current.id}
					choices={choices}
					onClose={close}
					onChoose={(id) => {
						close();
						if (id !== current.id) onChoose(id);
					}}
				/>
			)}
		</div>
	);
}

interface ItemsProps {
	readonly id: string;
	readonly label: string;
	readonly current: string;
	readonly choices: readonly Choice[];
	readonly onClose: () => void;
	readonly onChoose: (id: string) => void;
}

function Items({ id, label, current, choices, onClose, onChoose }: ItemsProps) {
	const list = useRef<HTMLDivElement>(null);
	const focus = (index: number) => list.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]')[index]?.focus();
	// Before the next key, however fast somebody is.
	useLayoutEffect(
		() =>
			focus(
				Math.max(
					0,
					choices.findIndex((choice) => choice.id === current),
				),
			),
		[],
	);
	const onKeyDown = (event: KeyboardEvent, index: number) => {
		if (isImeKey(event)) return;
		const next = menuMove(event.key, index, choices.length);
		if (next !== undefined) focus(next);
		else if (event.key === 'Escape' || event.key === 'Tab') onClose();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="menu" role="menu" id={id} aria-label={label} ref={list}>
			{choices.map((choice, index) => (
				<button
					key={choice.id}
					type="button"
					role="menuitemradio"
					tabIndex={-1}
					class="menu-item"
					aria-checked={choice.id === current}
					aria-label={choice.name}
					aria-describedby={choice.description ? `${id}-${index}` : undefined}
					onKeyDown={(event) => onKeyDown(event, index)}
					onClick={() => onChoose(choice.id)}
				>
					<Icon name={choice.id === current ? 'check' : 'blank'} />
					<span class="menu-words">
						<span>{choice.name}</span>
						{choice.description && (
							<span class="small" id={`${id}-${index}`}>
								{choice.description}
							</span>
						)}
					</span>
				</button>
			))}
		</div>
	);
}

function useCloseOutside(root: RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
	useEffect(() => {
		if (!open) return;
		const onPointer = (event: Event) => {
			if (event.target instanceof Node && !root.current?.contains(event.target)) close();
		};
		document.addEventListener('pointerdown', onPointer);
		window.addEventListener('blur', close);
		return () => {
			document.removeEventListener('pointerdown', onPointer);
			window.removeEventListener('blur', close);
		};
	}, [open]);
}
