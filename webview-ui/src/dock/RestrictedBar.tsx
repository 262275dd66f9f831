// The folder is not trusted: what that means here, and the way to change it.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';
import { StateBar } from './StateBar.tsx';

export function RestrictedBar({ trusted }: { readonly trusted: boolean }) {
	const { bridge } = usePanel();
	if (trusted) return null;
	return (
		<StateBar
			icon="workspace-untrusted"
			text={t('This folder is not trusted: no command runs, edits always ask, and its own allow rules wait.')}
			actions={[
				{
					label: t('Manage trust'),
					run: () => bridge.send({ type: 'command_requested', command: 'manageTrust' }),
				},
			]}
		/>
	);
}
