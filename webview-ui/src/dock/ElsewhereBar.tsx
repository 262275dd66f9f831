// Another window has the conversation: it can be read here, and the person says how to go on.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';
import { StateBar } from './StateBar.tsx';

/** Of what says why nothing can be written. */
export const elsewhereId = 'open-elsewhere';

export function ElsewhereBar({ elsewhere }: { readonly elsewhere: boolean }) {
	const { bridge } = usePanel();
	if (!elsewhere) return null;
	const copy = () => bridge.send({ type: 'command_requested', command: 'continueInCopy' });
	return (
		<div id={elsewhereId}>
			<StateBar
				icon="lock"
				text={t('Open in another window: here it can only be read.')}
				actions={[
					{ label: t('Continue in a copy'), run: copy },
					{ label: t('Try again'), run: () => bridge.send({ type: 'reopen_requested' }) },
				]}
			/>
		</div>
	);
}
