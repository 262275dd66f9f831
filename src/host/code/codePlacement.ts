// Where a block of code of an answer belongs in a text. Only a proposal: the person sees the difference before anything changes.
// Pure.

export interface CodeTarget {
	readonly text: string;
	/** Offsets; equal for a mere cursor. */
	readonly selection: { readonly start: number; readonly end: number };
	/** The fence names this file: without a better place the block is all of it. */
	readonly named: boolean;
}

/**
 * The text with the code in it. In this order: the code takes the place of the selection; of the lines between its own first and
 * last line; of all of a named file; else it goes to the cursor, on lines of its own.
 */
export function placedCode({ text, selection, named }: CodeTarget, code: string): string {
	const end = text.includes('\r\n') ? '\r\n' : '\n';
	const lines = code
		.replace(/\r\n?/g, '\n')
		.replace(/^(?:[ \t]*\n)+|\s+$/g, '')
		.split('\n');
	const block = lines.join(end);
	if (block === '') return text;
	if (selection.end > selection.start) return text.slice(0, selection.start) + block + text.slice(selection.end);
	const place = placeOf(text, lines);
	if (place) return text.slice(0, place.start) + block + text.slice(place.end);
	if (named) return block + end;
	const line = text.lastIndexOf('\n', selection.start - 1) + 1;
	const blank = text.slice(line, selection.start).trim() === '';
	const before = text.slice(0, blank ? line : selection.start);
	return before + (blank ? '' : end) + block + end + text.slice(blank ? line : selection.start);
}

interface Line {
	readonly text: string;
	readonly start: number;
	readonly end: number;
}

/** From the only line that equals the block's first to the nearest below that equals its last, blanks at the end aside. */
function placeOf(text: string, block: readonly string[]): { readonly start: number; readonly end: number } | undefined {
	const first = block[0]?.trimEnd() ?? '';
	const last = block.at(-1)?.trimEnd() ?? '';
	if (block.length < 2) return undefined;
	const lines = linesOf(text);
	const [begin, ...others] = lines.filter((line) => line.text === first);
	if (!begin || others.length > 0) return undefined;
	const until = lines.find((line) => line.start > begin.start && line.text === last);
	return until && { start: begin.start, end: until.end };
}

function linesOf(text: string): readonly Line[] {
	const lines: Line[] = [];
	let start = 0;
	for (const line of text.split('\n')) {
		const bare = line.trimEnd();
		lines.push({ text: bare, start, end: start + bare.length });
		start += line.length + 1;
	}
	return lines;
}
