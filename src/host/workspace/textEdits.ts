// Offsets of a file's text, carried over to the text of a document, whose line ends are all alike. Pure.
import type { TextEdit } from '../../core/ports/workspace.ts';

export type LineEnd = '\n' | '\r\n';

/** The text as a document with these line ends holds it. */
export function withLineEnds(text: string, end: LineEnd): string {
	const plain = text.replaceAll(/\r\n|\r/g, '\n');
	return end === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** True when a document would change the text's line ends: not all are alike, or they are of a kind that it does not keep. */
export function hasMixedLineEnds(text: string): boolean {
	const kinds = new Set(text.match(/\r\n|\r|\n/g));
	return kinds.size > 1 || kinds.has('\r');
}

/** The line end that most lines have; of none: `\n`. */
export function mainLineEnd(text: string): LineEnd {
	const all = text.split('\n').length - 1;
	const crlf = text.split('\r\n').length - 1;
	return crlf * 2 > all ? '\r\n' : '\n';
}

/** The text with the edits in it. They do not overlap; any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
	let result = '';
	let at = 0;
	for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
		result += text.slice(at, edit.start) + edit.text;
		at = edit.end;
	}
	return result + text.slice(at);
}
