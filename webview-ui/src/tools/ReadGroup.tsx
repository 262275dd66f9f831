// Reads that follow each other as one line; each has its card inside. It opens by itself for one that failed or waits.
import { t } from '@vscode/l10n';
import { useEffect, useId, useState } from 'preact/hooks';
import { splitPath } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useRevealed } from '../reading/useRevealed.ts';
import { RowView } from '../rows/RowView.tsx';
import type { ToolRow } from './toolWords.ts';

export function ReadGroup({ ids }: { readonly ids: readonly string[] }) {
	const { store } = usePanel();
	const [chosen, setChosen] = useState<boolean | undefined>(undefined);
	const goal = useRevealed(...ids);
	const bodyId = useId();
	useEffect(() => {
		if (goal) setChosen(true);
	}, [goal]);
	const rows = ids.flatMap((id) => {
		const row = store.row(id)?.value;
		return row?.kind === 'tool' ? [row] : [];
	});
	const running = rows.some(({ state }) => state === 'running' || state === 'queued');
	const open = chosen ?? rows.some(({ state }) => state !== 'done' && state !== 'running' && state !== 'queued');
	const files = rows.map(({ summary }) => splitPath(summary).base).join(', ');
	return (
		<div class={goal ? 'row reads revealed' : 'row reads'}>
			<button
				type="button"
				class="tool-line"
				aria-expanded={open}
				aria-controls={open ? bodyId : undefined}
				title={rows.map(({ summary }) => summary).join('\n')}
				onClick={() => setChosen(!open)}
			>
				<Icon name={running ? 'loading' : 'files'} spin={running} />
				<span class="tool-verb">{groupWords(rows, running)}</span>
				<span class="tool-object tool-place">{files}</span>
				<Icon name="chevron-right" />
			</button>
			{open && (
				<div class="reads-body" id={bodyId}>
					{ids.map((id) => (
						<RowView key={id} id={id} />
					))}
				</div>
			)}
		</div>
	);
}

function groupWords(rows: readonly ToolRow[], running: boolean): string {
	const count = String(rows.length);
	return running ? t('Reading {0} files', count) : t('Read {0} files', count);
}
