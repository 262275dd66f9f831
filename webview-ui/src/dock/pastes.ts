// Large pasted texts stand in the draft as a mark of one line; the whole text is sent. Pure. Contract: nothing is lost: a mark
// that the person deletes takes its text with it, one that they keep is replaced by exactly the text that was pasted.

/** By their mark. */
export type Pastes = Readonly<Record<string, string>>;

const manyLines = 30;
const manyCharacters = 4_000;

export function isLargePaste(text: string): boolean {
	return text.length > manyCharacters || lineCount(text) > manyLines;
}

export function lineCount(text: string): number {
	return text.split(/\r\n|\r|\n/).length;
}

/** Those whose mark is in the draft. */
export function pastesIn(draft: string, pastes: Pastes): Pastes {
	return Object.fromEntries(Object.entries(pastes).filter(([mark]) => draft.includes(mark)));
}

/** What is sent: each mark replaced by its text, once. */
export function unfolded(draft: string, pastes: Pastes): string {
	const marks = Object.keys(pastes).filter((mark) => draft.includes(mark));
	if (marks.length === 0) return draft;
	// Longest first, in one pass: a pasted text that holds a mark stays as it is.
	const pattern = new RegExp(
		marks
			.toSorted((a, b) => b.length - a.length)
			.map((mark) => mark.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
			.join('|'),
		'g',
	);
	return draft.replaceAll(pattern, (mark) => pastes[mark] ?? mark);
}

/** A mark that is not in use: `name` makes one of a number. */
export function freshMark(draft: string, pastes: Pastes, name: (index: number) => string): string {
	let index = 1;
	while (name(index) in pastes || draft.includes(name(index))) index++;
	return name(index);
}
