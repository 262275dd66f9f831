// One command as it stands in the text, and what whoever looks into it needs.
import type { Collector, Flavour, Folders, Place } from './collector.ts';
import type { ReadWord } from './words.ts';

export interface Invocation {
	readonly words: readonly ReadWord[];
	readonly assignments: readonly { readonly name: string; readonly value?: string }[];
	readonly place: Place;
	/** A redirection stands with it. */
	readonly redirected: boolean;
	/** Its input comes from a file or text of the command line. */
	readonly input: boolean;
}

/** The folders after success and after failure; none: it does not go on. */
export interface Flow {
	readonly ok: Folders;
	readonly fail: Folders;
}

export interface Launching {
	readonly collector: Collector;
	readonly flavour: Flavour;
	/** Another program, or (not `external`) another command of the shell. */
	invoke(invocation: Invocation, external: boolean): Flow;
	/** Names that are put into the environment. */
	environment(names: readonly string[]): void;
	/** A variable's text cannot be code. */
	isHarmless(name: string): boolean;
	/** Code in a string, run in a shell of the flavour at the place. */
	nested(code: string, place: Place, flavour: Flavour): Flow;
}

/** The same place, inside of one more wrapper. */
export function within(place: Place, wrapper: string, folders: Folders = place.folders): Place {
	return { ...place, wrappers: [...place.wrappers, wrapper], folders, depth: place.depth + 1 };
}

const reserved =
	/^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|in|[{}!]|\[\[|\]\]|coproc)$/;

/** A word of the shell's grammar: where a command's name should be, the tree was read wrongly. */
export function isReserved({ plain, text }: ReadWord): boolean {
	return plain === true && reserved.test(text);
}
