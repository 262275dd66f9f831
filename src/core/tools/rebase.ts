// Edits that were computed on one text, moved to what has become of it (three-way). Pure.
// Contract: gives back nothing rather than touch a line that was changed meanwhile.
import type { TextEdit } from '../ports/workspace.ts';
import type { EditPlan } from './edits.ts';
import { applyEdits, lineEdits, plainLineEnds } from './edits.ts';

/** The edits (ascending, apart, on `base`) on `current`; undefined where both changed the same lines. */
export function rebase(base: string, edits: readonly TextEdit[], current: string): EditPlan | undefined {
	if (base === current) return { edits, newText: applyEdits(base, edits) };
	const lines = plainLineEnds(base);
	const others = lineEdits(base, current);
	const moved: TextEdit[] = [];
	let index = 0;
	let shift = 0;
	for (const edit of edits) {
		let other = others[index];
		while (other !== undefined && isBefore(lines, other, edit)) {
			shift += other.text.length - (other.end - other.start);
			other = others[++index];
		}
		if (other !== undefined && !isBefore(lines, edit, other)) return undefined;
		moved.push({ start: edit.start + shift, end: edit.end + shift, text: edit.text });
	}
	return { edits: moved, newText: applyEdits(current, moved) };
}

/** The lines that the one touches end before those of the other begin. */
function isBefore(text: string, one: TextEdit, other: TextEdit): boolean {
	const end = text.indexOf('\n', one.end);
	if (end === -1) return false;
	const start = other.start === 0 ? 0 : text.lastIndexOf('\n', other.start - 1) + 1;
	return end < start;
}
