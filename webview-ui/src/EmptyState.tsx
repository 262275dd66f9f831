// Before the first prompt: what this is, and three things to try.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../src/shared/view.ts';
import { usePanel } from './panelContext.ts';

export function EmptyState({ provider }: { readonly provider: ViewState['provider'] }) {
	const { store, bridge } = usePanel();
	const demo = provider === 'demo';
	const examples = demo
		? [t('Search for "login"'), t('Read README.md'), t('Make a todo list: read the code, fix the bug, run the tests')]
		: [
				t('Explain how this project is put together'),
				t('Find where errors are swallowed and say which matter'),
				t('Run the tests and fix what fails'),
			];
	return (
		<div class="log empty" role="log" aria-live="off" aria-label={t('Conversation')}>
			<div class="empty-inner">
				<h1>Loopwright</h1>
				<p>
					{t(
						'A coding agent inside your editor. It searches and reads your files, proposes edits and runs commands. It asks before it changes anything.',
					)}
				</p>
				{demo && (
					<div class="demo-note">
						<p>
							{t(
								'You are talking to the built-in demo model. It is no AI: it follows simple rules, so that you can try the panel without a key.',
							)}
						</p>
						<button
							type="button"
							class="primary"
							onClick={() => bridge.send({ type: 'command_requested', command: 'setApiKey' })}
						>
							{t('Set API key')}
						</button>
					</div>
				)}
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
			</div>
		</div>
	);
}
