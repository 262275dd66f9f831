// Says to screen readers what the quiet conversation does not: a finished answer, a request that waits, what was copied.
import { t } from '@vscode/l10n';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { PermissionMode } from '../../src/shared/permission.ts';
import type { Status } from '../../src/shared/view.ts';
import { announcement } from './dock/announcement.ts';
import { moreWait } from './dock/permissionWords.ts';
import { modeChoice } from './dock/modes.ts';
import { waitText } from './dock/WaitCard.tsx';
import { usePanel } from './panelContext.ts';
import { retryText } from './rows/retryWords.ts';
import { isBusy } from './status.ts';

interface Before {
	readonly status: Status;
	readonly waiting: string | undefined;
	readonly mode: PermissionMode;
	/** Requests that were told of: each by what it asks, or among how many came at once. */
	readonly requests: ReadonlySet<string>;
	/** Those of which was said what they ask. */
	readonly told: ReadonlySet<string>;
}

/** Equal sentences are told apart by their turn: each is said. */
interface Spoken {
	readonly text: string;
	readonly turn: number;
}

export function Announcer() {
	const { store, reading } = usePanel();
	const spoken = useSignal<Spoken>({ text: '', turn: 0 });
	const speak = (text: string) => {
		const { turn } = spoken.peek();
		spoken.value = { text, turn: text === '' ? turn : turn + 1 };
	};
	const speakOnce = (text: string) => {
		if (spoken.peek().text !== text) speak(text);
	};
	const before = useRef<Before | undefined>(undefined);
	useSignalEffect(() => {
		const state = store.state.value;
		if (!state) return;
		const { requests } = state;
		const waiting = requests[0]?.id ?? state.wait?.id;
		const last = before.current;
		const fresh = requests.filter(({ id }) => last?.requests.has(id) !== true);
		// What came among others is told when its turn comes.
		const [request] = fresh.length > 0 ? fresh : requests.slice(0, 1).filter(({ id }) => last?.told.has(id) !== true);
		const told = [...(last?.told ?? []), ...(request ? [request.id] : [])];
		before.current = {
			status: state.status,
			waiting,
			mode: state.mode,
			requests: new Set(requests.map(({ id }) => id)),
			told: new Set(told.filter((id) => requests.some((one) => one.id === id))),
		};
		if (request) {
			speak([announcement(request), moreWait(fresh.length - 1)].filter((part) => part !== '').join(' '));
		} else if (state.wait && waiting !== last?.waiting) {
			speak(waitText(state.wait, Date.now()));
		} else if (last && last.mode !== state.mode) {
			speak(t('Mode: {0}', modeChoice(state.mode).name));
		} else if (state.status === 'retrying' && state.retry) {
			// Once, not with each second of the countdown.
			speakOnce(retryText(state.retry));
		} else if (last && isBusy(last.status) && state.status === 'ready') {
			speak(t('Loopwright has answered.'));
		} else if ((isBusy(state.status) || state.status === 'stopped') && waiting === undefined) {
			speak('');
		}
	});
	useSignalEffect(() => {
		if (reading.said.value !== '') speak(reading.said.value);
		// The same once more is said once more.
		reading.said.value = '';
	});
	return (
		<div class="hidden" aria-live="polite">
			<span key={spoken.value.turn}>{spoken.value.text}</span>
		</div>
	);
}
