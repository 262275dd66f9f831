// Cuts long code into pieces that are drawn and coloured one by one. Pure. Contract: joined they are the code, and while code grows
// every piece but the last stays as it is.

/** Lines from which on a piece ends where a part of the code seems to end, and at most; characters, at most but for one line. */
const bounds = { few: 20, most: 60, characters: 2500 };

export function codePieces(code: string): readonly string[] {
	const pieces: string[] = [];
	let [start, lines] = [0, 0];
	for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) {
		const next = at + 1;
		// Of the line that begins here the first letter decides, so it has to be there.
		if (next >= code.length) break;
		lines += 1;
		const over = lines >= bounds.most || next - start >= bounds.characters;
		if (!over && !(lines >= bounds.few && beginsAnew(code, at))) continue;
		pieces.push(code.slice(start, next));
		[start, lines] = [next, 0];
	}
	pieces.push(code.slice(start));
	return pieces;
}

/** An empty line ends at `at`, and what follows is not indented: rarely is that within a comment or a text. */
function beginsAnew(code: string, at: number): boolean {
	return code[at - 1] === '\n' && !/\s/.test(code[at + 1] ?? ' ');
}
