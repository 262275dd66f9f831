// The last line: what goes on, how full the context is, what was used, what it cost.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../../src/shared/view.ts';
import { dollars, tokens } from '../format.ts';
import { isBusy, statusText } from '../status.ts';
import { useNow } from '../useNow.ts';
import { ContextMeter } from './ContextMeter.tsx';
import { OtherConversations } from './OtherConversations.tsx';

/** Share of the limit of cost from which on it stands out. */
const nearLimit = 0.8;

export function StatusLine({ state }: { readonly state: ViewState }) {
	const now = useNow(state.status === 'retrying' ? 250 : undefined);
	const { input, output } = state.usage;
	const used = t('Tokens of this conversation: {0} sent, {1} answered', tokens(input), tokens(output));
	return (
		<div class="status-line">
			<span class={`status-dot ${state.status}${isBusy(state.status) ? ' busy' : ''}`} aria-hidden="true" />
			<span class="status" role="status" aria-live={state.status === 'retrying' ? 'off' : 'polite'}>
				{statusText(state, now)}
			</span>
			<OtherConversations others={state.others} />
			<span class="spring" />
			<ContextMeter state={state} />
			{input + output > 0 && (
				<span class="used" title={used}>
					{t('{0} tokens', tokens(input + output))}
				</span>
			)}
			<Cost state={state} />
		</div>
	);
}

function Cost({ state: { costUsd, maxCostUsd } }: { readonly state: Pick<ViewState, 'costUsd' | 'maxCostUsd'> }) {
	const cost = costUsd === null ? t('unknown') : dollars(costUsd);
	if (maxCostUsd === null) return <span class="cost">{t('Cost {0}', cost)}</span>;
	const near = costUsd !== null && costUsd >= maxCostUsd * nearLimit;
	return (
		<span class={near ? 'cost near' : 'cost'} title={t('It stops at {0}.', dollars(maxCostUsd))}>
			{t('Cost {0} of {1}', cost, dollars(maxCostUsd))}
		</span>
	);
}
