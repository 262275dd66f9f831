// The folder is not trusted: what that means here, and the way to change it.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';

export function RestrictedBar({ trusted }: { readonly trusted: boolean }) {
	const { bridge } = usePanel();
	if (trusted) return null;
	return (
		<p class="restricted" role="note">
			{t('This folder is not trusted: no command runs, edits always ask, and its own allow rules wait.')}{' '}
			<button type="button" onClick={() => bridge.send({ type: 'command_requested', command: 'manageTrust' })}>
				{t('Manage trust')}
			</button>
		</p>
	);
}
