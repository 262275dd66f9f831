// Reads a command line as a syntax tree, without running it. Adapter: `TreeSitterShellParser` (wasm grammars, loaded on
// first use).

/** A node of the tree. Ranges are UTF-16 offsets into the source. */
export interface SyntaxNode {
	/** The grammar's name of it. */
	readonly type: string;
	readonly start: number;
	readonly end: number;
	/** Its role in the parent, such as `name` or `body`. */
	readonly field?: string;
	readonly named: boolean;
	/** True when the grammar had to guess here or below. */
	readonly hasError: boolean;
	readonly children: readonly SyntaxNode[];
}

export type ShellLanguage = 'bash' | 'powershell';

/** Contract: never rejects a source; what it cannot read has `hasError`. */
export type ParseSource = (source: string) => SyntaxNode;

export interface ShellParser {
	/** Contract: rejects only when the grammar cannot be loaded; whoever asks then treats the command as not understood. */
	load(language: ShellLanguage): Promise<ParseSource>;
}
