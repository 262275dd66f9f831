// The service asks for a long wait: wait for it, or give up. It takes no focus, and each is answered once.
import { t } from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { WaitView } from '../../../src/shared/view.ts';
import { clockTime, minutes } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useNow } from '../useNow.ts';

/** Milliseconds between two looks at the clock: the wait begins with the answer. */
const tick = 15_000;

export function WaitCard({ wait }: { readonly wait: WaitView }) {
	const { bridge } = usePanel();
	const [sent, setSent] = useState(false);
	const now = useNow(tick);
	const answer = (decision: boolean) => {
		if (sent) return;
		setSent(true);
		bridge.send({ type: 'wait_answered', waitId: wait.id, wait: decision });
	};
	return (
		<div class="permission wait" role="group" aria-label={t('Long wait')}>
			<div class="permission-head">
				<Icon name="watch" />
				<p class="permission-title">{waitText(wait, now)}</p>
			</div>
			<div class="buttons">
				<button type="button" class="primary" disabled={sent} onClick={() => answer(true)}>
					{t('Wait')}
				</button>
				<button type="button" class="secondary" disabled={sent} onClick={() => answer(false)}>
					{t('Give up')}
				</button>
			</div>
		</div>
	);
}

/** `now`: milliseconds since the epoch. */
export function waitText({ delayMs }: Pick<WaitView, 'delayMs'>, now: number): string {
	return t('The service asks to wait {0} (until {1}).', minutes(delayMs), clockTime(now + delayMs, now));
}
