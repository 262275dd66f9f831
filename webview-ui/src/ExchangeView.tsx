// A prompt and its answer. The section lets the prompt stick to the top while its answer scrolls.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { usePanel } from './panelContext.ts';
import type { Exchange } from './reducer.ts';
import { RowView } from './rows/RowView.tsx';
import { PromptRow } from './rows/PromptRow.tsx';

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
						{exchange.answer.map((id) => (
							<RowView key={id} id={id} />
						))}
					</article>
				)}
			</section>
		);
	}
}

function Prompt({ id }: { readonly id: string }) {
	const row = usePanel().store.row(id)?.value;
	if (row?.kind !== 'prompt') return null;
	return (
		<article class="prompt" aria-label={t('You')} data-row={id}>
			<PromptRow id={id} text={row.text} />
		</article>
	);
}
