// What a batch of tool calls did, in a few words of the model, above its first card. A heading, so that a screen reader can
// jump from batch to batch.
import { t } from '@vscode/l10n';

export function BatchLabel({ label }: { readonly label: string }) {
	return (
		<h2 class="batch-label" aria-label={t('Tool calls: {0}', label)} title={label}>
			{label}
		</h2>
	);
}
