// The newest step of a subagent that works, in one line while its card is folded.
import { t } from '@vscode/l10n';
import type { Row } from '../../../src/shared/view.ts';
import { usePanel } from '../panelContext.ts';
import { toolWords, waits } from './toolWords.ts';

export function AgentStep({ log }: { readonly log: readonly Row[] }) {
	const place = usePanel().store.state.peek();
	const step = log.findLast(waits) ?? log.at(-1);
	return <p class="tool-step">{step ? stepText(step, place) : t('Starting…')}</p>;
}

/** Without what stands at the beginning of a line, or around words, of Markdown. */
function lastLine(text: string): string {
	const line = text.trim().split('\n').at(-1) ?? '';
	return line.replaceAll(/^(?:#+|[-*>]|\d+\.) |`|\*\*/g, '');
}

function stepText(row: Row, place: Parameters<typeof toolWords>[1]): string {
	if (row.kind === 'thinking') return t('Thinking…');
	if (row.kind === 'text') return lastLine(row.text);
	if (row.kind !== 'tool') return '';
	const { verb, object, result } = toolWords(row, place);
	return [`${verb} ${object}`.trim(), result].filter((part) => part !== '').join(' · ');
}
