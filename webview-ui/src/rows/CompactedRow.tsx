// Where the conversation was summarised for the model: how much that freed in one line, the summary on demand.
import { t } from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Row } from '../../../src/shared/view.ts';
import { tokens } from '../format.ts';
import { Fold } from './Fold.tsx';
import { Icon } from '../Icon.tsx';
import { Markdown } from '../markdown/Markdown.tsx';

export function CompactedRow({ row }: { readonly row: Extract<Row, { kind: 'compacted' }> }) {
	const [opened, setOpened] = useState(false);
	const { before, after, summary } = row;
	const words = (
		<>
			<Icon name="fold" />
			<span class="compacted-title">{t('Compacted')}</span>
			<span class="compacted-tokens" title={t('Tokens of the context before and after, estimated')}>
				{t('{0} → {1} tokens', tokens(before), tokens(after))}
			</span>
		</>
	);
	if (summary === '') return <p class="compacted-line">{words}</p>;
	return (
		<Fold id={row.id} class="compacted" onOpen={() => setOpened(true)}>
			<summary class="compacted-line">
				<Icon name="chevron-right" />
				{words}
			</summary>
			{opened && (
				<div class="compacted-text">
					<p class="small">{t('From here on the model reads this summary instead of what stands above.')}</p>
					<Markdown text={summary} open={false} />
				</div>
			)}
		</Fold>
	);
}
