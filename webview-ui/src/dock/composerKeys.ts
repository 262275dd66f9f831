// What a key means in the composer and in other text boxes. Pure. Input methods own their keys: an Enter that picks a
// candidate never sends, an Esc that closes the candidate list never stops the agent.
import type { Delivery } from '../../../src/shared/composer.ts';
import type { ViewState } from '../../../src/shared/view.ts';

export interface KeyPress {
	readonly key: string;
	readonly keyCode: number;
	readonly isComposing: boolean;
	readonly shiftKey: boolean;
	readonly altKey: boolean;
	readonly ctrlKey: boolean;
	readonly metaKey: boolean;
}
/** `send`: as chosen; a delivery: exactly so. */
export type ComposerAction = 'send' | Exclude<Delivery, 'steer'> | 'stop' | 'none';

/** Safari ends the composition before it reports the key, but then with key code 229. */
export function isImeKey(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
	return press.isComposing || press.keyCode === 229;
}

/** Ctrl+Enter, Cmd+Enter on a Mac. Holding it counts once. */
export function isAllowKey(
	press: Pick<KeyPress, 'key'> & { readonly ctrlKey: boolean; readonly metaKey: boolean; readonly repeat: boolean },
): boolean {
	return press.key === 'Enter' && (press.ctrlKey || press.metaKey) && !press.repeat;
}

export function allowKey(): string {
	return navigator.platform.startsWith('Mac') ? '⌘Enter' : 'Ctrl+Enter';
}

export function sendKey(sendWith: ViewState['sendWith']): string {
	return sendWith === 'enter' ? 'Enter' : allowKey();
}

/** The keys that choose a way for this message alone, while the agent works. */
export function deliveryKey(delivery: Delivery): string | undefined {
	const isMac = navigator.platform.startsWith('Mac');
	if (delivery === 'queue') return isMac ? '⌥Enter' : 'Alt+Enter';
	return delivery === 'now' ? (isMac ? '⇧⌘Enter' : 'Ctrl+Shift+Enter') : undefined;
}

export function composerAction(press: KeyPress, busy: boolean, sendWith: ViewState['sendWith']): ComposerAction {
	if (isImeKey(press)) return 'none';
	if (press.key === 'Escape') return busy ? 'stop' : 'none';
	if (press.key !== 'Enter') return 'none';
	const withControl = press.ctrlKey || press.metaKey;
	if (press.altKey) return busy && !press.shiftKey ? 'queue' : 'none';
	if (press.shiftKey) return busy && withControl ? 'now' : 'none';
	return withControl || sendWith === 'enter' ? 'send' : 'none';
}

/** The draft after the host put a text into it: it replaces an empty draft and follows any other on a line of its own. */
export function withInserted(draft: string, insert: string): string {
	if (draft.trim() === '') return insert;
	return draft.endsWith('\n') ? draft + insert : `${draft}\n${insert}`;
}

/** Where an arrow key leads in a menu of `count` items; undefined when the key is none of the menu's. */
export function menuMove(key: string, at: number, count: number): number | undefined {
	switch (key) {
		case 'ArrowDown':
			return (at + 1) % count;
		case 'ArrowUp':
			return (at - 1 + count) % count;
		case 'Home':
			return 0;
		case 'End':
			return count - 1;
		default:
			return undefined;
	}
}
