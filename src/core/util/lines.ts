// Lines of a text without making all of them: files of hundreds of megabytes are shown page by page. Pure.

/** Lines end with `\n` or `\r\n`; a final line end starts no further line. Empty text has none. */
export function countLines(text: string): number {
	let count = 0;
	for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
	return text === '' || text.endsWith('\n') ? count : count + 1;
}

/** At most `count` lines from `first` (counted from 1), without their ends. */
export function linesFrom(text: string, first: number, count: number): string[] {
	let start = 0;
	for (let line = 1; line < first; line++) {
		const end = text.indexOf('\n', start);
		if (end === -1) return [];
		start = end + 1;
	}
	const lines: string[] = [];
	while (lines.length < count && start < text.length) {
		const found = text.indexOf('\n', start);
		const end = found === -1 ? text.length : found;
		lines.push(text.slice(start, found !== -1 && text[end - 1] === '\r' ? end - 1 : end));
		start = end + 1;
	}
	return lines;
}
