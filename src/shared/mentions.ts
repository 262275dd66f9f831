// How `@` mentions are written into a prompt. Pure. Rules: what `writtenPath` writes, `mentionsIn` reads back; an address or a
// decorator without a file behind it is harmless, as only what exists is attached.

export type MentionTarget =
	| {
			readonly kind: 'path';
			/** As written; a folder may end with a slash. */
			readonly path: string;
			readonly range?: LineRange;
			/** In quotes: certainly meant as a mention. */
			readonly quoted: boolean;
	  }
	| { readonly kind: 'problems'; readonly path?: string }
	| { readonly kind: 'terminal'; readonly name?: string }
	| { readonly kind: 'changes' }
	/** `id`: the first characters of the session's id. */
	| { readonly kind: 'session'; readonly id: string };

/** From 1, both included, in order. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}
export interface Mention {
	readonly target: MentionTarget;
	/** Where it stands in the text, from the `@` on. */
	readonly start: number;
	readonly end: number;
}

/** Before an `@` that begins a mention there is no letter, digit, or sign of an address or a path; Chinese needs no blank. */
const before = String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_.@/\\+-])`;
/** In quotes, a quote is written twice. */
const quoted = String.raw`"(?<quoted>(?:[^"\n]|"")+)"`;
const plain = String.raw`(?<plain>[^\s"'${'`'}<>|@，。；：！？、）（」』】》“”]+)`;
const rangeText = String.raw`(?::(?<first>\d{1,9})(?:-(?<last>\d{1,9}))?|#L?(?<hashFirst>\d{1,9})(?:-L?(?<hashLast>\d{1,9}))?)`;
const mentionPattern = new RegExp(
	String.raw`${before}@(?:(?<word>problems:|terminal:)?${quoted}${rangeText}?|${plain})`,
	'gu',
);
const rangeAtEnd = new RegExp(`${rangeText}$`, 'u');
/** What ends a sentence is no part of a name. */
const trailing = /[.,;:!?)\]}]+$/;

/** All mentions of a text, in order. */
export function mentionsIn(text: string): readonly Mention[] {
	return [...text.matchAll(mentionPattern)].flatMap((match): Mention[] => {
		const { index: start, groups = {} } = match;
		const inQuotes = groups['quoted']?.replaceAll('""', '"');
		if (inQuotes !== undefined) {
			const target = quotedTarget(inQuotes, groups['word'], rangeOf(groups));
			return target ? [{ target, start, end: start + match[0].length }] : [];
		}
		const word = (groups['plain'] ?? '').replace(trailing, '');
		const target = word === '' ? undefined : plainTarget(word);
		return target ? [{ target, start, end: start + 1 + word.length }] : [];
	});
}

function quotedTarget(text: string, word: string | undefined, range: LineRange | undefined): MentionTarget | undefined {
	if (word === 'problems:') return { kind: 'problems', path: text };
	if (word === 'terminal:') return { kind: 'terminal', name: text };
	return { kind: 'path', path: text, quoted: true, ...(range ? { range } : {}) };
}

function plainTarget(word: string): MentionTarget | undefined {
	if (word === 'problems') return { kind: 'problems' };
	if (word === 'terminal') return { kind: 'terminal' };
	if (word === 'changes') return { kind: 'changes' };
	if (word.startsWith('problems:')) return { kind: 'problems', path: word.slice('problems:'.length) };
	if (word.startsWith('terminal:')) return { kind: 'terminal', name: word.slice('terminal:'.length) };
	if (word.startsWith('session:')) {
		const id = /(?:^|-)([0-9a-f]{8})$/.exec(word.slice('session:'.length))?.[1];
		return id === undefined ? undefined : { kind: 'session', id };
	}
	const match = rangeAtEnd.exec(word);
	const range = match ? rangeOf(match.groups ?? {}) : undefined;
	const path = match && range ? word.slice(0, match.index) : word;
	return path === '' ? undefined : { kind: 'path', path, quoted: false, ...(range ? { range } : {}) };
}

function rangeOf(groups: Readonly<Record<string, string | undefined>>): LineRange | undefined {
	const first = Number(groups['first'] ?? groups['hashFirst']);
	if (!(first > 0)) return undefined;
	const last = Number(groups['last'] ?? groups['hashLast'] ?? first);
	return last > 0 ? { first: Math.min(first, last), last: Math.max(first, last) } : undefined;
}

/** The mention of a path, in quotes where it would be read as something else without. A line break cannot be written. */
export function writtenPath(path: string, range?: LineRange): string {
	const lines = range ? `:${range.first}${range.last === range.first ? '' : `-${range.last}`}` : '';
	const bare = `@${path}${lines}`;
	const [only] = mentionsIn(bare);
	const target = only?.target;
	const same =
		target?.kind === 'path' &&
		target.path === path &&
		only?.end === bare.length &&
		target.range?.first === range?.first &&
		target.range?.last === range?.last;
	return same ? bare : `@"${path.replaceAll('"', '""')}"${lines}`;
}

/** The mention of a terminal, or of the problems of a file, by name. */
export function writtenNamed(kind: 'terminal' | 'problems', name: string): string {
	const bare = `@${kind}:${name}`;
	const [only] = mentionsIn(bare);
	const { target } = only ?? {};
	const read = target?.kind === 'terminal' ? target.name : target?.kind === 'problems' ? target.path : undefined;
	return read === name && only?.end === bare.length ? bare : `@${kind}:"${name.replaceAll('"', '""')}"`;
}

/** The mention of a session: words of its title, and what tells it from others. */
export function writtenSession(title: string, id: string): string {
	const words = title
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
		.slice(0, 40)
		.replaceAll(/^-+|-+$/g, '');
	return `@session:${words === '' ? '' : `${words}-`}${id.slice(0, 8)}`;
}

/** A mention that is being written: what stands between its `@` and the cursor. */
export interface OpenMention {
	readonly start: number;
	readonly query: string;
}

const openPattern = new RegExp(String.raw`${before}@(?:"(?<quoted>(?:[^"\n]|"")*)|(?<plain>[^\s@"]*))$`, 'u');
/** Characters; longer ones are no name that someone types. */
const longestQuery = 200;

/** At the end of `text`, which is what stands before the cursor; undefined when none is open there. */
export function openMention(text: string): OpenMention | undefined {
	const offset = Math.max(0, text.length - longestQuery);
	const match = openPattern.exec(text.slice(offset));
	if (!match) return undefined;
	return { start: offset + match.index, query: match.groups?.['quoted'] ?? match.groups?.['plain'] ?? '' };
}
