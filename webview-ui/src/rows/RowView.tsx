// One row of an answer, bound to its own signal: when it grows, nothing else is drawn again.
import type { Row } from '../../../src/shared/view.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { usePanel } from '../panelContext.ts';
import { grownBy } from '../reducer.ts';
import { useRevealed } from '../reading/useRevealed.ts';
import { BatchLabel } from '../tools/BatchLabel.tsx';
import { ToolCard } from '../tools/ToolCard.tsx';
import { CompactedRow } from './CompactedRow.tsx';
import { ErrorRow } from './ErrorRow.tsx';
import { NoticeRow } from './NoticeRow.tsx';
import { SummaryRow } from './SummaryRow.tsx';
import { ThinkingRow } from './ThinkingRow.tsx';

export function RowView({ id }: { readonly id: string }) {
	const row = usePanel().store.row(id)?.value;
	const goal = useRevealed(id);
	if (!row) return null;
	return (
		<div class={`row row-${row.kind}${goal ? ' revealed' : ''}`} data-row={id}>
			<ErrorBoundary>
				<RowContent row={row} />
			</ErrorBoundary>
		</div>
	);
}

/** What a row shows, wherever it stands: also in the log of a subagent. */
export function RowContent({ row }: { readonly row: Row }) {
	switch (row.kind) {
		case 'prompt':
			return null;
		case 'text':
			return <Markdown id={row.id} text={row.text} open={row.open} grownBy={grownBy(row)} />;
		case 'thinking':
			return <ThinkingRow row={row} />;
		case 'tool':
			return (
				<>
					{row.batchLabel !== undefined && <BatchLabel label={row.batchLabel} />}
					<ToolCard row={row} />
				</>
			);
		case 'notice':
			return <NoticeRow row={row} />;
		case 'summary':
			return <SummaryRow row={row} />;
		case 'compacted':
			return <CompactedRow row={row} />;
		case 'error':
			return <ErrorRow error={row.error} />;
	}
}
