// What a row says, as plain text: for finding in the conversation, folded parts included. Pure.
import { agentMessage, agentSteps } from '../../shared/agentWords.ts';
import type { Row, ToolView } from '../../shared/view.ts';

export function rowText(row: Row): string {
	switch (row.kind) {
		case 'prompt':
		case 'text':
		case 'thinking':
			return row.text;
		case 'tool':
			return joined(row.batchLabel, row.tool, row.summary, messageOf(row), viewText(row.view));
		case 'compacted':
			return row.summary;
		case 'error':
			return row.error.detail;
		case 'notice':
		case 'summary':
			return '';
	}
}

function messageOf({ message = '', view }: Extract<Row, { kind: 'tool' }>): string {
	return view.kind === 'agent' ? agentMessage(message, view.answer) : message;
}

export function viewText(view: ToolView): string {
	switch (view.kind) {
		case 'none':
			return '';
		case 'text':
		case 'read':
			return view.text;
		case 'files':
			return view.files.join('\n');
		case 'matches':
			return view.matches.map(({ file, text }) => joined(file, text)).join('\n');
		case 'edit':
			return view.hunks.map(({ lines }) => lines.map((line) => line.slice(1)).join('\n')).join('\n');
		case 'command':
			return joined(view.command, view.output);
		case 'todos':
			return view.todos.map(({ content }) => content).join('\n');
		case 'media':
			return view.path;
		case 'web':
			return joined(view.url, view.title, view.text);
		case 'agent':
			return joined(...agentSteps(view).map(rowText), view.answer);
		case 'plan':
			return view.plan;
		case 'answers':
			return view.answers.map(({ question, answer }) => joined(question, answer)).join('\n');
	}
}

function joined(...parts: readonly (string | undefined)[]): string {
	return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
