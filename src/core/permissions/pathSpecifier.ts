// The path in a rule such as `Edit(src/**)`: where it starts, and what it covers. Pure. Source: ecosystem 2.4.
import type { PathPattern } from './pathPattern.ts';
import { pathPattern } from './pathPattern.ts';

/** `cwd`: the session's root. `source`: the folder that the rule's file belongs to. */
export type PathBase = 'cwd' | 'source' | 'home' | 'filesystem';

export interface PathSpecifier {
	readonly kind: 'path';
	readonly base: PathBase;
	/** As git writes it; one that begins with `/` starts at the base, any other may lie at any depth. */
	readonly pattern: string;
	/** `below`: a folder and all in it. `exact`: one path, and what lies in it. */
	readonly match: 'exact' | 'below' | 'pattern';
	/** A lone folder (`src/**`): rules that forbid hold for a folder of that name at any depth. */
	readonly deep: boolean;
}

/** The specifier, or a sentence on why it cannot be read. */
export function parsePathSpecifier(written: string): PathSpecifier | string {
	const inner = written.replaceAll('\\', '/');
	const [base, rest, anchored] = baseOf(inner);
	if (rest.includes('\0')) return 'A path must not contain a NUL character.';
	if (/[{}]/.test(rest)) return 'Braces are not understood in paths; write one rule for each.';
	const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
	if (segments.includes('..')) return 'A path of a rule must not contain "..".';
	const below = segments.at(-1) === '**';
	const named = below ? segments.slice(0, -1) : segments;
	if (named.length === 0 && !below && !rest.endsWith('/')) return 'The path is empty.';
	const path = named.length === 0 ? '**' : named.join('/');
	if (path.startsWith('!')) return 'A rule cannot take paths back with "!".';
	const starts = anchored || below || named.length > 1;
	const escaped = starts || !path.startsWith('#') ? path : `\\${path}`;
	const pattern = `${starts ? '/' : ''}${escaped}`;
	const plain = starts && !/[*?[\]]/.test(path);
	const specifier: PathSpecifier = {
		kind: 'path',
		base,
		pattern,
		match: below || (starts && rest.endsWith('/')) ? 'below' : plain ? 'exact' : 'pattern',
		deep: below && !anchored && named.length === 1 && path !== '**',
	};
	try {
		compilePath(specifier);
	} catch {
		return 'This is no pattern for paths.';
	}
	return specifier;
}

/** How the paths of rules that allow, and of rules that forbid, are matched. Throws for text that is no pattern. */
export function compilePath({ pattern, deep }: PathSpecifier): {
	readonly allow: PathPattern;
	readonly forbid: PathPattern;
} {
	// As git reads them, spaces at the end would not count.
	const kept = pattern.replace(/\s(?=\s*$)/g, '[$&]');
	const allow = pathPattern([kept]);
	return { allow, forbid: deep ? pathPattern([`**${kept}`]) : allow };
}

/** Base, what follows it, and whether it starts right there. */
function baseOf(text: string): [PathBase, string, boolean] {
	if (text.startsWith('//')) return ['filesystem', text.slice(2).replace(/^([A-Za-z]):(?=\/|$)/, '$1'), true];
	if (/^[A-Za-z]:\//.test(text)) return ['filesystem', `${text[0]}${text.slice(2)}`, true];
	if (text.startsWith('~/')) return ['home', text.slice(2), true];
	if (text.startsWith('/')) return ['source', text.slice(1), true];
	if (text.startsWith('./')) return ['cwd', text.slice(2), true];
	return ['cwd', text, false];
}

/** As text that reads back the same. */
export function printPath({ base, pattern, match, deep }: PathSpecifier): string {
	const anchored = pattern.startsWith('/');
	const path = anchored ? pattern.slice(1) : pattern.replace(/^\\#/, '#');
	const bare = path === '**';
	// A rule's text is trimmed: a space that ends the path needs something behind it.
	const end = match === 'below' && !bare ? '/**' : /\s$/.test(path) ? '/.' : '';
	// In a rule, a lone * is the whole tool.
	if (base === 'cwd' && pattern === '*') return '*/';
	switch (base) {
		case 'filesystem':
			return `//${path}${end}`;
		case 'home':
			return `~/${path}${end}`;
		case 'source':
			return `/${path}${end}`;
		case 'cwd':
			return anchored && !bare && !deep && needsDot(path) ? `./${path}${end}` : `${path}${end}`;
	}
}

/** Without the dot, this would start elsewhere, or at any depth. */
function needsDot(path: string): boolean {
	return !path.includes('/') || /^\s/.test(path) || baseOf(path)[0] !== 'cwd';
}
