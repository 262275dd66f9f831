// How a table says which files a program writes and reads.
import type { OptionTable } from './options.ts';

/** What a program does with its operands; `last`: with the last one, and `others` with those before it. */
export type Use = 'write' | 'remove' | 'read' | 'none';

export interface ProgramFiles {
	readonly options: OptionTable;
	readonly operands?: Use;
	readonly last?: Use;
	/** Operands that are no files, at the start: a mode, a pattern. */
	readonly skip?: number;
	/** Options that say what would be skipped otherwise. */
	readonly instead?: readonly string[];
	/** Options whose value is written, or read. */
	readonly writes?: readonly string[];
	readonly reads?: readonly string[];
	/** Options with which operands are written, such as sed's `-i`. */
	readonly inPlace?: readonly string[];
	/** Options that name the folder which is written to, instead of the last operand or of the current folder. */
	readonly into?: readonly string[];
	/** Options with which what else is in the last operand's folder goes. */
	readonly empties?: readonly string[];
	/** Options with which it goes into folders. `always`: it does anyway. */
	readonly deep?: readonly string[] | 'always';
	/** Options that start programs or take their orders from a file. */
	readonly runs?: readonly string[];
	/** It reads the current folder when it has no operand; only with one of these options, if any are given. */
	readonly here?: 'always' | readonly string[];
	/** It writes to the current folder, under names that are not known. */
	readonly spreads?: boolean;
}
