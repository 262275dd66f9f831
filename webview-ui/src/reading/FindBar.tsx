// Find in the conversation: the host searches all of it, folded and not loaded parts too; Enter and Shift+Enter go on.
import { t } from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isImeKey } from '../dock/composerKeys.ts';
import { number } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useEveryChange } from '../useEveryChange.ts';

/** Milliseconds after the last key. */
const patience = 150;

export function FindBar() {
	const { reading } = usePanel();
	return reading.finding.value ? <Bar /> : null;
}

function Bar() {
	const { reading, bridge, store } = usePanel();
	const box = useRef<HTMLInputElement>(null);
	const timer = useRef(0);
	const { value: query } = reading.query;
	const { value: found } = reading.found;
	/** Where the keys were before. */
	const before = useRef<Element | null>(null);
	// Before the next key, however fast somebody is.
	useLayoutEffect(() => {
		const { activeElement } = document;
		if (!box.current?.parentElement?.contains(activeElement)) before.current = activeElement;
		box.current?.focus();
		box.current?.select();
	}, [reading.findFocus.value]);
	const close = () => {
		reading.closeFind();
		const { current } = before;
		if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true });
	};
	useEffect(() => () => clearTimeout(timer.current), []);
	const ask = () => {
		clearTimeout(timer.current);
		bridge.send({ type: 'find_requested', query: reading.query.peek() });
	};
	// In another conversation it is looked for anew: neither count nor places are those of the one before.
	const session = useRef(store.state.peek()?.sessionId);
	useEveryChange(() => {
		const sessionId = store.state.value?.sessionId;
		if (sessionId === session.current) return;
		session.current = sessionId;
		reading.forgetFound();
		if (reading.query.peek() !== '') ask();
	});
	const step = (by: 1 | -1) => {
		if (found?.query === query) reading.goToHit(reading.hit.peek() + by);
		else ask();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (isImeKey(event)) return;
		if (event.key === 'Escape') close();
		else if (event.key === 'Enter' && event.target === box.current) step(event.shiftKey ? -1 : 1);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="find" role="search" aria-label={t('Find in conversation')} onKeyDown={onKeyDown}>
			<input
				ref={box}
				class="input"
				type="text"
				dir="auto"
				aria-label={t('Find in conversation')}
				placeholder={t('Find')}
				value={query}
				onInput={(event) => {
					reading.query.value = event.currentTarget.value;
					clearTimeout(timer.current);
					timer.current = setTimeout(ask, patience);
				}}
			/>
			<span class="find-count" aria-live="polite">
				{found?.query === query && query !== '' && countWords(reading.hit.value, found.total)}
			</span>
			<Button icon="chevron-up" name={t('Previous match')} onClick={() => step(-1)} />
			<Button icon="chevron-down" name={t('Next match')} onClick={() => step(1)} />
			<Button icon="close" name={t('Close')} onClick={close} />
		</div>
	);
}

function countWords(hit: number, total: number): string {
	return total === 0 ? t('No results') : t('{0} of {1}', number(hit + 1), number(total));
}

interface ButtonProps {
	readonly icon: string;
	readonly name: string;
	readonly onClick: () => void;
}

function Button({ icon, name, onClick }: ButtonProps) {
	return (
		<button type="button" class="quiet icon-button" aria-label={name} title={name} onClick={onClick}>
			<Icon name={icon} />
		</button>
	);
}
