// Where the person writes. The key of the setting sends, Esc stops; input methods keep their keys. The draft outlives the page.
// While the agent works a message steers, waits, or takes the place of what runs, as the person chose.
import { t } from '@vscode/l10n';
import { useId, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Delivery } from '../../../src/shared/composer.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { usePanel } from '../panelContext.ts';
import { useEveryChange } from '../useEveryChange.ts';
import { isBusy } from '../status.ts';
import { useGrowing } from '../useGrowing.ts';
import { Chips } from './Chips.tsx';
import { composerAction, isImeKey, menuMove, withInserted } from './composerKeys.ts';
import { ComposerTools } from './ComposerTools.tsx';
import { insertAt } from './insertText.ts';
import { OfferList, optionId } from './OfferList.tsx';
import { chosenMention } from './offers.ts';
import { pastesIn, unfolded } from './pastes.ts';
import { Suggestion } from './Suggestion.tsx';
import { emptyDraft, useDraft, type DraftHold } from './useDraft.ts';
import { useEarlierPrompts } from './useEarlierPrompts.ts';
import { useIntake, type Intake } from './useIntake.ts';
import { useOffers, type Offers } from './useOffers.ts';

export function Composer({ state }: { readonly state: ViewState }) {
	const box = useRef<HTMLTextAreaElement>(null);
	const hold = useDraft();
	const { draft } = hold;
	const [cursor, setCursor] = useState<number | undefined>(undefined);
	const intake = useIntake(hold, box);
	const busy = isBusy(state.status);
	const placeholder = busy ? t('Write the next message…') : t('Ask about this project, or say what to change…');
	useGrowing(box, `${draft.text}\n${placeholder}`);
	useFocusRequests(box, hold);
	const offers = useOffers(draft.text, cursor);
	const { send, onKeyDown, choose } = useComposerActions({ state, box, hold, offers, intake });
	const listId = useId();
	const isOpen = offers.list.length > 0;
	return (
		<>
			<div
				class={intake.dragging ? 'composer dragging' : 'composer'}
				onDragOver={intake.onDragOver}
				onDragLeave={intake.onDragLeave}
				onDrop={intake.onDrop}
			>
				{isOpen && (
					<OfferList
						id={listId}
						label={offers.asked?.kind === 'command' ? t('Commands') : t('Mentions')}
						offers={offers.list}
						active={offers.active}
						onChoose={(index) => choose(index, false)}
					/>
				)}
				<Chips
					draft={draft}
					selection={state.selection}
					onRemoveMedia={(id) => hold.change({ media: draft.media.filter(({ media }) => media.id !== id) })}
					onUnfold={(mark) => replaceMark(box, hold, mark, draft.pastes[mark] ?? '')}
					onRemovePaste={(mark) => replaceMark(box, hold, mark, '')}
				/>
				<Problems intake={intake} />
				<textarea
					ref={box}
					rows={1}
					aria-label={t('Message')}
					aria-autocomplete="list"
					aria-controls={isOpen ? listId : undefined}
					aria-activedescendant={isOpen ? optionId(listId, offers.active) : undefined}
					placeholder={placeholder}
					value={draft.text}
					onInput={(event) => {
						intake.forget();
						hold.change({ text: event.currentTarget.value });
						setCursor(cursorOf(event.currentTarget));
					}}
					onKeyDown={onKeyDown}
					onPaste={intake.onPaste}
					onSelect={(event) => setCursor(cursorOf(event.currentTarget))}
					onBlur={() => setCursor(undefined)}
				/>
				<ComposerTools
					state={state}
					empty={draft.text.trim() === '' && draft.media.length === 0}
					onSend={() => send()}
					onAttach={intake.add}
				/>
				<span class="hidden" aria-live="polite">
					{isOpen ? offersCount(offers.list.length) : ''}
				</span>
			</div>
			{!busy && draft.text === '' && (
				<Suggestion
					text={state.suggestion}
					onUse={(text) => {
						hold.change({ text });
						box.current?.focus();
					}}
				/>
			)}
		</>
	);
}

function offersCount(count: number): string {
	return count === 1 ? t('1 suggestion') : t('{0} suggestions', count);
}

function Problems({ intake }: { readonly intake: Intake }) {
	if (intake.problems.length === 0 && !intake.busy) return null;
	return (
		<div class="composer-notes small" role={intake.problems.length > 0 ? 'alert' : undefined}>
			{intake.busy && <p>{t('Making pictures smaller…')}</p>}
			{intake.problems.map((problem) => (
				<p key={problem}>{problem}</p>
			))}
		</div>
	);
}

interface Parts {
	readonly state: ViewState;
	readonly box: RefObject<HTMLTextAreaElement | null>;
	readonly hold: DraftHold;
	readonly offers: Offers;
	readonly intake: Intake;
}

function useComposerActions({ state, box, hold, offers, intake }: Parts) {
	const { store, bridge } = usePanel();
	const busy = isBusy(state.status);
	const earlier = useEarlierPrompts(
		(text) => {
			const { current } = box;
			if (current) insertAt(current, text, 0, current.value.length);
		},
		() => box.current?.value ?? '',
	);
	const send = (delivery: Delivery = bridge.kept().delivery) => {
		const { text: words, pastes, media } = hold.current();
		const text = unfolded(words, pastes).trim();
		if ((text === '' && media.length === 0) || intake.busy) return;
		const attachments = media.map((draft) => draft.media);
		bridge.send({
			type: 'prompt_submitted',
			text,
			...(attachments.length === 0 ? {} : { attachments }),
			...(busy ? { delivery } : {}),
		});
		earlier.sent(text);
		hold.change(emptyDraft);
		store.holdOn();
		box.current?.focus();
	};
	const choose = (index: number, into: boolean) => {
		const { current } = box;
		const { asked } = offers;
		if (!current || !asked) return;
		if (asked.kind === 'command') {
			const name = offers.list[index]?.label ?? '';
			insertAt(current, name === '/compact' && current.value !== name ? `${name} ` : name, 0, current.value.length);
			if (name !== '/compact' || hold.current().text === name) send();
			return;
		}
		const item = offers.items[index];
		if (!item) return;
		const at = { start: asked.start, cursor: current.selectionStart, draft: current.value };
		const { start, end, text } = chosenMention(item, at, into);
		insertAt(current, text, start, end);
	};
	const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
		if (isImeKey(event)) return;
		const taken = offerKey(event, offers, choose) || earlierKey(event, earlier.onKey);
		if (!taken) {
			const action = composerAction(event, busy, state.sendWith);
			if (action === 'none') return;
			if (action === 'stop') bridge.send({ type: 'stop_requested' });
			else send(action === 'send' ? undefined : action);
		}
		event.preventDefault();
		event.stopPropagation();
	};
	return { send, choose, onKeyDown };
}

/** Keys of the open list; true when it took the key. */
function offerKey(event: KeyboardEvent, offers: Offers, choose: (index: number, into: boolean) => void): boolean {
	if (offers.list.length === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
	const next = event.key.startsWith('Arrow') ? menuMove(event.key, offers.active, offers.list.length) : undefined;
	if (next !== undefined) offers.move(next);
	else if (event.key === 'Enter' || event.key === 'Tab') choose(offers.active, event.key === 'Tab');
	else if (event.key === 'Escape') offers.close();
	else return false;
	return true;
}

function earlierKey(
	event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement },
	onKey: (key: string, box: HTMLTextAreaElement) => boolean,
): boolean {
	if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
	return onKey(event.key, event.currentTarget);
}

function cursorOf({ selectionStart, selectionEnd }: HTMLTextAreaElement): number | undefined {
	return selectionStart === selectionEnd ? selectionStart : undefined;
}

function replaceMark(box: RefObject<HTMLTextAreaElement | null>, hold: DraftHold, mark: string, text: string): void {
	const { current } = box;
	const at = hold.current().text.indexOf(mark);
	if (current && at >= 0) insertAt(current, text, at, at + mark.length);
	hold.change({ pastes: pastesIn(hold.current().text, hold.current().pastes) });
}

function useFocusRequests(box: RefObject<HTMLTextAreaElement | null>, hold: DraftHold): void {
	const { store } = usePanel();
	const handled = useRef(0);
	useEveryChange(() => {
		const { count, insert, attachments = [] } = store.focusRequest.value;
		if (count === handled.current) return;
		handled.current = count;
		const { text, media } = hold.current();
		const back = attachments.map((attachment) => ({ media: attachment, bytes: 0, thumb: '' }));
		if (insert !== undefined) hold.change({ text: withInserted(text, insert), media: [...media, ...back] });
		requestAnimationFrame(() => {
			const { current } = box;
			current?.focus();
			current?.setSelectionRange(current.value.length, current.value.length);
		});
	});
}
