// A failure for people: what happened, what to do, the service's own words small below, and the buttons that help.
import { t } from '@vscode/l10n';
import type { ErrorView } from '../../../src/shared/view.ts';
import type { ToHost } from '../../../src/shared/protocol.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { errorText } from './errorWords.ts';

type Action = ErrorView['actions'][number];

export function ErrorRow({ error }: { readonly error: ErrorView }) {
	const { bridge } = usePanel();
	return (
		<div class="error" role="alert">
			<p class="error-text">
				<Icon name="error" />
				<span>{errorText(error)}</span>
			</p>
			{error.detail !== '' && <p class="error-detail">{error.detail}</p>}
			{error.actions.length > 0 && (
				<div class="buttons">
					{error.actions.map((action, index) => (
						<button
							key={action}
							type="button"
							class={index === 0 ? 'primary' : 'secondary'}
							onClick={() => bridge.send(messageOf(action))}
						>
							{labelOf(action)}
						</button>
					))}
				</div>
			)}
		</div>
	);
}

function labelOf(action: Action): string {
	switch (action) {
		case 'set_key':
			return t('Set API key');
		case 'retry':
			return t('Retry');
		case 'compact':
			return t('Compact');
		case 'open_settings':
			return t('Open settings');
		case 'show_log':
			return t('Show log');
	}
}

function messageOf(action: Action): ToHost {
	switch (action) {
		case 'set_key':
			return { type: 'command_requested', command: 'setApiKey' };
		case 'retry':
			return { type: 'retry_requested' };
		case 'compact':
			return { type: 'command_requested', command: 'compact' };
		case 'open_settings':
			return { type: 'command_requested', command: 'openSettings' };
		case 'show_log':
			return { type: 'command_requested', command: 'showLog' };
	}
}
