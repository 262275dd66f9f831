// Below the text box: mode and model, how a message reaches an agent that works, and the buttons that attach, stop and send.
import { t } from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import type { Delivery } from '../../../src/shared/composer.ts';
import type { PermissionMode } from '../../../src/shared/permission.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { isBusy } from '../status.ts';
import { sendKey } from './composerKeys.ts';
import { deliveryChoice, deliveryChoices, described } from './deliveries.ts';
import { FolderChip } from './FolderChip.tsx';
import { Menu } from './Menu.tsx';
import { modeChoice } from './modes.ts';

interface Props {
	readonly state: ViewState;
	/** There is nothing to send. */
	readonly empty: boolean;
	readonly onSend: () => void;
	readonly onAttach: (files: readonly File[]) => void;
}

export function ComposerTools({ state, empty, onSend, onAttach }: Props) {
	const { bridge } = usePanel();
	const [delivery, setDelivery] = useState<Delivery>(() => bridge.kept().delivery);
	const busy = isBusy(state.status);
	const key = sendKey(state.sendWith);
	return (
		<div class="composer-tools">
			<Attach onAttach={onAttach} />
			<Menus state={state} />
			<div class="composer-go">
				{busy && !empty && (
					<Menu
						label={t('While it works')}
						current={deliveryChoice(delivery)}
						choices={deliveryChoices()}
						onChoose={(id) => {
							setDelivery(id as Delivery);
							bridge.keep({ delivery: id as Delivery });
						}}
					/>
				)}
				{busy && (
					<button
						type="button"
						class="secondary icon-button"
						aria-label={t('Stop')}
						title={t('Stop (Esc)')}
						onClick={() => bridge.send({ type: 'stop_requested' })}
					>
						<Icon name="debug-stop" />
					</button>
				)}
				{(!busy || !empty) && (
					<button
						type="button"
						class="primary icon-button"
						aria-label={t('Send')}
						title={busy ? `${described(delivery)} (${key})` : t('Send ({0})', key)}
						disabled={empty}
						onClick={onSend}
					>
						<Icon name="arrow-up" />
					</button>
				)}
			</div>
		</div>
	);
}

/** The way for whoever cannot drag; the hint tells the others how. */
function Attach({ onAttach }: Pick<Props, 'onAttach'>) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<button
				type="button"
				class="quiet icon-button"
				aria-label={t('Attach')}
				title={t('Attach pictures or PDFs; paste them, or drop files while Shift is held')}
				onClick={() => input.current?.click()}
			>
				<Icon name="add" />
			</button>
			<input
				ref={input}
				type="file"
				class="file-input"
				tabIndex={-1}
				aria-hidden="true"
				multiple
				accept="image/*,application/pdf"
				onChange={(event) => {
					onAttach([...(event.currentTarget.files ?? [])]);
					event.currentTarget.value = '';
				}}
			/>
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
			<FolderChip state={state} />
		</>
	);
}
