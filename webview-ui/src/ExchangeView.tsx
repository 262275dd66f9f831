// A prompt and its answer. The section lets the prompt stick to the top while its answer scrolls.
import { t } from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { Component } from 'preact';
import { usePanel } from './panelContext.ts';
import type { Exchange } from './reducer.ts';
import { Attached } from './dock/Attached.tsx';
import { RowView } from './rows/RowView.tsx';
import { PromptRow } from './rows/PromptRow.tsx';
import { ReadGroup } from './tools/ReadGroup.tsx';
import { runs } from './tools/readRuns.ts';

interface Props {
	readonly exchange: Exchange;
}

/** Exchanges keep their identity while unchanged, so an equal one needs no drawing. */
export class ExchangeView extends Component<Props> {
	override shouldComponentUpdate(next: Props) {
		return next.exchange !== this.props.exchange;
	}
	override render({ exchange }: Props) {
		return (
			<section class="exchange">
				{exchange.prompt !== undefined && <Prompt id={exchange.prompt} />}
				{exchange.answer.length > 0 && (
					<article class="answer" aria-label="Loopwright">
						<Answer ids={exchange.answer} />
					</article>
				)}
			</section>
		);
	}
}

/** Reads that follow each other are one line, unless a label stands above them already. */
function Answer({ ids }: { readonly ids: readonly string[] }) {
	const { store } = usePanel();
	const row = (id: string) => store.row(id);
	const isRead = (id: string) => {
		const known = row(id)?.peek();
		return known?.kind === 'tool' && known.tool === 'Read';
	};
	return (
		<>
			{runs(ids, isRead).map((run) =>
				run.length > 1 ? <Reads key={run[0]} ids={run} /> : run.map((id) => <RowView key={id} id={id} />),
			)}
		</>
	);
}

function Reads({ ids }: { readonly ids: readonly string[] }) {
	const { store } = usePanel();
	const labelled = useComputed(() => {
		const first = store.row(ids[0] ?? '')?.value;
		return first?.kind === 'tool' && first.batchLabel !== undefined;
	}).value;
	if (!labelled) return <ReadGroup ids={ids} />;
	return (
		<>
			{ids.map((id) => (
				<RowView key={id} id={id} />
			))}
		</>
	);
}

function Prompt({ id }: { readonly id: string }) {
	const row = usePanel().store.row(id)?.value;
	if (row?.kind !== 'prompt') return null;
	return (
		<article class="prompt" aria-label={t('You')} data-row={id}>
			<PromptRow id={id} text={row.text} versions={row.versions} />
			{row.attachments && <Attached attachments={row.attachments} />}
		</article>
	);
}
