// The scrolling conversation: one article per prompt and per answer. It follows its growth only while the person is at the
// bottom (`follow.ts`), loads earlier rows at the top, and remembers the place for the next life of the page.
import { t } from '@vscode/l10n';
import { ExchangeView } from './ExchangeView.tsx';
import { ReadingBar } from './reading/ReadingBar.tsx';
import { useGoal } from './reading/useGoal.ts';
import { Icon } from './Icon.tsx';
import { usePanel } from './panelContext.ts';
import { useFollow } from './useFollow.ts';

export function Conversation() {
	const { store, reading } = usePanel();
	const { scroller, content, pinned, loadEarlier, jump, leave, handlers } = useFollow();
	useGoal(scroller, leave);
	return (
		<div class={reading.focusView.value ? 'conversation focus-view' : 'conversation'}>
			<ReadingBar />
			<div
				ref={scroller}
				class="log"
				role="log"
				aria-live="off"
				aria-label={t('Conversation')}
				tabIndex={0}
				{...handlers}
			>
				<div ref={content} class="log-content">
					{store.earlier.value > 0 && (
						<button type="button" class="quiet load-earlier" onClick={loadEarlier}>
							{t('Load earlier')}
						</button>
					)}
					{store.exchanges.value.map((exchange) => (
						<ExchangeView key={exchange.key} exchange={exchange} />
					))}
				</div>
			</div>
			{!pinned.value && (
				<button type="button" class="jump" onClick={jump}>
					<Icon name="arrow-down" />
					{t('Jump to latest')}
				</button>
			)}
		</div>
	);
}
