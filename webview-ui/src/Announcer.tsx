// Says to screen readers what the quiet conversation does not: a finished answer, and a request that waits.
import { t } from '@vscode/l10n';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Status } from '../../src/shared/view.ts';
import { requestTitle } from './dock/permissionWords.ts';
import { usePanel } from './panelContext.ts';
import { isBusy } from './status.ts';

export function Announcer() {
	const { store } = usePanel();
	const sentence = useSignal('');
	const before = useRef<{ status: Status; request: string | undefined } | undefined>(undefined);
	useSignalEffect(() => {
		const state = store.state.value;
		if (!state) return;
		const request = state.requests[0];
		const last = before.current;
		before.current = { status: state.status, request: request?.id };
		if (request && request.id !== last?.request) {
			const { text, object } = requestTitle(request);
			sentence.value = t('Permission needed: {0}', text.replace('{0}', object));
		} else if (last && isBusy(last.status) && state.status === 'ready') {
			sentence.value = t('Loopwright has answered.');
		} else if (isBusy(state.status) && state.requests.length === 0) {
			sentence.value = '';
		}
	});
	return (
		<div class="hidden" aria-live="polite">
			{sentence.value}
		</div>
	);
}
