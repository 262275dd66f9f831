// What a subagent does: its own log, folded like any other, and the answer that it gave. Contract: the log comes anew a few times a
// second; what did not change is not drawn again, and the person's place, focus and folds stay.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { agentSteps } from '../../../src/shared/agentWords.ts';
import type { Row, ToolView } from '../../../src/shared/view.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { number } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { usePanel, type Panel } from '../panelContext.ts';
import { RevealedWith, useRevealed } from '../reading/useRevealed.ts';
import { agentWords, type ToolRow } from './toolWords.ts';
import { useTail } from './useTail.ts';

interface Props {
	readonly row: ToolRow;
	readonly view: Extract<ToolView, { kind: 'agent' }>;
}

export function AgentBody({ row, view }: Props) {
	const { bridge } = usePanel();
	const log = agentSteps(view);
	return (
		<div class="agent">
			{log.length + view.omitted > 0 && <Log row={row} log={log} omitted={view.omitted} />}
			{view.answer !== '' && (
				<div class="agent-answer">
					<Markdown text={view.answer} open={false} />
				</div>
			)}
			<div class="agent-end">
				{view.agentId !== undefined && (
					<button
						type="button"
						class="link-button with-icon"
						title={t('All that the subagent did, as a document')}
						onClick={() => bridge.send({ type: 'agent_shown', toolUseId: row.toolUseId })}
					>
						<Icon name="list-flat" />
						{t('Show all steps')}
					</button>
				)}
				<span class="small">{agentWords(view)}</span>
			</div>
		</div>
	);
}

interface LogProps {
	readonly row: ToolRow;
	readonly log: readonly Row[];
	readonly omitted: number;
}

function Log({ row, log, omitted }: LogProps) {
	const { RowContent, reading } = usePanel();
	const box = useRef<HTMLDivElement>(null);
	const goal = useRevealed(row.id);
	const query = goal?.place === undefined ? '' : reading.query.peek().toLowerCase();
	useTail(box, row.state === 'running', log);
	useKeptFocus(box);
	return (
		<div ref={box} class="agent-log" role="group" aria-label={t('What the agent did')} tabIndex={0}>
			{omitted > 0 && <p class="small">{t('… {0} earlier steps', number(omitted))}</p>}
			{log.map((inner) => (
				// What the person was taken to unfolds where it says what they look for.
				<RevealedWith.Provider key={inner.id} value={query !== '' && says(inner, query) ? goal : undefined}>
					<Step row={inner} RowContent={RowContent} />
				</RevealedWith.Provider>
			))}
		</div>
	);
}

function says(row: Row, query: string): boolean {
	return JSON.stringify(row).toLowerCase().includes(query);
}

interface StepProps {
	readonly row: Row;
	readonly RowContent: Panel['RowContent'];
}

/** Each message brings new objects for the same rows. */
class Step extends Component<StepProps> {
	override shouldComponentUpdate({ row }: StepProps) {
		return JSON.stringify(row) !== JSON.stringify(this.props.row);
	}
	override render({ row, RowContent }: StepProps) {
		return (
			<div class={`row row-${row.kind}`}>
				<ErrorBoundary>
					<RowContent row={row} />
				</ErrorBoundary>
			</div>
		);
	}
}

/** The oldest steps go while it works: with the one that has the focus, that goes to the log. */
function useKeptFocus(box: { readonly current: HTMLElement | null }): void {
	const inside = box.current?.contains(document.activeElement) === true;
	useLayoutEffect(() => {
		if (inside && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
	});
}
