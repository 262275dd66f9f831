// A tool call as one line that opens on demand. A running command with output opens by itself; what the person opened or
// closed stays as they left it.
import { t } from '@vscode/l10n';
import { useEffect, useId, useState } from 'preact/hooks';
import { duration } from '../format.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { useRevealed } from '../reading/useRevealed.ts';
import { AgentStep } from './AgentStep.tsx';
import { ToolBody } from './ToolBody.tsx';
import { toolWords } from './toolWords.ts';
import type { ToolRow, ToolWords } from './toolWords.ts';

export function ToolCard({ row }: { readonly row: ToolRow }) {
	const [chosen, setChosen] = useState<boolean | undefined>(undefined);
	const bodyId = useId();
	const goal = useRevealed(row.id);
	useEffect(() => {
		if (goal?.place !== undefined) setChosen(true);
	}, [goal]);
	// The folders are the same for as long as the conversation is.
	const words = toolWords(row, usePanel().store.state.peek());
	const openable = row.view.kind !== 'none' || (row.message ?? '') !== '' || row.summary !== '';
	const streaming =
		row.state === 'running' && row.view.kind === 'command' && (row.view.output !== '' || row.view.waiting);
	const open = openable && (chosen ?? streaming);
	return (
		<div class="tool" role="group" aria-label={`${row.tool}: ${row.summary}`} data-state={row.state}>
			<button
				type="button"
				class="tool-line"
				aria-expanded={open}
				aria-controls={open ? bodyId : undefined}
				disabled={!openable}
				title={row.summary}
				onClick={() => setChosen(!open)}
			>
				<Line row={row} words={words} />
			</button>
			{!open && <Message row={row} />}
			{!open && row.state === 'running' && row.view.kind === 'agent' && <AgentStep log={row.view.log} />}
			{open && (
				<div class="tool-body" id={bodyId}>
					<ToolBody row={row} />
				</div>
			)}
		</div>
	);
}

function Line({ row, words }: { readonly row: ToolRow; readonly words: ToolWords }) {
	const running = row.state === 'running';
	return (
		<>
			<Icon name={running ? 'loading' : stateIcon(row, words)} spin={running} />
			<span class="tool-verb">{words.verb}</span>
			<span class={row.view.kind === 'command' || row.tool === 'Bash' ? 'tool-object mono' : 'tool-object'}>
				{row.tool === 'Grep' && words.object !== '' ? t('“{0}”', words.object) : words.object}
				{words.place !== '' && <span class="tool-place">{words.place}</span>}
			</span>
			{row.view.kind === 'edit' && row.state !== 'error' && (
				<Changes added={row.view.added} removed={row.view.removed} />
			)}
			{words.result !== '' && <span class={words.failed ? 'tool-result failed' : 'tool-result'}>{words.result}</span>}
			{row.durationMs !== undefined && row.durationMs >= 100 && (
				<span class="tool-time">{duration(row.durationMs)}</span>
			)}
			<Icon name="chevron-right" />
		</>
	);
}

export function Changes({ added, removed }: { readonly added: number; readonly removed: number }) {
	return (
		<span class="changes">
			<span class="added">+{added}</span> <span class="removed">−{removed}</span>
		</span>
	);
}

function stateIcon(row: ToolRow, words: ToolWords): string {
	if (row.state === 'denied') return 'circle-slash';
	if (row.state === 'stopped') return 'debug-stop';
	return words.failed ? 'error' : words.icon;
}

/** Why it failed or was denied stays visible in two lines while the card is folded. */
function Message({ row }: { readonly row: ToolRow }) {
	const failed = row.state === 'error' || row.state === 'denied';
	if (!failed || !row.message || row.view.kind === 'command') return null;
	return <p class="tool-message">{row.message}</p>;
}
