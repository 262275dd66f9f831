// What reading words needs to know of the tree around them, and whom it tells what it finds.
import type { Unclear } from '../shellAnalysis.ts';

/** A substitution that a word holds; `code` is the text to parse, absent when the tree already has it at `start`. */
interface Substitution {
	readonly start: number;
	readonly end: number;
	readonly code?: string;
}

/** Where the tree says that a substitution ends. */
export interface Known {
	readonly type: string;
	readonly end: number;
}

export interface WordHost {
	readonly source: string;
	/** The substitution or expansion of the tree that starts here. */
	known(start: number): Known | undefined;
	/** A substitution is part of what was read. */
	found(substitution: Substitution): void;
	/** An arithmetic text: what it names is evaluated again by the shell. */
	arithmetic(start: number, end: number): void;
	/** A variable is set on the way (`${x:=…}`). */
	assigned(name: string): void;
	/** Its text when it is known beforehand, such as HOME. */
	variable(name: string): string | undefined;
	home(): string | undefined;
	problem(code: Unclear['code'], start: number, end: number): void;
}

export interface Part {
	readonly text: string | undefined;
	readonly quoted: boolean;
}
