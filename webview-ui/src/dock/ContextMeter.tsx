// How full the context is, and on hover, focus or click what fills it. The host counts when it is asked; the panel only shows.
import { t } from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ContextUse } from '../../../src/shared/contextUse.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { percent, tokens } from '../format.ts';
import { usePanel } from '../panelContext.ts';
import { isImeKey } from './composerKeys.ts';
import { ContextDetails } from './ContextDetails.tsx';

/** Share of the window from which on the meter stands out. */
const high = 0.8;
/** Milliseconds for which the pointer rests before the details come, and go. */
const patience = 250;

export function ContextMeter({ state }: { readonly state: ViewState }) {
	const { contextTokens: used, contextWindow: size } = state;
	const share = size > 0 ? Math.min(1, used / size) : 0;
	const words = size > 0 ? t('{0} of {1} tokens ({2})', tokens(used), tokens(size), percent(share)) : t('nothing yet');
	const { open, setOpen, root, button, handlers } = useDisclosure();
	const id = useId();
	return (
		<div class="meter" ref={root} {...handlers}>
			<span class="meter-anchor">
				<span
					class="meter-track"
					role="meter"
					aria-label={t('Context used')}
					aria-valuemin={0}
					aria-valuemax={100}
					aria-valuenow={Math.round(share * 100)}
					aria-valuetext={words}
				>
					<span class={share >= high ? 'meter-fill high' : 'meter-fill'} style={{ width: `${share * 100}%` }} />
				</span>
				<span class="meter-text" aria-hidden="true">
					{percent(share)}
				</span>
				{/* It lies over the meter, which keeps its role. */}
				<button
					ref={button}
					type="button"
					class="quiet meter-button"
					aria-label={t('What fills the context')}
					aria-expanded={open}
					aria-controls={open ? id : undefined}
					onClick={() => setOpen(!open)}
				/>
			</span>
			{open && <Details id={id} state={state} words={words} />}
		</div>
	);
}

function Details({ id, state, words }: { readonly id: string; readonly state: ViewState; readonly words: string }) {
	const { bridge } = usePanel();
	const [use, setUse] = useState<ContextUse | null | undefined>(undefined);
	useEffect(() => bridge.listen((message) => message.type === 'context_shown' && setUse(message.use)), [bridge]);
	// Anew with each answer.
	useEffect(() => bridge.send({ type: 'context_requested' }), [bridge, state.contextTokens]);
	return <ContextDetails id={id} state={state} words={words} use={use} />;
}

/** Opened by hover or click; Esc, a click elsewhere and leaving it close. Opened by click it stays while the pointer leaves. */
function useDisclosure() {
	const [shown, setShown] = useState<'no' | 'hover' | 'pinned'>('no');
	const root = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const timer = useRef(0);
	const open = shown !== 'no';
	const later = (from: typeof shown, to: typeof shown) => {
		clearTimeout(timer.current);
		timer.current = setTimeout(() => setShown((now) => (now === from ? to : now)), patience);
	};
	useEffect(() => () => clearTimeout(timer.current), []);
	useEffect(() => {
		if (!open) return;
		const outside = (event: Event) => {
			if (event.target instanceof Node && !root.current?.contains(event.target)) setShown('no');
		};
		document.addEventListener('pointerdown', outside);
		return () => document.removeEventListener('pointerdown', outside);
	}, [open]);
	const handlers = {
		onMouseEnter: () => later('no', 'hover'),
		onMouseLeave: () => later('hover', 'no'),
		onFocusOut: (event: FocusEvent) => {
			const to = event.relatedTarget;
			if (to instanceof Node && !root.current?.contains(to)) setShown('no');
		},
		onKeyDown: (event: KeyboardEvent) => {
			if (event.key !== 'Escape' || !open || isImeKey(event)) return;
			event.preventDefault();
			event.stopPropagation();
			if (root.current?.contains(document.activeElement)) button.current?.focus();
			setShown('no');
		},
	};
	const setOpen = (wanted: boolean) => setShown((now) => (wanted || now === 'hover' ? 'pinned' : 'no'));
	return { open, setOpen, root, button, handlers };
}
