// Ctrl+A (Cmd+A) takes the whole conversation, although only what is near is drawn: what is copied then comes from the host. In a
// field the key means the field, and a part that was selected by hand is copied as it stands.
import { t } from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePanel } from '../panelContext.ts';

/** Of what is drawn, all is selected. */
export function isWhole(selection: Selection | null, content: Element): boolean {
	if (selection === null || selection.isCollapsed) return false;
	const [selected, all] = [selection.getRangeAt(0), document.createRange()];
	all.selectNodeContents(content);
	return (
		selected.compareBoundaryPoints(Range.START_TO_START, all) <= 0 &&
		selected.compareBoundaryPoints(Range.END_TO_END, all) >= 0
	);
}

/** `content`: the rows of the conversation. */
export function useWholeSelection(content: RefObject<HTMLElement | null>): void {
	const { bridge, reading } = usePanel();
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
			if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== 'a') return;
			const { current } = content;
			if (!current || (target instanceof Element && target.closest('input, textarea, select'))) return;
			event.preventDefault();
			const range = document.createRange();
			range.selectNode(current);
			const selection = document.getSelection();
			selection?.removeAllRanges();
			selection?.addRange(range);
			reading.said.value = t('The whole conversation is selected.');
		};
		const onCopy = (event: ClipboardEvent) => {
			if (!content.current || !isWhole(document.getSelection(), content.current)) return;
			event.preventDefault();
			bridge.send({ type: 'conversation_copied' });
		};
		window.addEventListener('keydown', onKeyDown);
		document.addEventListener('copy', onCopy);
		return () => {
			window.removeEventListener('keydown', onKeyDown);
			document.removeEventListener('copy', onCopy);
		};
	}, [content, bridge, reading]);
}
