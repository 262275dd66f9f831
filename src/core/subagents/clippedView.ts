// The view of a tool call inside of a subagent's log: the same kind of card, with little in it. Pure. Contract: bounded.
import { limits } from '../limits.ts';
import type { HunkView } from '../../shared/permission.ts';
import type { Row, ToolView } from '../../shared/view.ts';
import { clip } from '../util/text.ts';

const { agentLogChars: most } = limits;
/** Rows of lists, and lines of differences. */
const mostRows = 10;
const mostLines = 24;

export function clippedView(view: ToolView): ToolView {
	switch (view.kind) {
		case 'none':
		case 'media':
		case 'todos':
			return view;
		case 'text':
		case 'read':
		case 'web':
			return { ...view, text: clip(view.text, most) };
		case 'files':
			return {
				...view,
				files: view.files.slice(0, mostRows),
				truncated: view.truncated || view.files.length > mostRows,
			};
		case 'matches': {
			const { matches, truncated } = view;
			return { ...view, matches: matches.slice(0, mostRows), truncated: truncated || matches.length > mostRows };
		}
		case 'edit':
			return clippedEdit(view);
		case 'command':
			return { ...view, command: clip(view.command, most), ...newest(view.output, view.omitted) };
		case 'plan':
			return { ...view, plan: clip(view.plan, most) };
		// Only the conversation itself has these.
		case 'agent':
		case 'answers':
			return { kind: 'none' };
	}
}

/** Live output, added to what the card of a command shows. */
export function withOutput(row: Extract<Row, { kind: 'tool' }>, text: string): ToolView {
	const view = row.view.kind === 'command' ? row.view : undefined;
	const base = view ?? { kind: 'command', command: clip(row.summary, most), outcome: 'running', durationMs: 0 };
	return { ...base, ...newest((view?.output ?? '') + text, view?.omitted ?? 0) };
}

function newest(output: string, omitted: number) {
	const cut = Math.max(0, output.length - most);
	return { output: output.slice(cut), omitted: omitted + cut };
}

function clippedEdit(view: Extract<ToolView, { kind: 'edit' }>): ToolView {
	const hunks: HunkView[] = [];
	let lines = 0;
	for (const hunk of view.hunks) {
		if (lines + hunk.lines.length > mostLines) break;
		lines += hunk.lines.length;
		hunks.push(hunk);
	}
	const all = view.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
	const omittedLines = (view.omittedLines ?? 0) + all - lines;
	return { ...view, hunks, ...(omittedLines > 0 ? { omittedLines } : {}) };
}
