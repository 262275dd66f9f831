// What the demo model can tell of source text by rule: the numbered lines of Read, the hits of Grep, an outline, the name of
// the language, and a few well-known smells. Pure.

export interface Line {
	readonly number: number;
	readonly text: string;
}

/** A line that Grep found. */
export interface Hit extends Line {
	readonly path: string;
}

const MAX_OUTLINE = 25;
const MAX_SHOWN = 100;
const LONG_LINE = 140;

/** The lines of a Read result (`<n>\t<text>`); notices between them are left out. */
export function linesOfRead(result: string): Line[] {
	return result.split('\n').flatMap((line) => {
		const match = /^\s*(\d+)\t(.*)$/.exec(line);
		return match ? [{ number: Number(match[1]), text: match[2] ?? '' }] : [];
	});
}

/** Code as numbered lines. */
export function linesOfCode(code: string): Line[] {
	return code
		.replace(/\n$/, '')
		.split('\n')
		.map((text, index) => ({ number: index + 1, text }));
}

/** The hits of a Grep result in content mode (`path:line:text`); other lines are left out. */
export function hitsOfGrep(result: string): Hit[] {
	return result.split('\n').flatMap((line) => {
		const match = /^(.+?):(\d+):(.*)$/.exec(line.slice(0, 2000));
		return match ? [{ path: match[1] ?? '', number: Number(match[2]), text: (match[3] ?? '').trim() }] : [];
	});
}

/** The file with the most to say about the words: many hits, the word in its name, no test and no prose. */
export function bestFile(hits: readonly Hit[], words: readonly string[]): string | undefined {
	const scores = new Map<string, number>();
	for (const { path } of hits) scores.set(path, Math.min(10, (scores.get(path) ?? 0) + 1));
	const scored = [...scores].map(([path, count]) => {
		const name = path.toLowerCase();
		const named = words.some((word) => name.includes(word.toLowerCase())) ? 10 : 0;
		const test = /(^|[/\\._-])(tests?|specs?|mocks?|fixtures?)([/\\._-]|$)/.test(name) ? 8 : 0;
		const prose = /\.(md|txt|json|lock|log|svg|ya?ml)$/.test(name) ? 8 : 0;
		return { path, score: count + named - test - prose };
	});
	return scored.sort((a, b) => b.score - a.score)[0]?.path;
}

const declarations: readonly RegExp[] = [
	/^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|enum|namespace)\s+[\w$]+/,
	/^\s*(?:export\s+)?type\s+[\w$]+(?:<[^=]*>)?\s*=/,
	/^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+[^=]*=\s*(?:async\s+)?(?:function\b|\([^)]*\)[^=]*=>|[\w$]+\s*=>)/,
	/^\s*(?:(?:public|private|protected|static|readonly|override|async|get|set|final)\s+)*[#\w$]+\s*\([^;]*\)\s*(?::\s*[^;{]+)?\{\s*$/,
	/^\s*(?:async\s+)?def\s+\w+|^\s*class\s+\w+/,
	/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:fn|struct|enum|trait|impl|mod)\b/,
	/^func\s+[\w(]|^type\s+\w+\s+(?:struct|interface)/,
	/^\s*(?:public|private|protected|internal)\s+[\w<>[\], ]+\s+\w+\s*\(/,
	/^#{1,4}\s+\S/,
];
const noDeclaration = /^\s*(?:if|for|while|switch|catch|return|else|do|function\s*\(|await|throw|new)\b/;

/** The declarations (or headings) of a text, shortened, at most 25. */
export function outline(lines: readonly Line[]): Line[] {
	return lines
		.filter(({ text }) => {
			const short = text.slice(0, MAX_SHOWN * 3);
			return !noDeclaration.test(short) && declarations.some((pattern) => pattern.test(short));
		})
		.slice(0, MAX_OUTLINE)
		.map(({ number, text }) => ({ number, text: shorten(text.trim().replace(/\s*\{\s*$/, '')) }));
}

/** At most 100 characters, never ending in half a character. */
export function shorten(text: string): string {
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

const languages: Readonly<Record<string, string>> = {
	ts: 'TypeScript',
	tsx: 'TypeScript (React)',
	js: 'JavaScript',
	mjs: 'JavaScript',
	cjs: 'JavaScript',
	jsx: 'JavaScript (React)',
	py: 'Python',
	rs: 'Rust',
	go: 'Go',
	java: 'Java',
	cs: 'C#',
	c: 'C',
	h: 'C',
	cpp: 'C++',
	rb: 'Ruby',
	php: 'PHP',
	sh: 'Shell',
	md: 'Markdown',
	json: 'JSON',
	css: 'CSS',
	html: 'HTML',
	yml: 'YAML',
	yaml: 'YAML',
};

/** The language that a file's name tells, if it is a known one. */
export function languageOfFile(path: string): string | undefined {
	const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
	return Object.hasOwn(languages, extension) ? languages[extension] : undefined;
}

export type Smell = 'note' | 'loose_equality' | 'console' | 'any' | 'empty_catch' | 'var' | 'long_line';

const smells: readonly (readonly [Smell, RegExp])[] = [
	['note', /\b(?:TODO|FIXME|XXX|HACK)\b/],
	['loose_equality', /[^=!<>]==[^=]|!=[^=]/],
	['console', /\bconsole\.(?:log|debug)\(/],
	['any', /:\s*any\b|\bas any\b/],
	['empty_catch', /catch\s*(?:\([^)]*\))?\s*\{\s*\}/],
	['var', /^\s*var\s/],
	['long_line', new RegExp(`^.{${LONG_LINE},}`)],
];

/** Places that a simple rule finds doubtful; the kinds that only make sense in JavaScript are left out for other languages. */
export function findSmells(lines: readonly Line[], path: string): { readonly line: Line; readonly smell: Smell }[] {
	const script = /\.[cm]?[jt]sx?$/.test(path);
	return lines
		.flatMap((line) =>
			smells
				.filter(
					([smell, pattern]) =>
						(script || smell === 'note' || smell === 'long_line') && pattern.test(line.text.slice(0, MAX_SHOWN * 3)),
				)
				.map(([smell]) => ({ line, smell })),
		)
		.slice(0, 10);
}

/** Declarations with no comment in the line above. */
export function undocumented(lines: readonly Line[]): Line[] {
	const above = new Map(lines.map(({ number, text }) => [number + 1, text]));
	return outline(lines).filter(({ number }) => !/\*\/\s*$|^\s*(?:\/\/|#|\/\*|\*|"""|@)/.test(above.get(number) ?? ''));
}
