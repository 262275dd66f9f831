// A command and its output, as a terminal would show it. While it runs, the newest lines stay in view.
import { t } from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolView } from '../../../src/shared/view.ts';
import { plainOutput } from '../format.ts';
import { CopyButton } from '../markdown/CopyButton.tsx';
import { commandFailed, commandWords } from './toolWords.ts';

/** Characters of output kept on the page; the terminal has all of it. */
const shownOutput = 60_000;

export function CommandBody({ view }: { readonly view: Extract<ToolView, { kind: 'command' }> }) {
	const box = useRef<HTMLPreElement>(null);
	const output = plainOutput(view.output.slice(-shownOutput)).trimEnd();
	const omitted = view.omitted + Math.max(0, view.output.length - shownOutput);
	const running = view.outcome === 'running';
	useLayoutEffect(() => {
		if (running && box.current) box.current.scrollTop = box.current.scrollHeight;
	}, [running, output]);
	return (
		<div class="terminal">
			<div class="terminal-command">
				<code>{view.command}</code>
				<CopyButton text={view.command} />
			</div>
			{omitted > 0 && <p class="small">{t('… {0} characters left out', String(omitted))}</p>}
			{output !== '' && (
				<pre ref={box} tabIndex={0} aria-label={t('Output')}>
					{output}
				</pre>
			)}
			{!running && output === '' && <p class="small">{t('No output.')}</p>}
			{commandFailed(view) && <p class="terminal-end">{commandWords(view)}</p>}
		</div>
	);
}
