// Prompts that wait until the agent reads them, at its next step; until then each can be changed or taken back.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../../src/shared/view.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function QueuedPrompts({ queued }: { readonly queued: ViewState['queued'] }) {
	const { bridge } = usePanel();
	if (queued.length === 0) return null;
	return (
		<ul class="queued" aria-label={t('Queued messages')}>
			{queued.map(({ id, text }) => (
				<li key={id}>
					<Icon name="clock" />
					<button
						type="button"
						class="quiet queued-text"
						aria-label={t('Edit queued message: {0}', text)}
						title={t('Take back to edit')}
						onClick={() => bridge.send({ type: 'prompt_edited', id })}
					>
						{text}
					</button>
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
			))}
		</ul>
	);
}
