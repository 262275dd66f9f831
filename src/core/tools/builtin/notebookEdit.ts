// Change one cell of a notebook: through the editor that holds it, else in its JSON, of which every other byte stays.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../../limits.ts';
import type { CellEdit } from '../../ports/workspace.ts';
import { displayPath } from '../../util/paths.ts';
import { lineEdits } from '../edits.ts';
import { rootOf, shownPath, toolPath } from '../fileAccess.ts';
import { contentHash } from '../fileState.ts';
import { cellLabels, cellsAfter, cellsText, findCell } from '../notebook.ts';
import { isNotebook, loadNotebook } from '../notebookFile.ts';
import type { LoadedNotebook } from '../notebookFile.ts';
import { planCellEdit } from '../notebookText.ts';
import { applyProposal, prepared, writeNeed } from '../proposal.ts';
import type { NotebookPart, Proposal, Proposed } from '../proposal.ts';
import { proposes } from '../proposes.ts';
import { defineTool } from '../tool.ts';
import type { ToolContext } from '../tool.ts';

const schema = z.object({
	notebook_path: z.string().describe('Path of the .ipynb file: absolute, or relative to the workspace folder.'),
	new_source: z.string().optional().describe('The whole new source of the cell. Not needed to delete.'),
	cell_id: z
		.string()
		.optional()
		.describe(
			'The cell, as Read names it. For insert: the cell after which the new one comes; without it, at the top.',
		),
	cell_type: z
		.enum(['code', 'markdown'])
		.optional()
		.describe('Needed for insert. For replace: only to change the type.'),
	edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('"replace" when it is left out.'),
});
type Input = z.output<typeof schema>;

export const notebookEditTool = defineTool<typeof schema, Proposal>({
	name: 'NotebookEdit',
	description: `Change one cell of a Jupyter notebook (.ipynb): replace its source, insert a new cell, or delete it.
- Read the notebook first; it shows the name of each cell.
- Outputs, metadata and all other cells stay as they are. Cells are not run.
- Edit and Write do not work on notebooks.`,
	schema,
	...proposes,
	summary: (input, context) => shownPath(context, input.notebook_path),
	prepare: async (input, context) => prepared(await propose(input, context), context),
	permission(input, context, proposal) {
		if (proposal !== undefined) return writeNeed(proposal, context);
		const path = shownPath(context, input.notebook_path);
		return { access: { kind: 'write', path }, detail: { kind: 'path', path } };
	},
	async run(_input, context, run, proposal) {
		if (proposal === undefined) return { content: 'The edit was not prepared.', view: { kind: 'none' }, isError: true };
		return applyProposal(proposal, context, run);
	},
});

/** What the change would do to the notebook as it is now. Reads only. */
async function propose(input: Input, context: ToolContext): Promise<Proposed> {
	const resolved = toolPath(context, input.notebook_path);
	if (resolved.kind === 'refused') return resolved;
	const { path } = resolved;
	const shown = displayPath(rootOf(context), path);
	if (!isNotebook(path)) return refused(`${shown} is no notebook (.ipynb); use Edit.`);
	const notebook = await loadNotebook(context, path, shown);
	if (notebook.kind === 'refused') return notebook;
	const realPath = await context.workspace.realPath(path);
	const oldText = cellsText(notebook.cells);
	const record = context.fileState.get(realPath);
	if (record === undefined) return refused(`${shown} has not been read in this conversation. Read it first.`);
	const edit = cellEdit(input, notebook, shown);
	if (edit.kind === 'refused') return edit;
	const stale = record.hash !== contentHash(oldText);
	// In a notebook that has changed a place says nothing any more; a name does.
	const named = notebook.cells.filter(({ id }) => id === input.cell_id);
	const known = input.cell_id === undefined || named.length === 1;
	if (stale && !(context.askedAgain && known)) {
		return refused(`${shown} has changed since it was read. Nothing was changed; read it again first.`);
	}
	const partial = record.partial || stale;
	const compute = (now: ToolContext) => propose(input, now);
	return cellProposal({ notebook, edit, shown, base: { path, realPath, partial, compute } });
}

interface Target {
	readonly notebook: LoadedNotebook;
	readonly edit: CellEdit;
	readonly shown: string;
	readonly base: Pick<Proposal, 'path' | 'realPath' | 'partial' | 'compute'>;
}

function cellProposal(target: Target): Proposed {
	const { notebook, edit, shown, base } = target;
	const { path } = base;
	const change = changeOf(path, notebook, edit);
	if (change.kind === 'refused') return refused(`${shown} was not changed: ${change.message}.`);
	const oldText = cellsText(notebook.cells);
	const newText = cellsText(cellsAfter(notebook.cells, edit));
	if (newText === oldText) return refused('No change: the cell has exactly this source already.');
	const cell = shownCell(notebook, edit);
	const part: NotebookPart = {
		change: change.change,
		...(cell ? { cell } : {}),
		withSource: (source) =>
			edit.kind === 'delete'
				? refused('A cell that is deleted has no source.')
				: cellProposal({ ...target, edit: { ...edit, source } }),
		async reread(context) {
			const now = await loadNotebook(context, path, shown);
			return now.kind === 'notebook' ? cellsText(now.cells) : undefined;
		},
	};
	const plan = { edits: lineEdits(oldText, newText), newText };
	const note = edit.kind === 'insert' ? `The new cell is ${nameOf(edit)}.` : '';
	return { kind: 'proposal', proposal: { ...base, oldText, plan, unsaved: notebook.unsaved, note, notebook: part } };
}

function nameOf({ id, index }: Extract<CellEdit, { kind: 'insert' }>): string {
	return id ?? `cell-${index}`;
}

/** Its source is all that a person has to see, unless its type changes. */
function shownCell({ cells }: LoadedNotebook, edit: CellEdit): NotebookPart['cell'] {
	const { kind, index } = edit;
	if (edit.kind === 'insert') {
		return { index, kind, type: edit.type, label: nameOf(edit), before: '', after: edit.source };
	}
	const cell = cells[index];
	if (cell === undefined || (edit.kind === 'replace' && edit.type !== cell.type)) return undefined;
	const after = edit.kind === 'delete' ? '' : edit.source;
	return { index, kind, type: cell.type, label: cellLabels(cells)[index] ?? '', before: cell.source, after };
}

function cellEdit(
	input: Input,
	notebook: LoadedNotebook,
	shown: string,
): CellEdit | { readonly kind: 'refused'; readonly message: string } {
	const { cells } = notebook;
	const mode = input.edit_mode ?? 'replace';
	const index = input.cell_id === undefined ? undefined : findCell(cells, input.cell_id);
	if (input.cell_id !== undefined && index === undefined) {
		const names = cellLabels(cells).slice(0, limits.folderNames).join(', ');
		const more = cells.length > limits.folderNames ? ', …' : '';
		return refused(
			`${shown} has no cell ${input.cell_id}. ` +
				(cells.length === 0 ? 'It has no cells at all.' : `Its cells are ${names}${more}.`),
		);
	}
	const source = input.new_source?.replaceAll('\r\n', '\n');
	if (mode !== 'delete' && source === undefined) return refused(`new_source is needed to ${mode} a cell.`);
	if (mode === 'insert') {
		if (input.cell_type === undefined) return refused('cell_type is needed to insert a cell: "code" or "markdown".');
		const at = index === undefined ? 0 : index + 1;
		const id = newId(notebook, `${at}\0${source}`);
		return { kind: 'insert', index: at, source: source ?? '', type: input.cell_type, ...(id ? { id } : {}) };
	}
	const cell = index === undefined ? undefined : cells[index];
	if (index === undefined || cell === undefined) {
		return refused(`cell_id is needed to ${mode} a cell. Read shows the names of the cells.`);
	}
	if (mode === 'delete') return { kind: 'delete', index };
	return { kind: 'replace', index, source: source ?? '', type: input.cell_type ?? cell.type };
}

/** The same for the same change, so that what was shown is what is done. */
function newId({ cells, hasIds, json }: LoadedNotebook, seed: string): string | undefined {
	if (!hasIds) return undefined;
	const taken = new Set(cells.map((cell) => cell.id));
	for (let attempt = 0; ; attempt++) {
		const hash = createHash('sha256').update(`${attempt}\0${seed}\0${json ?? cellsText(cells)}`, 'utf8');
		const id = hash.digest('hex').slice(0, 8);
		if (!taken.has(id)) return id;
	}
}

function changeOf(
	path: string,
	notebook: LoadedNotebook,
	edit: CellEdit,
):
	| { readonly kind: 'change'; readonly change: NotebookPart['change'] }
	| { readonly kind: 'refused'; readonly message: string } {
	const { json, cells } = notebook;
	if (json === undefined) return { kind: 'change', change: { path, expectedCells: cells, edit } };
	const plan = planCellEdit(json, edit);
	if (plan.kind === 'refused') return plan;
	return { kind: 'change', change: { path, expected: json, edits: plan.edits } };
}

function refused(message: string): { readonly kind: 'refused'; readonly message: string } {
	return { kind: 'refused', message };
}
