// What a command line would do, as far as it can be known without running it: every command that would be started, every
// file it would write or read. Contract: what is not listed is not started and not written, unless `unclear` says so.

/** One word of a command. `value` is its text after quoting; absent when it is known only when the command runs. */
export interface ShellWord {
	/** As it is written. */
	readonly text: string;
	readonly value?: string;
	/** True when an unquoted glob stands in it, so that it may come to be several words. */
	readonly glob?: boolean;
	/** True when it may come to be none or several words: a glob, braces, an unquoted variable. */
	readonly several?: boolean;
}

/** One program, builtin or function that would be started. */
export interface ShellCommand {
	/** Its source text, trimmed. */
	readonly text: string;
	/** The command's name first; wrappers and assignments are taken off. */
	readonly words: readonly ShellWord[];
	/** `NAME=value` before the name, and what `env` sets. */
	readonly assignments: readonly { readonly name: string; readonly value?: string }[];
	/** Wrappers around it, outermost first: `sudo`, `timeout`, `xargs`, `find -exec`, `bash -c`, … */
	readonly wrappers: readonly string[];
	/** By itself it only reads. The files are in `reads`; one without a path could be any. */
	readonly readOnly?: boolean;
	/** The folder it would start in; absent when an earlier `cd` leads somewhere unknown. */
	readonly cwd?: string;
}

/** A file that the command line writes, removes or reads. */
export interface FileUse {
	/** As it is written. */
	readonly text: string;
	/** Absolute, not resolved through links; absent when it is known only when the command runs. */
	readonly path?: string;
	/** How: `redirection`, or the program's name. */
	readonly by: string;
	/** The source text of the command it belongs to. */
	readonly command: string;
	/** True when the path may stand for a whole folder or pattern. */
	readonly recursive?: boolean;
	/** `removed`: by rm, rmdir, unlink, mv's source and the like. Writes only. */
	readonly removed?: boolean;
	/** Of what lies there only what has certain names is removed. */
	readonly byName?: boolean;
}

/** A place that cannot be understood; such a command is asked about, never allowed by itself. */
export interface Unclear {
	readonly code:
		| 'syntax'
		| 'too_long'
		| 'dynamic_command'
		| 'dynamic_code'
		| 'dynamic_target'
		| 'unsupported'
		| 'no_parser'
		| 'environment';
	/** The source text in question, shortened. */
	readonly text: string;
}

export interface ShellAnalysis {
	/** In the order of the text. */
	readonly commands: readonly ShellCommand[];
	readonly writes: readonly FileUse[];
	readonly reads: readonly FileUse[];
	readonly unclear: readonly Unclear[];
	/** True when nothing in it writes, starts anything unknown or sends anything: it may run without a question. */
	readonly readOnly: boolean;
}
