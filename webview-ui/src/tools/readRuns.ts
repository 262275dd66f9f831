// Rows of an answer in runs: what is alike and follows each other together, all else alone. Pure.

export function runs(ids: readonly string[], isAlike: (id: string) => boolean): readonly (readonly string[])[] {
	const found: string[][] = [];
	let together = false;
	for (const id of ids) {
		const alike = isAlike(id);
		const last = found.at(-1);
		if (alike && together && last) last.push(id);
		else found.push([id]);
		together = alike;
	}
	return found;
}
