// Finds text in the rows of a conversation, whether the panel has them or not. A long conversation is searched in slices, so that
// the extension host stays free. Pure but for the pause it is given.
import { foldedText } from '../../shared/foldedText.ts';
import type { FoundRow } from '../../shared/protocol.ts';
import type { Row } from '../../shared/view.ts';
import { rowText } from './rowText.ts';

/** Characters after which others get their turn. */
const slice = 2_000_000;
/** Rows that are named; further ones only count. */
export const namedRows = 5000;

export interface Found {
	readonly rows: readonly FoundRow[];
	/** Places in all rows. */
	readonly total: number;
}

/** Without case; `undefined` when `wanted` says no at a pause. */
export async function findRows(
	rows: readonly Row[],
	query: string,
	wanted: () => Promise<boolean>,
): Promise<Found | undefined> {
	const needle = foldedText(query);
	if (needle.trim() === '') return { rows: [], total: 0 };
	const found: FoundRow[] = [];
	let total = 0;
	let seen = 0;
	for (const row of rows) {
		const text = rowText(row);
		const count = placesIn(text, needle);
		total += count;
		if (count > 0 && found.length < namedRows) found.push({ rowId: row.id, count });
		seen += text.length;
		if (seen < slice) continue;
		seen = 0;
		if (!(await wanted())) return undefined;
	}
	return { rows: found, total };
}

/** How often it is there. Where marks of Markdown stand between the words of a query without any, they are looked over. */
function placesIn(text: string, needle: string): number {
	const lower = foldedText(text);
	const count = occurrences(lower, needle);
	if (count > 0 || /[*_`]/.test(needle) || !/[*_`]/.test(lower)) return count;
	return occurrences(lower.replace(/[*_`]+/g, ''), needle);
}

function occurrences(text: string, needle: string): number {
	let count = 0;
	for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) count += 1;
	return count;
}
