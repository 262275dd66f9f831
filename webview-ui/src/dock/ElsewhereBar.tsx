// Another window has the conversation: it can be read here, and the person says how to go on.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';

/** Of the sentence that says why nothing can be written. */
export const elsewhereId = 'open-elsewhere';

export function ElsewhereBar({ elsewhere }: { readonly elsewhere: boolean }) {
	const { bridge } = usePanel();
	if (!elsewhere) return null;
	return (
		<div class="bar elsewhere" role="note">
			<span id={elsewhereId}>{t('Open in another window: here it can only be read.')}</span>
			<span class="bar-buttons">
				<button
					type="button"
					class="primary"
					onClick={() => bridge.send({ type: 'command_requested', command: 'continueInCopy' })}
				>
					{t('Continue in a copy')}
				</button>
				<button type="button" onClick={() => bridge.send({ type: 'reopen_requested' })}>
					{t('Try again')}
				</button>
			</span>
		</div>
	);
}
