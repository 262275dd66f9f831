// The quiet line above the conversation: outline, focus view, find, export. Ctrl+F (Cmd+F) finds from anywhere in the panel.
import { t } from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { FindBar } from './FindBar.tsx';
import { Outline } from './Outline.tsx';

export function ReadingBar() {
	const { reading, bridge } = usePanel();
	const hidden = reading.focusView.value;
	useFindKey();
	const toggle = () => {
		reading.focusView.value = !hidden;
		bridge.keep({ focusView: !hidden });
	};
	return (
		<div class="reading">
			<div class="reading-bar" role="toolbar" aria-label={t('View of the conversation')}>
				<OutlineButton />
				<span class="spring" />
				<button
					type="button"
					class="quiet icon-button"
					aria-pressed={hidden}
					aria-label={t('Focus view')}
					title={hidden ? t('Show tool activity') : t('Focus view: hide tool activity')}
					onClick={toggle}
				>
					<Icon name={hidden ? 'eye-closed' : 'eye'} />
				</button>
				<button
					type="button"
					class="quiet icon-button"
					aria-label={t('Export conversation')}
					title={t('Export conversation')}
					onClick={() => bridge.send({ type: 'command_requested', command: 'exportConversation' })}
				>
					<Icon name="export" />
				</button>
				<button
					type="button"
					class="quiet icon-button"
					aria-expanded={reading.finding.value}
					aria-label={t('Find')}
					title={t('Find in conversation')}
					onClick={() => (reading.finding.value ? reading.closeFind() : reading.openFind())}
				>
					<Icon name="search" />
				</button>
			</div>
			<FindBar />
		</div>
	);
}

function OutlineButton() {
	const [open, setOpen] = useState(false);
	const id = useId();
	const root = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const close = () => {
		setOpen(false);
		button.current?.focus();
	};
	useEffect(() => {
		if (!open) return;
		const outside = (event: Event) => {
			if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
		};
		document.addEventListener('pointerdown', outside);
		return () => document.removeEventListener('pointerdown', outside);
	}, [open]);
	return (
		<div class="outline-root" ref={root}>
			<button
				ref={button}
				type="button"
				class="quiet"
				aria-expanded={open}
				aria-controls={open ? id : undefined}
				title={t('Your messages, to jump to')}
				onClick={() => setOpen(!open)}
			>
				<Icon name="list-unordered" />
				{t('Outline')}
			</button>
			{open && <Outline id={id} onClose={close} />}
		</div>
	);
}

function useFindKey(): void {
	const { reading } = usePanel();
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
			const find = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f';
			const next = key === 'F3' && reading.found.peek() !== undefined;
			if (!find && !next) return;
			event.preventDefault();
			if (find) reading.openFind();
			else reading.goToHit(reading.hit.peek() + (shiftKey ? -1 : 1));
		};
		window.addEventListener('keydown', onKeyDown);
		return () => window.removeEventListener('keydown', onKeyDown);
	}, [reading]);
}
