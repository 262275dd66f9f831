// The model's thinking, folded: how long it took in one line, the text on demand.
import { t } from '@vscode/l10n';
import type { Row } from '../../../src/shared/view.ts';
import { duration } from '../format.ts';
import { Fold } from './Fold.tsx';
import { Icon } from '../Icon.tsx';

/** Milliseconds. */
const worthTelling = 100;

export function ThinkingRow({ row }: { readonly row: Extract<Row, { kind: 'thinking' }> }) {
	const { text, open, durationMs } = row;
	const title = thinkingTitle(open, durationMs);
	if (text === '') return <div class="thinking-title">{title}</div>;
	return (
		<Fold id={row.id} class="thinking">
			<summary class="thinking-title">
				<Icon name="chevron-right" />
				<span>{title}</span>
				{open && <span class="working-dot" aria-hidden="true" />}
			</summary>
			<div class="thinking-text" dir="auto">
				{text.trimEnd()}
			</div>
		</Fold>
	);
}

function thinkingTitle(open: boolean, durationMs: number | undefined): string {
	if (open) return t('Thinking…');
	return durationMs === undefined || durationMs < worthTelling
		? t('Thought')
		: t('Thought for {0}', duration(durationMs));
}
