// A conversation as a document to read without the editor, in Markdown, as the panel shows it. Pure.
import { agentMessage, agentSteps } from '../../shared/agentWords.ts';
import type { PromptAttachment } from '../../shared/composer.ts';
import type { Row, ToolView, ViewState } from '../../shared/view.ts';
import { viewText } from './rowText.ts';

/** The words of the document's own, in the person's language. */
export interface ExportWords {
	readonly title: string;
	readonly you: string;
	/** Who answers. */
	readonly agent: string;
	readonly thought: string;
	readonly summary: string;
	/** `{0}`: how many steps of a subagent came before those that are there. */
	readonly earlierSteps: string;
}

export type ExportedState = Pick<ViewState, 'sessionId' | 'model'>;

export function conversationMarkdown(state: ExportedState, rows: readonly Row[], words: ExportWords): string {
	const parts = [`# ${words.title}`, `${state.model.name} · ${state.sessionId}`];
	let answering = false;
	for (const row of rows) {
		if (row.kind === 'prompt') {
			parts.push(`## ${words.you}`, joined(row.text, broughtWith(row.attachments)));
			answering = false;
			continue;
		}
		const text = rowMarkdown(row, words);
		if (text === '') continue;
		if (!answering) parts.push(`## ${words.agent}`);
		answering = true;
		parts.push(text);
	}
	return `${parts.join('\n\n')}\n`;
}

/** What a prompt brought besides its text, by name. */
function broughtWith(attachments: readonly PromptAttachment[] = []): string {
	const names = attachments.map((one) => {
		if (one.kind === 'image') return `${code(one.name)} (${one.width} × ${one.height})`;
		if (one.kind === 'pdf') return code(one.name);
		return code(`${one.path.split(/[\\/]/).at(-1) ?? ''}:${one.firstLine}-${one.lastLine}`);
	});
	return names.map((name) => `- ${name}`).join('\n');
}

function rowMarkdown(row: Exclude<Row, { kind: 'prompt' }>, words: ExportWords): string {
	switch (row.kind) {
		case 'text':
			return row.text;
		case 'thinking':
			return row.text === '' ? '' : folded(words.thought, row.text);
		case 'tool':
			return toolMarkdown(row, words);
		case 'compacted':
			return row.summary === '' ? '' : folded(words.summary, row.summary);
		case 'error':
			return `> ${row.error.code}: ${row.error.detail.replaceAll('\n', '\n> ')}`;
		case 'notice':
		case 'summary':
			return '';
	}
}

function toolMarkdown(row: Extract<Row, { kind: 'tool' }>, words: ExportWords): string {
	const { tool, summary, state, view, message = '' } = row;
	const line = `- **${tool}** ${code(summary)}${state === 'done' ? '' : ` (${state})`}`;
	if (view.kind === 'agent') {
		return joined(line, fenced(agentMessage(message, view.answer), ''), steps(view, words), view.answer);
	}
	const body = view.kind === 'plan' ? view.plan : fenced(bodyOf(view), view.kind === 'edit' ? 'diff' : '');
	return joined(line, fenced(message, ''), body);
}

/** The subagent's own conversation, so far as the card has it. */
function steps(view: Extract<ToolView, { kind: 'agent' }>, words: ExportWords): string {
	const before = view.omitted === 0 ? '' : words.earlierSteps.replace('{0}', String(view.omitted));
	return quoted(
		joined(before, ...agentSteps(view).map((row) => (row.kind === 'prompt' ? '' : rowMarkdown(row, words)))),
	);
}

function joined(...parts: readonly string[]): string {
	return parts.filter((part) => part !== '').join('\n\n');
}

/** What was read is in the files; what was changed, run or found is told. */
function bodyOf(view: ToolView): string {
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
	return quoted(`**${title}**\n\n${text}`);
}

function quoted(text: string): string {
	return text.trim() === '' ? '' : `> ${text.trim().replaceAll('\n', '\n> ').replaceAll(/^> $/gm, '>')}`;
}
