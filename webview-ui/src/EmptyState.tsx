// Before the first prompt: what this is, what is still missing, and three things to try.
import { t } from '@vscode/l10n';
import type { ToHost } from '../../src/shared/protocol.ts';
import type { ViewState } from '../../src/shared/view.ts';
import { Icon } from './Icon.tsx';
import { usePanel } from './panelContext.ts';

type Command = Extract<ToHost, { type: 'command_requested' }>['command'];
type Given = Pick<ViewState, 'provider' | 'setup' | 'folder'>;

export function EmptyState({ state }: { readonly state: Given }) {
	const { bridge } = usePanel();
	const run = (command: Command) => bridge.send({ type: 'command_requested', command });
	return (
		<div class="log empty" role="log" aria-live="off" aria-label={t('Conversation')}>
			<div class="empty-inner">
				<h1>Loopwright</h1>
				<p>
					{t(
						'A coding agent inside your editor. It searches and reads your files, proposes edits and runs commands. It asks before it changes anything.',
					)}
				</p>
				<Missing state={state} run={run} />
				{state.setup === 'ready' && state.folder !== '' && <Examples demo={state.provider === 'demo'} />}
				<button type="button" class="link-button with-icon" onClick={() => run('openWalkthrough')}>
					<Icon name="book" />
					{t('Take a tour in four steps')}
				</button>
			</div>
		</div>
	);
}

/** One thing at a time: who answers, then where the work lies. */
function Missing({ state, run }: { readonly state: Given; readonly run: (command: Command) => void }) {
	if (state.setup !== 'ready') return null;
	if (state.provider === 'demo') {
		return (
			<div class="demo-note">
				<p>
					{t(
						'You are talking to the built-in demo model. It is no AI: it follows simple rules, so that you can try the panel without a key.',
					)}
				</p>
				<button type="button" class="primary" onClick={() => run('setApiKey')}>
					{t('Set API key')}
				</button>
			</div>
		);
	}
	if (state.folder !== '') return null;
	return (
		<div class="demo-note">
			<p>{t('No folder is open. You can ask questions; to read and change files it needs one.')}</p>
			<button type="button" class="secondary" onClick={() => run('openFolder')}>
				{t('Open a folder')}
			</button>
		</div>
	);
}

function Examples({ demo }: { readonly demo: boolean }) {
	const { store } = usePanel();
	const examples = demo
		? [t('Search for "login"'), t('Read README.md'), t('Make a todo list: read the code, fix the bug, run the tests')]
		: [
				t('Explain how this project is put together'),
				t('Find where errors are swallowed and say which matter'),
				t('Run the tests and fix what fails'),
			];
	return (
		<>
			<h2>{t('Try')}</h2>
			<ul class="examples">
				{examples.map((example) => (
					<li key={example}>
						<button
							type="button"
							class="example"
							onClick={() => store.receive({ type: 'composer_focused', insert: example })}
						>
							{example}
						</button>
					</li>
				))}
			</ul>
		</>
	);
}
