// What fills the context, by category, with the share that came from the cache, and the ways to make room or look closer.
import { t } from '@vscode/l10n';
import type { ContextUse } from '../../../src/shared/contextUse.ts';
import { categoryNames } from '../../../src/shared/contextUse.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { percent, tokens } from '../format.ts';
import { usePanel } from '../panelContext.ts';
import { isBusy } from '../status.ts';

interface Props {
	readonly id: string;
	readonly state: ViewState;
	/** How full, in words. */
	readonly words: string;
	/** Undefined until the host has answered; null when there is no conversation yet. */
	readonly use: ContextUse | null | undefined;
}

export function ContextDetails({ id, state, words, use }: Props) {
	const { bridge } = usePanel();
	const { input, output } = state.usage;
	return (
		<div class="context-details" id={id} role="group" aria-label={t('Context')}>
			<p class="context-title">
				<span>{t('Context')}</span>
				<span>{words}</span>
			</p>
			{use && <Parts use={use} />}
			{use === null && <p class="small">{t('Nothing is in it yet.')}</p>}
			<dl class="context-list">
				{use?.cacheShare !== null && use?.cacheShare !== undefined && (
					<Line name={t('From the cache, of the last request')} value={percent(use.cacheShare)} />
				)}
				<Line name={t('Sent in this conversation')} value={tokens(input)} />
				<Line name={t('Answered')} value={tokens(output)} />
			</dl>
			<div class="buttons">
				<button
					type="button"
					class="secondary"
					disabled={isBusy(state.status)}
					onClick={() => bridge.send({ type: 'command_requested', command: 'compact' })}
				>
					{t('Compact')}
				</button>
				<button
					type="button"
					class="secondary"
					onClick={() => bridge.send({ type: 'command_requested', command: 'showContext' })}
				>
					{t('Details')}
				</button>
			</div>
		</div>
	);
}

function Parts({ use }: { readonly use: ContextUse }) {
	const shown = use.parts.filter((part) => part.tokens > 0);
	const most = Math.max(1, ...shown.map((part) => part.tokens));
	return (
		<>
			<dl class="context-list">
				{shown.map((part) => (
					<Line
						key={part.category}
						name={t(categoryNames[part.category])}
						value={tokens(part.tokens)}
						share={part.tokens / most}
					/>
				))}
			</dl>
			{!use.measured && <p class="small">{t('Estimated until the first answer.')}</p>}
		</>
	);
}

interface LineProps {
	readonly name: string;
	readonly value: string;
	/** Of the largest one, from 0 to 1: drawn as a bar. */
	readonly share?: number;
}

function Line({ name, value, share }: LineProps) {
	return (
		<div class="context-line">
			<dt>{name}</dt>
			<dd>
				{share !== undefined && (
					<span class="context-bar" aria-hidden="true">
						<span style={{ width: `${share * 100}%` }} />
					</span>
				)}
				<span class="context-value">{value}</span>
			</dd>
		</div>
	);
}
