// Cuts a growing list into parts that are drawn together. Pure. Contract: where a part begins once, one begins for good, so that
// what is added at either end leaves the parts in between (and what was opened in them) as they are.

export interface Part<T> {
	/** Of its first item. */
	readonly key: string;
	readonly items: readonly T[];
}

export interface Cutting<T> {
	readonly keyOf: (item: T) => string;
	/** How many rows an item has. */
	readonly sizeOf: (item: T) => number;
	/** Rows from which on a part takes no further item. */
	readonly full: number;
}

/** Parts that did not change are the same objects as before. */
export function parts<T>(items: readonly T[], by: Cutting<T>, previous: readonly Part<T>[]): readonly Part<T>[] {
	const known = new Map(previous.map((part) => [part.key, part]));
	const found: { readonly key: string; readonly items: T[]; size: number }[] = [];
	for (const item of items) {
		const key = by.keyOf(item);
		const last = found.at(-1);
		if (!last || last.size >= by.full || known.has(key)) found.push({ key, items: [item], size: by.sizeOf(item) });
		else {
			last.items.push(item);
			last.size += by.sizeOf(item);
		}
	}
	return found.map(({ key, items: inside }) => {
		const before = known.get(key);
		return before && same(before.items, inside) ? before : { key, items: inside };
	});
}

function same<T>(a: readonly T[], b: readonly T[]): boolean {
	return a.length === b.length && a.every((item, index) => item === b[index]);
}
