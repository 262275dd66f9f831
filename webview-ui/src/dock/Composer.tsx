// Where the person writes. Enter sends, Shift+Enter breaks the line, Esc stops; input methods keep their keys. The draft
// outlives the page. While the agent works, Send queues the message.
import { t } from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PermissionMode } from '../../../src/shared/permission.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { isBusy } from '../status.ts';
import { useGrowing } from '../useGrowing.ts';
import { composerAction, withInserted } from './composerKeys.ts';
import { Menu } from './Menu.tsx';
import { modeChoice } from './modes.ts';
import { Suggestion } from './Suggestion.tsx';

export function Composer({ state }: { readonly state: ViewState }) {
	const { store, bridge } = usePanel();
	const box = useRef<HTMLTextAreaElement>(null);
	const [draft, setDraft] = useState(() => bridge.kept().draft);
	const busy = isBusy(state.status);
	const placeholder = busy ? t('Write the next message…') : t('Ask about this project, or say what to change…');
	useGrowing(box, `${draft}\n${placeholder}`);
	const change = (text: string) => {
		setDraft(text);
		bridge.keep({ draft: text });
	};
	useFocusRequests(box, change);
	const send = () => {
		const text = draft.trim();
		if (text === '') return;
		bridge.send({ type: 'prompt_submitted', text });
		change('');
		store.holdOn();
		box.current?.focus();
	};
	const stop = () => bridge.send({ type: 'stop_requested' });
	const onKeyDown = (event: KeyboardEvent) => {
		const action = composerAction(event, busy);
		if (action === 'none') return;
		event.preventDefault();
		if (action === 'send') send();
		else stop();
	};
	return (
		<>
			<div class="composer">
				<textarea
					ref={box}
					rows={1}
					aria-label={t('Message')}
					placeholder={placeholder}
					value={draft}
					onInput={(event) => change(event.currentTarget.value)}
					onKeyDown={onKeyDown}
				/>
				<div class="composer-tools">
					<Menus state={state} />
					<span class="spring" />
					{busy && (
						<button
							type="button"
							class="secondary icon-button"
							aria-label={t('Stop')}
							title={t('Stop (Esc)')}
							onClick={stop}
						>
							<Icon name="debug-stop" />
						</button>
					)}
					{(!busy || draft.trim() !== '') && (
						<button
							type="button"
							class="primary icon-button"
							aria-label={t('Send')}
							title={busy ? t('Send: it is read at the next step (Enter)') : t('Send (Enter)')}
							disabled={draft.trim() === ''}
							onClick={send}
						>
							<Icon name="arrow-up" />
						</button>
					)}
				</div>
			</div>
			{!busy && draft === '' && (
				<Suggestion
					text={state.suggestion}
					onUse={(text) => {
						change(text);
						box.current?.focus();
					}}
				/>
			)}
		</>
	);
}

function Menus({ state }: { readonly state: ViewState }) {
	const { bridge } = usePanel();
	const models = state.models.some((model) => model.id === state.model.id)
		? state.models
		: [state.model, ...state.models];
	return (
		<>
			<Menu
				label={t('Mode')}
				current={modeChoice(state.mode)}
				choices={state.modes.map(modeChoice)}
				onChoose={(id) => bridge.send({ type: 'mode_selected', mode: id as PermissionMode })}
			/>
			<Menu
				label={t('Model')}
				current={state.model}
				choices={models}
				onChoose={(id) => bridge.send({ type: 'model_selected', model: id })}
			/>
		</>
	);
}

function useFocusRequests(box: RefObject<HTMLTextAreaElement | null>, change: (text: string) => void): void {
	const { store, bridge } = usePanel();
	const handled = useRef(0);
	useSignalEffect(() => {
		const { count, insert } = store.focusRequest.value;
		if (count === handled.current) return;
		handled.current = count;
		if (insert !== undefined) change(withInserted(bridge.kept().draft, insert));
		requestAnimationFrame(() => {
			const { current } = box;
			current?.focus();
			current?.setSelectionRange(current.value.length, current.value.length);
		});
	});
}
