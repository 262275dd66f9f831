// Offsets of a file's text, carried over to the text of a document, whose line ends are all alike. Pure.
export type LineEnd = '\n' | '\r\n';

/** The text as a document with these line ends holds it. */
export function withLineEnds(text: string, end: LineEnd): string {
	const plain = text.replaceAll(/\r\n|\r/g, '\n');
	return end === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** True when a document can hold the text with these line ends and give it back. */
export function keepsLineEnds(text: string, end: LineEnd): boolean {
	return withLineEnds(text, end) === text;
}

/** The line ends that all lines have, if they are alike and a document can have them; `undefined` for none or several. */
export function onlyLineEnd(text: string): LineEnd | undefined {
	const end = text.includes('\r\n') ? '\r\n' : '\n';
	return /[\r\n]/.test(text) && keepsLineEnds(text, end) ? end : undefined;
}

export function hasLineEnds(text: string): boolean {
	return /[\r\n]/.test(text);
}
