// Why a request is made again, in one quiet line, with what helps if it lasts: what recovers by itself is no error.
import { t } from '@vscode/l10n';
import type { RetryView } from '../../../src/shared/view.ts';
import { retryText } from '../rows/retryWords.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';

export function RetryLine({ retry }: { readonly retry: RetryView | null }) {
	const { bridge } = usePanel();
	if (!retry) return null;
	const offline = retry.code === 'unreachable' || retry.code === 'dropped';
	const command = offline ? 'openSettings' : 'selectModel';
	const label = offline ? t('Open settings') : t('Choose another model');
	return (
		<div class="retry-line">
			<Icon name={iconOf(retry.code)} />
			<p>
				{retryText(retry)}{' '}
				<button type="button" class="link-button" onClick={() => bridge.send({ type: 'command_requested', command })}>
					{label}
				</button>
			</p>
		</div>
	);
}

function iconOf(code: string): string {
	if (code === 'unreachable' || code === 'dropped') return 'debug-disconnect';
	return code === 'rate_limited' ? 'watch' : 'sync';
}
