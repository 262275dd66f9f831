// The end of an answer: how long it took, and on demand what it used.
import { t } from '@vscode/l10n';
import type { Row } from '../../../src/shared/view.ts';
import { dollars, duration, tokens } from '../format.ts';
import { Icon } from '../Icon.tsx';

export function SummaryRow({ row }: { readonly row: Extract<Row, { kind: 'summary' }> }) {
	return (
		<details class="summary-row">
			<summary>
				<Icon name="chevron-right" />
				<span>{t('Done in {0}', duration(row.durationMs))}</span>
			</summary>
			<p>
				{t(
					'{0} · {1} tokens in, {2} out · {3}',
					row.model,
					tokens(row.inputTokens),
					tokens(row.outputTokens),
					dollars(row.costUsd),
				)}
			</p>
		</details>
	);
}
