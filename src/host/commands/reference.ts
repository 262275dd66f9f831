// How a place in the code is written into a prompt. Pure.
import { fenced } from '../../core/util/fenced.ts';

export interface CodePlace {
	/** Relative to the workspace, or the name of an unsaved document. */
	readonly path: string;
	/** 1-based, with `code`. */
	readonly firstLine?: number;
	readonly lastLine?: number;
	/** Absent: the whole file, which the agent reads by itself. */
	readonly code?: string;
	readonly language?: string;
}

/** The path, and for a part of a file its lines and the code in a fence that the code cannot close. */
export function reference(place: CodePlace, lines: (first: number, last: number) => string): string {
	const { path, firstLine, lastLine, code, language = '' } = place;
	if (code === undefined || firstLine === undefined || lastLine === undefined) return `\`${path}\``;
	return `\`${path}\` (${lines(firstLine, lastLine)})\n${fenced(code.replace(/\r?\n$/, ''), language)}`;
}
