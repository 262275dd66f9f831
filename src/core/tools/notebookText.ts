// Changes of a notebook's JSON as edits of its text: other cells, outputs, ids, metadata, the order of keys, indentation,
// line ends and the final newline keep their bytes. Pure.
import type { CellEdit, TextEdit } from '../ports/workspace.ts';
import type { JsonMember, JsonSpan } from '../util/jsonSpans.ts';
import { jsonSpans, memberOf } from '../util/jsonSpans.ts';
import { applyEdits, lineEdits } from './edits.ts';
import { cellsAfter, parseNotebook, sameCells } from './notebook.ts';

export type NotebookPlan =
	| { readonly kind: 'plan'; readonly edits: readonly TextEdit[] }
	| { readonly kind: 'refused'; readonly message: string };

/** Contract: what applies is a valid notebook with exactly the cells that were meant. */
export function planCellEdit(text: string, edit: CellEdit): NotebookPlan {
	const before = parseNotebook(text);
	if (before.kind === 'invalid') return { kind: 'refused', message: before.message };
	const spans = jsonSpans(text);
	const list = memberOf(spans, 'cells')?.value;
	const edits = list && editsOf({ text, layout: layoutOf(text, spans), list, edit });
	if (edits === undefined) return { kind: 'refused', message: 'its cell could not be found in the text' };
	const after = parseNotebook(applyEdits(text, edits));
	if (after.kind === 'invalid' || !sameCells(after.cells, cellsAfter(before.cells, edit))) {
		return { kind: 'refused', message: 'its layout is too unusual to be changed safely' };
	}
	return { kind: 'plan', edits };
}

/** How the file is written. `newline` is empty when all is on one line. */
interface Layout {
	readonly newline: string;
	/** One level of indentation. */
	readonly unit: string;
	/** Between a colon, or a comma on one line, and what follows. */
	readonly space: string;
	/** Non-ASCII characters are written as `\u` escapes. */
	readonly escaped: boolean;
}

function layoutOf(text: string, spans: JsonSpan): Layout {
	const first = spans.members[0];
	const lead = text.slice(spans.start + 1, first?.keyStart ?? spans.start + 1);
	const colon = first === undefined ? '' : text.slice(first.keyStart, first.value.start);
	const newline = lead.includes('\r\n') ? '\r\n' : lead.includes('\n') ? '\n' : '';
	return {
		newline,
		unit: newline === '' ? '' : lead.slice(lead.lastIndexOf('\n') + 1),
		space: /\s$/.test(colon) ? ' ' : '',
		escaped: /\\u[0-9a-f]{4}/i.test(text) && Buffer.byteLength(text) === text.length,
	};
}

interface Change {
	readonly text: string;
	readonly layout: Layout;
	readonly list: JsonSpan;
	readonly edit: CellEdit;
}

function editsOf(change: Change): readonly TextEdit[] | undefined {
	const { text, list, edit } = change;
	const cells = list.items;
	const cell = cells[edit.index];
	if (edit.kind === 'insert') return inserted(change, edit);
	if (cell === undefined) return undefined;
	if (edit.kind === 'delete') {
		const [before, next] = [cells[edit.index - 1], cells[edit.index + 1]];
		if (next !== undefined) return [{ start: cell.start, end: next.start, text: '' }];
		if (before !== undefined) return [{ start: before.end, end: cell.end, text: '' }];
		return [{ start: list.start, end: list.end, text: '[]' }];
	}
	const source = memberOf(cell, 'source');
	const type = memberOf(cell, 'cell_type');
	if (source === undefined || type === undefined) return undefined;
	const put = sourceText(change, { lines: linesOf(edit.source), whole: edit.source }, source);
	const edits = lineEdits(text.slice(source.value.start, source.value.end), put).map((part) => ({
		start: part.start + source.value.start,
		end: part.end + source.value.start,
		text: part.text,
	}));
	const typed = JSON.parse(text.slice(type.value.start, type.value.end)) === edit.type ? [] : retyped(change, cell);
	return [...edits, ...typed].toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** Source and outputs of a cell are lists of lines, each with its end. */
function linesOf(source: string): readonly string[] {
	return source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The new value of `source`, in the form that the old one has; a line that stays is written as it was. */
function sourceText(
	{ text, layout }: Change,
	source: { readonly lines: readonly string[]; readonly whole: string },
	{ keyStart, value }: JsonMember,
): string {
	const old = text.slice(value.start, value.end);
	if (!old.startsWith('[')) return quoted(source.whole, layout);
	if (source.lines.length === 0) return '[]';
	const known = new Map(
		value.items.map((item) => {
			const raw = text.slice(item.start, item.end);
			return [JSON.parse(raw) as string, raw];
		}),
	);
	const lines = source.lines.map((line) => known.get(line) ?? quoted(line, layout));
	const oneLine = layout.newline === '' || (value.items.length > 0 && !old.includes('\n'));
	if (oneLine) return `[${lines.join(`,${layout.space}`)}]`;
	const margin = indentAt(text, keyStart);
	const [first] = value.items;
	const inner = first === undefined ? margin + layout.unit : indentAt(text, first.start);
	return `[${layout.newline}${inner}${lines.join(`,${layout.newline}${inner}`)}${layout.newline}${margin}]`;
}

/** White space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
	const start = text.lastIndexOf('\n', offset - 1) + 1;
	return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

function quoted(text: string, { escaped }: Layout): string {
	const json = JSON.stringify(text);
	if (!escaped) return json;
	return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function inserted(change: Change, edit: Extract<CellEdit, { kind: 'insert' }>): readonly TextEdit[] | undefined {
	const { text, layout, list } = change;
	const cells = list.items;
	const margin = cells[0] === undefined ? indentAt(text, list.start) + layout.unit : indentAt(text, cells[0].start);
	const gap = layout.newline === '' ? layout.space : layout.newline + margin;
	const cell = cellText(edit, layout, margin);
	const [before, next] = [cells[edit.index - 1], cells[edit.index]];
	if (next !== undefined) return [{ start: next.start, end: next.start, text: `${cell},${gap}` }];
	if (before !== undefined) return [{ start: before.end, end: before.end, text: `,${gap}${cell}` }];
	if (edit.index !== 0) return undefined;
	const close = layout.newline === '' ? '' : layout.newline + indentAt(text, list.start);
	return [{ start: list.start, end: list.end, text: `[${layout.newline === '' ? '' : gap}${cell}${close}]` }];
}

function cellText({ type, source, id }: Extract<CellEdit, { kind: 'insert' }>, layout: Layout, margin: string): string {
	const { newline, unit, space } = layout;
	const inner = margin + unit;
	const lines = linesOf(source).map((line) => quoted(line, layout));
	const list =
		newline === '' || lines.length === 0
			? `[${lines.join(`,${space}`)}]`
			: `[${newline}${inner}${unit}${lines.join(`,${newline}${inner}${unit}`)}${newline}${inner}]`;
	const code = type === 'code';
	const members = [
		['cell_type', JSON.stringify(type)],
		...(code ? [['execution_count', 'null']] : []),
		...(id === undefined ? [] : [['id', JSON.stringify(id)]]),
		['metadata', '{}'],
		...(code ? [['outputs', '[]']] : []),
		['source', list],
	].map(([key, value]) => `"${key}":${space}${value}`);
	if (newline === '') return `{${members.join(`,${space}`)}}`;
	return `{${newline}${inner}${members.join(`,${newline}${inner}`)}${newline}${margin}}`;
}

/** The other type: only code cells have outputs and a count of runs. */
function retyped({ text, layout, edit }: Change, cell: JsonSpan): readonly TextEdit[] {
	const type = memberOf(cell, 'cell_type');
	const source = memberOf(cell, 'source');
	if (type === undefined || source === undefined || edit.kind === 'delete') return [];
	const edits: TextEdit[] = [{ start: type.value.start, end: type.value.end, text: JSON.stringify(edit.type) }];
	const gap = layout.newline === '' ? layout.space : layout.newline + indentAt(text, type.keyStart);
	if (edit.type === 'code') {
		const add = (key: string, value: string): string => `"${key}":${layout.space}${value},${gap}`;
		const missing = (
			[
				['execution_count', 'null'],
				['outputs', '[]'],
			] as const
		).filter(([key]) => !memberOf(cell, key));
		const put = missing.map(([key, value]) => add(key, value)).join('');
		edits.push({ start: source.keyStart, end: source.keyStart, text: put });
		return edits;
	}
	for (const [index, member] of cell.members.entries()) {
		if (member.key !== 'execution_count' && member.key !== 'outputs') continue;
		const next = cell.members[index + 1];
		const before = cell.members[index - 1];
		if (next !== undefined) edits.push({ start: member.keyStart, end: next.keyStart, text: '' });
		else if (before !== undefined) edits.push({ start: before.value.end, end: member.value.end, text: '' });
	}
	return edits;
}
