// Paths of rules and of the secrets policy, matched as git matches its ignore files. Pure.
// Rule: a pattern that names a folder holds for all that lies in it.
import ignore from 'ignore';

export interface PathPattern {
	/** `relative`: below the pattern's anchor, with `/`; '' is the anchor itself. `anyCase`: case makes no difference. */
	matches(relative: string, anyCase: boolean): boolean;
}

/** Patterns in order, the last that fits decides (`!` takes back). Throws for text that is no pattern. */
export function pathPattern(patterns: readonly string[]): PathPattern {
	const exact = ignore({ ignorecase: false }).add([...patterns]);
	const loose = ignore({ ignorecase: true }).add(patterns.map((pattern) => pattern.normalize('NFC')));
	const whole = patterns.some((pattern) => /^\/?\**\/?$/.test(pattern));
	return {
		matches(relative, anyCase) {
			if (relative === '') return whole;
			const path = anyCase ? relative.normalize('NFC') : relative;
			if (!ignore.isPathValid(path)) return anyCase;
			const matcher = anyCase ? loose : exact;
			// What does not exist yet, or is not looked at, may be a folder.
			return matcher.ignores(path) || (!path.endsWith('/') && matcher.ignores(`${path}/`));
		},
	};
}
