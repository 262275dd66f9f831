// What holds for the whole panel and wants to be known: no model to ask, an update, a limit of the service, a context nearly full,
// a turn that was stopped, a way back. At most what matters now: who stopped is not told more than that.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../../src/shared/view.ts';
import { clockTime, percent } from '../format.ts';
import { usePanel } from '../panelContext.ts';
import { isBusy } from '../status.ts';
import { useNow } from '../useNow.ts';
import { StateBar } from './StateBar.tsx';

/** Share of the window from which on the person is told. */
const nearlyFull = 0.9;
/** Milliseconds between two looks at the clock while a limit holds. */
const tick = 15_000;

export function StateBars({ state }: { readonly state: ViewState }) {
	return (
		<>
			<UpdateBar version={state.updatedTo} />
			<SetupBar setup={state.setup} />
			<FullBar state={state} />
			<LimitBar state={state} />
			<StoppedBar state={state} />
			<WentBackBar wentBack={state.wentBack} />
		</>
	);
}

function UpdateBar({ version }: { readonly version: string | null }) {
	const { bridge } = usePanel();
	if (version === null) return null;
	return (
		<StateBar
			icon="gift"
			text={t('Loopwright was updated to {0}.', version)}
			actions={[{ label: t("What's new"), run: () => bridge.send({ type: 'update_seen', show: true }) }]}
			onDismiss={() => bridge.send({ type: 'update_seen', show: false })}
		/>
	);
}

function SetupBar({ setup }: { readonly setup: ViewState['setup'] }) {
	const { bridge } = usePanel();
	if (setup === 'ready') return null;
	const settings = {
		label: t('Open settings'),
		run: () => bridge.send({ type: 'command_requested', command: 'openSettings' }),
	};
	if (setup === 'bad_address') {
		const text = t('The base URL in the settings is no web address, so no model can be asked.');
		return <StateBar icon="plug" tone="warning" text={text} actions={[settings]} />;
	}
	const key = { label: t('Set API key'), run: () => bridge.send({ type: 'command_requested', command: 'setApiKey' }) };
	const demo = { label: t('Try the demo model'), run: () => bridge.send({ type: 'demo_chosen' }) };
	return (
		<StateBar
			icon="key"
			tone="warning"
			text={t('No API key is set, so no model can be asked.')}
			actions={[key, demo, settings]}
		/>
	);
}

function FullBar({ state }: { readonly state: ViewState }) {
	const { bridge } = usePanel();
	const { contextTokens, contextWindow, status } = state;
	const share = contextWindow > 0 ? contextTokens / contextWindow : 0;
	if (share < nearlyFull || isBusy(status)) return null;
	const full = share >= 1;
	return (
		<StateBar
			icon="database"
			tone="warning"
			text={
				full
					? t('The context is full. Compact the conversation to go on, or start a new one.')
					: t('The context is {0} full. Compacting it now keeps what matters and makes room.', percent(share))
			}
			actions={[
				{ label: t('Compact'), run: () => bridge.send({ type: 'command_requested', command: 'compact' }) },
				{
					label: t('New conversation'),
					run: () => bridge.send({ type: 'command_requested', command: 'newConversation' }),
				},
			]}
		/>
	);
}

/** While a request waits by itself, its own line says so. */
function LimitBar({ state }: { readonly state: ViewState }) {
	const { bridge } = usePanel();
	const { rateLimit, retry, wait } = state;
	const now = useNow(rateLimit === null ? undefined : tick);
	if (!rateLimit || retry || wait || (rateLimit.until !== null && rateLimit.until <= now)) return null;
	const text =
		rateLimit.until === null
			? t('The service limits how much may be asked for at the moment.')
			: t('The service takes no more requests until {0}.', clockTime(rateLimit.until, now));
	const other = {
		label: t('Choose another model'),
		run: () => bridge.send({ type: 'command_requested', command: 'selectModel' }),
	};
	return <StateBar icon="watch" tone="warning" text={text} actions={[other]} />;
}

/** Only directly after the person stopped an answer, not when anything but its sums came after it. */
function StoppedBar({ state }: { readonly state: ViewState }) {
	const { store, bridge } = usePanel();
	const rows =
		store.exchanges.value
			.at(-1)
			?.answer.slice(-2)
			.flatMap((id) => store.row(id)?.value ?? []) ?? [];
	const row = rows.findLast(({ kind }) => kind !== 'summary');
	if (state.status !== 'stopped' || state.canContinue || row?.kind !== 'notice' || row.code !== 'interrupted')
		return null;
	return (
		<StateBar
			icon="debug-pause"
			text={t('You stopped this. Nothing was lost: go on, or say what to do instead.')}
			actions={[{ label: t('Go on'), run: () => bridge.send({ type: 'retry_requested' }) }]}
		/>
	);
}

/** Editing a message, too, goes back to before it; whoever did not mean to has all of it again. */
function WentBackBar({ wentBack }: { readonly wentBack: boolean }) {
	const { bridge } = usePanel();
	if (!wentBack) return null;
	return (
		<StateBar
			icon="discard"
			text={t('You went back to before a message. What followed is kept.')}
			actions={[
				{ label: t('Take back'), run: () => bridge.send({ type: 'command_requested', command: 'redoRestore' }) },
			]}
		/>
	);
}
