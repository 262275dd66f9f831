// The panel's entry: reads what the page was born with, says `ready`, and draws what the host tells.
import { config } from '@vscode/l10n';
import { render } from 'preact';
import type { PanelBirth } from '../../src/shared/protocol.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { App } from './App.tsx';
import { createExtras } from './extras/extras.ts';
import { createIdle } from './idle.ts';
import { keepLegible } from './legible.ts';
import { createNearness } from './near/nearness.ts';
import { createReading } from './reading/reading.ts';
import type { Reading } from './reading/reading.ts';
import { PanelContext } from './panelContext.ts';
import { RowContent } from './rows/RowView.tsx';
import { createStore } from './store.ts';
import { connect } from './vscodeApi.ts';
import type { Bridge } from './vscodeApi.ts';
import type { PanelStore } from './store.ts';
import './styles/base.css';
import './styles/conversation.css';
import './styles/reading.css';
import './styles/markdown.css';
import './styles/tools.css';
import './styles/dock.css';
import './styles/states.css';
import './styles/composer.css';
import './styles/elsewhere.css';
import './styles/tasks.css';
import './styles/permission.css';
import './styles/decide.css';

/** Milliseconds after which an unanswered `ready` is said again (the host may just be starting). */
const patience = 3000;

function start(root: HTMLElement, birth: PanelBirth): void {
	config({ contents: { ...birth.bundle } });
	document.documentElement.lang = birth.language;
	document.body.classList.add(`surface-${birth.surface}`);
	keepLegible(document);
	const bridge = connect();
	const store = createStore();
	const extras = createExtras(import.meta.url);
	const reading = createReading(bridge.kept().focusView);
	const nearness = createNearness();
	const idle = createIdle();
	const { place } = bridge.kept();
	if (place.kind === 'row') nearness.wanted.value = place.rowId;
	const reload = listen(store, reading, bridge);
	render(
		<PanelContext.Provider value={{ store, bridge, extras, reading, nearness, idle, RowContent }}>
			<ErrorBoundary onReload={reload}>
				<App />
			</ErrorBoundary>
		</PanelContext.Provider>,
		root,
	);
}

/** Keeps the store up to date; returns the way to ask for everything anew and to be told when it is there. */
function listen(store: PanelStore, reading: Reading, bridge: Bridge): (then: () => void) => void {
	let waiting = 0;
	let onSnapshot = () => {};
	const askForSnapshot = () => {
		bridge.send({ type: 'ready' });
		clearTimeout(waiting);
		waiting = setTimeout(askForSnapshot, patience);
	};
	bridge.listen((message) => {
		if (!store.receive(message)) askForSnapshot();
		reading.receive(message);
		if (message.type !== 'snapshot') return;
		clearTimeout(waiting);
		onSnapshot();
		onSnapshot = () => {};
	});
	askForSnapshot();
	return (then) => {
		onSnapshot = then;
		askForSnapshot();
	};
}

const root = document.getElementById('root');
const birth = document.getElementById('birth')?.textContent;
if (root && birth) start(root, JSON.parse(birth) as PanelBirth);
