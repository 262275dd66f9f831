// A prompt and its answer. The section lets the prompt stick to the top while its answer scrolls.
import { t } from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { Component } from 'preact';
import { usePanel } from './panelContext.ts';
import type { Exchange } from './reducer.ts';
import { Attached } from './dock/Attached.tsx';
import { Stretch } from './near/Stretch.tsx';
import type { Cutting } from './near/parts.ts';
import { supposedHeight } from './near/supposedHeight.ts';
import { useParts } from './near/useParts.ts';
import { RowView } from './rows/RowView.tsx';
import { PromptRow } from './rows/PromptRow.tsx';
import { ReadGroup } from './tools/ReadGroup.tsx';
import { runs } from './tools/readRuns.ts';

interface Props {
	readonly exchange: Exchange;
	/** Of the conversation. */
	readonly last: boolean;
}

/** Exchanges keep their identity while unchanged, so an equal one needs no drawing. */
export class ExchangeView extends Component<Props> {
	override shouldComponentUpdate(next: Props) {
		return next.exchange !== this.props.exchange || next.last !== this.props.last;
	}
	override render({ exchange, last }: Props) {
		return (
			<section class="exchange">
				{exchange.prompt !== undefined && <Prompt id={exchange.prompt} />}
				{exchange.answer.length > 0 && (
					<article class="answer" aria-label="Loopwright">
						<Answer ids={exchange.answer} last={last} />
					</article>
				)}
			</section>
		);
	}
}

type Run = readonly string[];

/** Parts of an answer that are drawn at its end, wherever the reader is. */
const drawnAtEnd = 3;

const byRows: Cutting<Run> = { keyOf: (run) => run[0] ?? '', sizeOf: () => 1, full: 8 };

/** Reads that follow each other are one line, unless a label stands above them already. A long answer is drawn in parts. */
function Answer({ ids, last }: { readonly ids: readonly string[]; readonly last: boolean }) {
	const { store } = usePanel();
	const row = (id: string) => store.row(id);
	const isRead = (id: string) => {
		const known = row(id)?.peek();
		return known?.kind === 'tool' && known.tool === 'Read';
	};
	const stretches = useParts(runs(ids, isRead), byRows);
	return (
		<>
			{stretches.map(({ key, items }, index) => (
				<Stretch
					key={key}
					id={key}
					rows={items.flat()}
					supposed={supposedHeight}
					always={stretches.length === 1 || (last && index >= stretches.length - drawnAtEnd)}
					draw={() => items.map((run) => <Rows key={run[0]} run={run} />)}
				/>
			))}
		</>
	);
}

/** A run of reads, or one row. */
function Rows({ run }: { readonly run: Run }) {
	return run.length > 1 ? <Reads ids={run} /> : <RowView id={run[0] ?? ''} />;
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
