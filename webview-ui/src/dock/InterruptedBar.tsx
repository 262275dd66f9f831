// A turn that a reload or crash cut can go on.
import { t } from '@vscode/l10n';
import { usePanel } from '../panelContext.ts';

export function InterruptedBar({ canContinue }: { readonly canContinue: boolean }) {
	const { bridge } = usePanel();
	if (!canContinue) return null;
	return (
		<div class="bar">
			<span>{t('This turn was interrupted.')}</span>
			<button type="button" class="primary" onClick={() => bridge.send({ type: 'continue_requested' })}>
				{t('Continue')}
			</button>
		</div>
	);
}
