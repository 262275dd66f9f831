// A turn that a reload or crash cut can go on.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';
import { StateBar } from './StateBar.tsx';

export function InterruptedBar({ canContinue }: { readonly canContinue: boolean }) {
	const { bridge } = usePanel();
	if (!canContinue) return null;
	return (
		<StateBar
			icon="debug-restart"
			text={t('This turn was interrupted.')}
			actions={[{ label: t('Continue'), run: () => bridge.send({ type: 'continue_requested' }) }]}
		/>
	);
}
