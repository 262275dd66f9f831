// Where a proposal is to be seen in an editor: in the live file, in the cell of a notebook that is open, or in the document of
// a file that is still to be made.
import * as vscode from 'vscode';
import type { ProposedCell } from '../../core/ports/workspace.ts';
import { lineOf } from '../../core/tools/choice.ts';
import type { HunkView } from '../../shared/permission.ts';
import { findNotebook } from '../workspace/notebooks.ts';
import type { OpenProposal } from './openProposal.ts';

export interface ProposalPlace {
	readonly uri: vscode.Uri;
	readonly rangeOf: (hunk: HunkView) => vscode.Range;
}

/** `side`: the document of a new file. Undefined for a notebook that no editor holds, and for what is shown on the card only. */
export function placeOf(proposal: OpenProposal, side: () => vscode.Uri): ProposalPlace | undefined {
	const { detail, proposed } = proposal;
	if (detail.whole) return undefined;
	if (detail.created) return { uri: side(), rangeOf };
	if (!proposed.cell) return { uri: vscode.Uri.file(detail.path), rangeOf };
	const notebook = notebookOf(proposal);
	return notebook && inCell(notebook, proposed.cell);
}

/** The notebook of a proposed cell, while an editor holds it. */
export function notebookOf({ detail, proposed }: OpenProposal): vscode.NotebookDocument | undefined {
	if (!proposed.cell) return undefined;
	return findNotebook(detail.path) ?? findNotebook(proposed.realPath);
}

/** A new cell is shown at the one that it comes after, or before when it is the first. */
function inCell(notebook: vscode.NotebookDocument, { label, index, kind }: ProposedCell): ProposalPlace | undefined {
	const cells = notebook.getCells();
	if (kind === 'insert') {
		const document = cells[Math.max(0, Math.min(index, cells.length) - 1)]?.document;
		const line = index === 0 ? 0 : (document?.lineCount ?? 1) - 1;
		return document && { uri: document.uri, rangeOf: () => new vscode.Range(line, 0, line, 0) };
	}
	const cell = cells.find(({ metadata }) => metadata.id === label) ?? cells[index];
	return cell && { uri: cell.document.uri, rangeOf };
}

/** The lines in the live editor that it would change; where it only adds, the line before. 0-based. */
function rangeOf(hunk: HunkView): vscode.Range {
	const first = lineOf(hunk);
	const removed = hunk.lines.findLastIndex((line) => line.startsWith('-'));
	const last =
		removed < 0
			? first - 1
			: hunk.oldStart + hunk.lines.slice(0, removed).filter((line) => !line.startsWith('+')).length;
	const start = Math.max(0, Math.min(first, last) - 1);
	return new vscode.Range(start, 0, Math.max(start, last - 1), 0);
}
