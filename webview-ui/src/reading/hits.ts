// Which place of which row a number means, among all that were found. Pure.
import type { FoundRow } from '../../../src/shared/protocol.ts';

export interface Hit {
	readonly index: number;
	readonly rowId: string;
	readonly place: number;
}

/** The place with this index; counted around from both ends (-1 is the last). Undefined when nothing was found. */
export function startOf(rows: readonly FoundRow[], index: number): Hit | undefined {
	const total = rows.reduce((sum, { count }) => sum + count, 0);
	if (total === 0) return undefined;
	const wanted = ((index % total) + total) % total;
	let before = 0;
	for (const { rowId, count } of rows) {
		if (wanted < before + count) return { index: wanted, rowId, place: wanted - before };
		before += count;
	}
	return undefined;
}
