// A command and its output, as a terminal would show it. While it runs, the newest lines stay in view; what waits for the
// person says so, and how to answer.
import { t } from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import type { ToolView } from '../../../src/shared/view.ts';
import { number, plainOutput } from '../format.ts';
import { CopyButton } from '../markdown/CopyButton.tsx';
import { usePanel } from '../panelContext.ts';
import { taskWords } from '../dock/taskWords.ts';
import { commandFailed, commandWords } from './toolWords.ts';
import { useTail } from './useTail.ts';

/** Characters of output kept on the page; the terminal has all of it. */
const shownOutput = 60_000;

type CommandView = Extract<ToolView, { kind: 'command' }>;

export function CommandBody({ view, toolUseId }: { readonly view: CommandView; readonly toolUseId: string }) {
	const box = useRef<HTMLPreElement>(null);
	const output = plainOutput(view.output.slice(-shownOutput)).trimEnd();
	const omitted = view.omitted + Math.max(0, view.output.length - shownOutput);
	const running = view.outcome === 'running';
	useTail(box, running, output);
	return (
		<div class="terminal">
			<div class="terminal-command">
				<code>{view.command}</code>
				<CopyButton text={view.command} />
			</div>
			{omitted > 0 && <p class="small">{t('… {0} characters left out', number(omitted))}</p>}
			{output !== '' && (
				<pre ref={box} tabIndex={0} aria-label={t('Output')}>
					{output}
				</pre>
			)}
			{running && view.waiting && <Waiting toolUseId={toolUseId} />}
			{view.outcome === 'background' && view.taskId !== undefined && <InBackground id={view.taskId} />}
			{!running && view.outcome !== 'background' && output === '' && <p class="small">{t('No output.')}</p>}
			{commandFailed(view) && <p class="terminal-end">{commandWords(view)}</p>}
		</div>
	);
}

function Waiting({ toolUseId }: { readonly toolUseId: string }) {
	const { bridge } = usePanel();
	return (
		<div class="terminal-wait">
			<p>{t('Waits for your input in the terminal.')}</p>
			<button type="button" class="primary" onClick={() => bridge.send({ type: 'task_shown', id: toolUseId })}>
				{t('Show terminal')}
			</button>
			<button type="button" class="secondary" onClick={() => bridge.send({ type: 'task_stopped', id: toolUseId })}>
				{t('Stop command')}
			</button>
		</div>
	);
}

/** What has become of it since. */
function InBackground({ id }: { readonly id: string }) {
	const { store } = usePanel();
	const task = store.state.value?.tasks.find((one) => one.id === id);
	return (
		<p class="small">
			{task ? t('In the background: {0}', taskWords(task)) : t('It went on in the background ({0}).', id)}
		</p>
	);
}
