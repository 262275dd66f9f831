// The status in words, and what follows from it.
import { t } from '@vscode/l10n';
import type { Status, ViewState } from '../../src/shared/view.ts';

/** Something runs or waits that Stop would end. */
export function isBusy(status: Status): boolean {
	return status !== 'ready' && status !== 'stopped';
}

/** `now`: milliseconds since the epoch, for the countdown of `retrying`. */
export function statusText(state: Pick<ViewState, 'status' | 'retryAt'>, now: number): string {
	switch (state.status) {
		case 'ready':
			return t('Ready');
		case 'working':
			return t('Working');
		case 'waiting':
			return t('Waiting for you');
		case 'retrying':
			return t('Retrying in {0} s', String(Math.max(0, Math.ceil(((state.retryAt ?? now) - now) / 1000))));
		case 'compacting':
			return t('Compacting');
		case 'stopped':
			return t('Stopped');
	}
}
