// The panel from top to bottom: the conversation, and the dock with everything that waits for the person.
import { t } from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { Announcer } from './Announcer.tsx';
import { Conversation } from './Conversation.tsx';
import { EmptyState } from './EmptyState.tsx';
import { BackgroundTasks } from './dock/BackgroundTasks.tsx';
import { isImeKey } from './dock/composerKeys.ts';
import { Composer } from './dock/Composer.tsx';
import { ElsewhereBar, elsewhereId } from './dock/ElsewhereBar.tsx';
import { InterruptedBar } from './dock/InterruptedBar.tsx';
import { PermissionQueue } from './dock/PermissionQueue.tsx';
import { RestrictedBar } from './dock/RestrictedBar.tsx';
import { useRequestFocus } from './dock/requestFocus.ts';
import { QueuedPrompts } from './dock/QueuedPrompts.tsx';
import { RetryLine } from './dock/RetryLine.tsx';
import { StateBars } from './dock/StateBars.tsx';
import { StatusLine } from './dock/StatusLine.tsx';
import { Todos } from './dock/Todos.tsx';
import { WaitCard } from './dock/WaitCard.tsx';
import { usePanel } from './panelContext.ts';
import { isBusy } from './status.ts';
import { useRememberedSession } from './useRememberedSession.ts';

export function App() {
	const { store, bridge } = usePanel();
	const state = store.state.value;
	useRequestFocus();
	useRememberedSession();
	if (!state) return <Starting />;
	const elsewhere = state.openElsewhere === true;
	const empty = store.exchanges.value.length === 0 && store.earlier.value === 0;
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key !== 'Escape' || event.defaultPrevented || isImeKey(event) || !isBusy(state.status)) return;
		event.preventDefault();
		bridge.send({ type: 'stop_requested' });
	};
	return (
		<main class="panel" onKeyDown={onKeyDown}>
			{!empty && <h1 class="hidden">Loopwright</h1>}
			{empty ? <EmptyState state={state} /> : <Conversation />}
			<div class="dock">
				<StateBars state={state} />
				<RestrictedBar trusted={state.trusted} />
				<ElsewhereBar elsewhere={elsewhere} />
				<InterruptedBar canContinue={state.canContinue} />
				<Todos todos={state.todos} />
				<BackgroundTasks tasks={state.tasks} />
				<PermissionQueue requests={state.requests} />
				{state.wait && <WaitCard key={state.wait.id} wait={state.wait} />}
				<RetryLine retry={state.retry} />
				<QueuedPrompts queued={state.queued} />
				<fieldset class="writing" disabled={elsewhere} aria-describedby={elsewhere ? elsewhereId : undefined}>
					<Composer state={state} />
				</fieldset>
				<StatusLine state={state} />
			</div>
			<Announcer />
		</main>
	);
}

/** Shown only when the host takes a while, so that a quick start does not flicker. */
function Starting() {
	const [slow, setSlow] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setSlow(true), 800);
		return () => clearTimeout(timer);
	}, []);
	return <main class="panel starting">{slow && <p>{t('Starting…')}</p>}</main>;
}
