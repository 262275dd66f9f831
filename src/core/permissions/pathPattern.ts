// Paths of rules and of the secrets policy, matched as git matches its ignore files. Pure.
// Rule: a pattern that names a folder holds for all that lies in it.
import ignore from 'ignore';

export interface PathPattern {
	/** `relative`: below the pattern's anchor, with `/`; '' is the anchor itself. `anyCase`: case makes no difference. */
	matches(relative: string, anyCase: boolean): boolean;
}

/** Patterns in order, the last that fits decides (`!` takes back). Throws for text that is no pattern. */
export function pathPattern(patterns: readonly string[]): PathPattern {
	// Made when a path comes that may fit: there are dozens of patterns, and a path that looks like a secret is rare.
	const exact = once(() => ignore({ ignorecase: false }).add([...patterns]));
	const loose = once(() => ignore({ ignorecase: true }).add(patterns.map((pattern) => pattern.normalize('NFC'))));
	// What may be no pattern throws here, and not later.
	if (patterns.some((pattern) => /[[\]\\]/.test(pattern))) void [exact(), loose()];
	const whole = patterns.some((pattern) => /^\/?\**\/?$/.test(pattern));
	const named = literals(patterns);
	return {
		matches(relative, anyCase) {
			if (relative === '') return whole;
			const path = anyCase ? relative.normalize('NFC') : relative;
			if (!ignore.isPathValid(path)) return anyCase;
			// Nearly no path has a piece of a pattern in it: one look instead of one for each pattern.
			if (named?.test(path.normalize('NFC')) === false) return false;
			const matcher = anyCase ? loose() : exact();
			// What does not exist yet, or is not looked at, may be a folder.
			return matcher.ignores(path) || (!path.endsWith('/') && matcher.ignores(`${path}/`));
		},
	};
}

function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | undefined;
	return () => (made ??= { value: make() }).value;
}

/** Finds every path that one of the patterns may fit: each has the longest plain piece of the pattern in it. */
function literals(patterns: readonly string[]): RegExp | undefined {
	const pieces = patterns
		.filter((pattern) => !pattern.startsWith('!'))
		.map((pattern) => longestPiece(pattern.normalize('NFC')));
	if (pieces.length === 0 || pieces.includes('')) return undefined;
	return new RegExp([...new Set(pieces)].map((piece) => piece.replace(/[.+^$()|-]/g, '\\$&')).join('|'), 'i');
}

function longestPiece(pattern: string): string {
	// Escapes and character classes say less than they show.
	if (/[\\[\]{}]/.test(pattern)) return '';
	return pattern.split(/[*?!/\s]+/).toSorted((a, b) => b.length - a.length)[0] ?? '';
}
