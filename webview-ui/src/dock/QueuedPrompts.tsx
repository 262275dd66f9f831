// Prompts that wait until the agent reads them, at its next step or when it is done; until then each can be changed, moved or taken
// back. Alt with an arrow key moves the one that has the focus.
import { t } from '@vscode/l10n';
import type { QueuedView, ViewState } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function QueuedPrompts({ queued }: { readonly queued: ViewState['queued'] }) {
	const { bridge } = usePanel();
	if (queued.length === 0) return null;
	const move = (id: string, to: number) => {
		if (to >= 0 && to < queued.length) bridge.send({ type: 'prompt_moved', id, to });
	};
	return (
		<ul class="queued" aria-label={t('Queued messages')}>
			{queued.map((prompt, index) => (
				<QueuedItem key={prompt.id} prompt={prompt} index={index} count={queued.length} onMove={move} />
			))}
		</ul>
	);
}

interface ItemProps {
	readonly prompt: QueuedView;
	readonly index: number;
	readonly count: number;
	readonly onMove: (id: string, to: number) => void;
}

function QueuedItem({ prompt, index, count, onMove }: ItemProps) {
	const { bridge } = usePanel();
	const { id, text, afterExchange = false, attachments = [] } = prompt;
	const when = afterExchange ? t('Read when the agent is done') : t('Read at the next step');
	const media = attachments.filter(({ kind }) => kind !== 'selection').length;
	const shown = text === '' ? attachmentsCount(media) : text;
	const onKeyDown = (event: KeyboardEvent) => {
		if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
		event.preventDefault();
		onMove(id, index + (event.key === 'ArrowUp' ? -1 : 1));
	};
	return (
		<li onKeyDown={onKeyDown}>
			<span title={when}>
				<Icon name={afterExchange ? 'clock' : 'debug-step-over'} />
				<span class="hidden">{when}</span>
			</span>
			<button
				type="button"
				class="quiet queued-text"
				aria-label={t('Edit queued message: {0}', shown)}
				title={t('Take back to edit')}
				onClick={() => bridge.send({ type: 'prompt_edited', id })}
			>
				{shown}
			</button>
			{media > 0 && text !== '' && <Icon name="attach" />}
			{count > 1 && (
				<>
					<MoveButton
						label={t('Move up (Alt+↑)')}
						icon="chevron-up"
						off={index === 0}
						onMove={() => onMove(id, index - 1)}
					/>
					<MoveButton
						label={t('Move down (Alt+↓)')}
						icon="chevron-down"
						off={index === count - 1}
						onMove={() => onMove(id, index + 1)}
					/>
				</>
			)}
			<button
				type="button"
				class="quiet icon-button"
				aria-label={t('Remove from queue')}
				title={t('Remove from queue')}
				onClick={() => bridge.send({ type: 'prompt_unqueued', id })}
			>
				<Icon name="close" />
			</button>
		</li>
	);
}

interface MoveProps {
	readonly label: string;
	readonly icon: string;
	readonly off: boolean;
	readonly onMove: () => void;
}

function attachmentsCount(count: number): string {
	return count === 1 ? t('1 attachment') : t('{0} attachments', count);
}

/** Never disabled: the focus would be lost at the end of the list. */
function MoveButton({ label, icon, off, onMove }: MoveProps) {
	return (
		<button
			type="button"
			class="quiet icon-button"
			aria-label={label}
			aria-disabled={off}
			title={label}
			onClick={() => !off && onMove()}
		>
			<Icon name={icon} />
		</button>
	);
}
