// The last line: what goes on, how full the context is, what it cost.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../../src/shared/view.ts';
import { dollars, tokens } from '../format.ts';
import { isBusy, statusText } from '../status.ts';
import { useNow } from '../useNow.ts';

export function StatusLine({ state }: { readonly state: ViewState }) {
	const now = useNow(state.status === 'retrying' ? 250 : undefined);
	return (
		<div class="status-line">
			<span class={`status-dot ${state.status}${isBusy(state.status) ? ' busy' : ''}`} aria-hidden="true" />
			<span class="status" role="status" aria-live={state.status === 'retrying' ? 'off' : 'polite'}>
				{statusText(state, now)}
			</span>
			<span class="spring" />
			<ContextMeter used={state.contextTokens} size={state.contextWindow} />
			<span class="cost">{t('Cost {0}', state.costUsd === null ? t('unknown') : dollars(state.costUsd))}</span>
		</div>
	);
}

function ContextMeter({ used, size }: { readonly used: number; readonly size: number }) {
	const percent = size > 0 ? Math.min(100, Math.round((used / size) * 100)) : 0;
	const words =
		size > 0 ? t('{0} of {1} tokens ({2} %)', tokens(used), tokens(size), String(percent)) : t('nothing yet');
	return (
		<span class="meter" title={`${t('Context used')}: ${words}`}>
			<span
				class="meter-track"
				role="meter"
				aria-label={t('Context used')}
				aria-valuemin={0}
				aria-valuemax={100}
				aria-valuenow={percent}
				aria-valuetext={words}
			>
				<span class={percent >= 80 ? 'meter-fill high' : 'meter-fill'} style={{ width: `${percent}%` }} />
			</span>
			<span class="meter-text" aria-hidden="true">
				{percent}%
			</span>
		</span>
	);
}
