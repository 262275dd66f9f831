// A conversation as a document to read without the editor, in Markdown, as the panel shows it. Pure.
import type { Row, ViewState } from '../../shared/view.ts';
import { viewText } from './rowText.ts';

/** The words of the document's own, in the person's language. */
export interface ExportWords {
	readonly title: string;
	readonly you: string;
	readonly thought: string;
	readonly summary: string;
}

type ExportedState = Pick<ViewState, 'sessionId' | 'model'>;

export function conversationMarkdown(state: ExportedState, rows: readonly Row[], words: ExportWords): string {
	const parts = [`# ${words.title}`, `${state.model.name} · ${state.sessionId}`];
	let answering = false;
	for (const row of rows) {
		if (row.kind === 'prompt') {
			parts.push(`## ${words.you}`, row.text);
			answering = false;
			continue;
		}
		const text = rowMarkdown(row, words);
		if (text === '') continue;
		if (!answering) parts.push('## Loopwright');
		answering = true;
		parts.push(text);
	}
	return `${parts.join('\n\n')}\n`;
}

function rowMarkdown(row: Exclude<Row, { kind: 'prompt' }>, words: ExportWords): string {
	switch (row.kind) {
		case 'text':
			return row.text;
		case 'thinking':
			return row.text === '' ? '' : folded(words.thought, row.text);
		case 'tool':
			return toolMarkdown(row);
		case 'compacted':
			return row.summary === '' ? '' : folded(words.summary, row.summary);
		case 'error':
			return `> ${row.error.code}: ${row.error.detail.replaceAll('\n', '\n> ')}`;
		case 'notice':
		case 'summary':
			return '';
	}
}

function toolMarkdown({ tool, summary, state, view, message }: Extract<Row, { kind: 'tool' }>): string {
	const line = `- **${tool}** ${code(summary)}${state === 'done' ? '' : ` (${state})`}`;
	const prose = view.kind === 'plan' ? view.plan : view.kind === 'agent' ? view.answer : '';
	const body = prose !== '' ? prose : fenced(bodyOf(view), view.kind === 'edit' ? 'diff' : '');
	return [line, message === undefined ? '' : fenced(message, ''), body].filter((part) => part !== '').join('\n\n');
}

/** What was read is in the files; what was changed, run or found is told. */
function bodyOf(view: Extract<Row, { kind: 'tool' }>['view']): string {
	if (view.kind === 'read' || view.kind === 'media') return '';
	if (view.kind === 'edit') return view.hunks.map(({ lines }) => lines.join('\n')).join('\n');
	return viewText(view);
}

function code(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	if (line === '') return '';
	const ticks = '`'.repeat(longestTicks(line) + 1);
	return line.startsWith('`') || line.endsWith('`') ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

function fenced(text: string, language: string): string {
	if (text.trim() === '') return '';
	const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
	return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

function longestTicks(text: string): number {
	return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** Quoted, so that its own headings are none of the document's. */
function folded(title: string, text: string): string {
	return `> **${title}**\n>\n> ${text.trim().replaceAll('\n', '\n> ')}`;
}
