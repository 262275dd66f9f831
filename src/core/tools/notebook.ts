// Notebooks as cells: reading them out of their JSON, showing them to the model, finding the cell that it names. Pure.
import type { CellEdit, NotebookCell } from '../ports/workspace.ts';
import { limits } from '../limits.ts';
import { clip } from '../util/text.ts';

export interface NotebookText {
	readonly kind: 'notebook';
	readonly cells: readonly NotebookCell[];
	/** Cells have ids from nbformat 4.5 on. */
	readonly hasIds: boolean;
}
export type ParsedNotebook = NotebookText | { readonly kind: 'invalid'; readonly message: string };

/** The cells of a notebook's JSON. `message` says what is wrong with it. */
export function parseNotebook(text: string): ParsedNotebook {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		return { kind: 'invalid', message: `it is no valid JSON (${error instanceof Error ? error.message : 'unknown'})` };
	}
	const cells = field(json, 'cells');
	const major = field(json, 'nbformat');
	if (!Array.isArray(cells) || typeof major !== 'number' || major < 4) {
		return { kind: 'invalid', message: 'it is no notebook of nbformat 4 (there is no list of cells)' };
	}
	const read: NotebookCell[] = [];
	for (const cell of cells as readonly unknown[]) {
		const type = field(cell, 'cell_type');
		const source = joined(field(cell, 'source'));
		if ((type !== 'code' && type !== 'markdown' && type !== 'raw') || source === undefined) {
			return { kind: 'invalid', message: `its cell ${read.length} has no type or no source` };
		}
		const id = field(cell, 'id');
		const outputs = field(cell, 'outputs');
		read.push({
			...(typeof id === 'string' ? { id } : {}),
			type,
			source: source.replaceAll('\r\n', '\n'),
			outputs: Array.isArray(outputs) ? outputs.flatMap(outputText) : [],
		});
	}
	const minor = field(json, 'nbformat_minor');
	return { kind: 'notebook', cells: read, hasIds: major > 4 || (typeof minor === 'number' && minor >= 5) };
}

function field(value: unknown, key: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
		? (value as Readonly<Record<string, unknown>>)[key]
		: undefined;
}

/** Text is stored whole or as its lines. */
function joined(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : undefined;
}

function outputText(output: unknown): string[] {
	const text = joined(field(output, 'text')) ?? joined(field(field(output, 'data'), 'text/plain'));
	const error = field(output, 'output_type') === 'error' ? [errorText(output)] : [];
	const data = field(output, 'data');
	const images =
		typeof data === 'object' && data !== null ? Object.keys(data).filter((mime) => mime.startsWith('image/')) : [];
	return [...(text === undefined ? [] : [text]), ...error, ...images.map((mime) => `[${mime}]`)];
}

function errorText(output: unknown): string {
	const [name, value] = [field(output, 'ename'), field(output, 'evalue')];
	return `${typeof name === 'string' ? name : 'Error'}: ${typeof value === 'string' ? value : ''}`;
}

/** How the model names each cell: its id, or `cell-N` by its place, from 0. An id that several have names none of them. */
export function cellLabels(cells: readonly NotebookCell[]): readonly string[] {
	const seen = new Map<string | undefined, number>();
	for (const { id } of cells) seen.set(id, (seen.get(id) ?? 0) + 1);
	return cells.map(({ id }, index) => (id !== undefined && seen.get(id) === 1 ? id : `cell-${index}`));
}

/** The place of the cell that is meant; `undefined` when there is none. */
export function findCell(cells: readonly NotebookCell[], name: string): number | undefined {
	const index = cellLabels(cells).indexOf(name);
	if (index !== -1) return index;
	const place = /^cell-(\d+)$/.exec(name)?.[1];
	return place !== undefined && Number(place) < cells.length ? Number(place) : undefined;
}

/** Types and sources under the cells' names: what people compare, and what staleness is judged by. Outputs may change. */
export function cellsText(cells: readonly NotebookCell[]): string {
	const labels = cellLabels(cells);
	return cells.map((cell, index) => `${heading(cell, labels[index])}\n${ended(cell.source)}`).join('');
}

/** The same with the outputs, for reading. */
export function cellsWithOutputs(cells: readonly NotebookCell[]): string {
	const labels = cellLabels(cells);
	return cells
		.map((cell, index) => {
			const outputs = cell.outputs.map((output) => `[output]\n${ended(clippedOutput(output))}`).join('');
			return `${heading(cell, labels[index])}\n${ended(cell.source)}${outputs}`;
		})
		.join('');
}

function heading(cell: NotebookCell, label: string | undefined): string {
	return `[cell ${label}: ${cell.type}]`;
}

function ended(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function clippedOutput(output: string): string {
	const lines = clip(output, limits.notebookOutputChars).split('\n');
	return lines.map((line) => clip(line, limits.hunkLineChars)).join('\n');
}

export function sameCells(one: readonly NotebookCell[], other: readonly NotebookCell[]): boolean {
	return (
		one.length === other.length &&
		one.every((cell, index) => {
			const twin = other[index];
			return cell.id === twin?.id && cell.type === twin?.type && cell.source === twin.source;
		})
	);
}

/** The cells after a change. */
export function cellsAfter(cells: readonly NotebookCell[], edit: CellEdit): NotebookCell[] {
	const after = [...cells];
	if (edit.kind === 'delete') after.splice(edit.index, 1);
	else if (edit.kind === 'insert') {
		const { type, source, id } = edit;
		after.splice(edit.index, 0, { ...(id === undefined ? {} : { id }), type, source, outputs: [] });
	} else {
		const { type, source, index } = edit;
		after.splice(index, 1, ...cells.slice(index, index + 1).map((cell) => ({ ...cell, type, source })));
	}
	return after;
}
