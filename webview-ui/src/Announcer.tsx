// Says to screen readers what the quiet conversation does not: a finished answer, a request that waits, what was copied.
import { t } from '@vscode/l10n';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { PermissionMode } from '../../src/shared/permission.ts';
import type { Status } from '../../src/shared/view.ts';
import { announcement } from './dock/announcement.ts';
import { modeChoice } from './dock/modes.ts';
import { waitText } from './dock/WaitCard.tsx';
import { usePanel } from './panelContext.ts';
import { retryText } from './rows/retryWords.ts';
import { isBusy } from './status.ts';

interface Before {
	readonly status: Status;
	readonly waiting: string | undefined;
	readonly mode: PermissionMode;
}

export function Announcer() {
	const { store, reading } = usePanel();
	const sentence = useSignal('');
	const before = useRef<Before | undefined>(undefined);
	useSignalEffect(() => {
		const state = store.state.value;
		if (!state) return;
		const request = state.requests[0];
		const waiting = request?.id ?? state.wait?.id;
		const last = before.current;
		before.current = { status: state.status, waiting, mode: state.mode };
		if (request && waiting !== last?.waiting) {
			sentence.value = announcement(request);
		} else if (state.wait && waiting !== last?.waiting) {
			sentence.value = waitText(state.wait, Date.now());
		} else if (last && last.mode !== state.mode) {
			sentence.value = t('Mode: {0}', modeChoice(state.mode).name);
		} else if (state.status === 'retrying' && state.retry) {
			// Once, not with each second of the countdown.
			sentence.value = retryText(state.retry);
		} else if (last && isBusy(last.status) && state.status === 'ready') {
			sentence.value = t('Loopwright has answered.');
		} else if ((isBusy(state.status) || state.status === 'stopped') && waiting === undefined) {
			sentence.value = '';
		}
	});
	useSignalEffect(() => {
		if (reading.said.value !== '') sentence.value = reading.said.value;
		// The same once more is said once more.
		reading.said.value = '';
	});
	return (
		<div class="hidden" aria-live="polite">
			{sentence.value}
		</div>
	);
}
