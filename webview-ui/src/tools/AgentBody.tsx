// What a subagent does: its own log, folded like any other, and the answer that it gave.
import { t } from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ToolView } from '../../../src/shared/view.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { number } from '../format.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { usePanel } from '../panelContext.ts';

export function AgentBody({ view }: { readonly view: Extract<ToolView, { kind: 'agent' }> }) {
	const { RowContent } = usePanel();
	const box = useRef<HTMLDivElement>(null);
	const working = view.answer === '';
	// The newest stays in view while it works.
	useLayoutEffect(() => {
		if (working && box.current) box.current.scrollTop = box.current.scrollHeight;
	}, [working, view.log]);
	return (
		<div class="agent">
			{view.omitted > 0 && <p class="small">{t('… {0} earlier steps', number(view.omitted))}</p>}
			{view.log.length > 0 && (
				<div ref={box} class="agent-log" role="group" aria-label={t('What the agent did')} tabIndex={0}>
					{view.log.map((row) => (
						<div key={row.id} class={`row row-${row.kind}`}>
							<ErrorBoundary>
								<RowContent row={row} />
							</ErrorBoundary>
						</div>
					))}
				</div>
			)}
			{!working && (
				<div class="agent-answer">
					<Markdown text={view.answer} open={false} />
				</div>
			)}
		</div>
	);
}
