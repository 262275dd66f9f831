// The end of an answer: how long it took, and on demand what it used.
import { t } from '@vscode/l10n';
import type { Row } from '../../../src/shared/view.ts';
import { clockTime, dollars, duration, tokens } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { CopyButton } from '../markdown/CopyButton.tsx';
import { usePanel } from '../panelContext.ts';

export function SummaryRow({ row }: { readonly row: Extract<Row, { kind: 'summary' }> }) {
	const { store } = usePanel();
	const answer = () => {
		const ids = store.exchanges.peek().find((exchange) => exchange.answer.includes(row.id))?.answer ?? [];
		const rows = ids.flatMap((id) => store.row(id)?.peek() ?? []);
		return rows.flatMap((each) => (each.kind === 'text' ? [each.text] : [])).join('\n\n');
	};
	return (
		<div class="answer-end">
			<details class="summary-row">
				<summary>
					<Icon name="chevron-right" />
					<span>{t('Took {0}', duration(row.durationMs))}</span>
				</summary>
				<p>
					{t(
						'{0} · {1} tokens in, {2} out · {3}',
						row.model,
						tokens(row.inputTokens),
						tokens(row.outputTokens),
						dollars(row.costUsd),
					)}
					{row.time > 0 && ` · ${clockTime(row.time, Date.now())}`}
				</p>
			</details>
			<CopyButton text={answer} name={t('Copy answer')} />
		</div>
	);
}
