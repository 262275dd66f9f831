// Why an `old_string` was not found, and where the place probably is. Written for the model. Pure and bounded.
import { limits } from '../limits.ts';
import { clip, likeness, splitLines } from '../util/text.ts';
import { lineFeeds, plainLineEnds } from './edits.ts';

interface Place {
	/** Index of the first line, and number of lines. */
	readonly at: number;
	readonly count: number;
}

/** One paragraph for the model; `shown` is the file's path as it knows it. */
export function explainNotFound(
	text: string,
	{ old_string: search, new_string: replacement }: { readonly old_string: string; readonly new_string: string },
	shown: string,
): string {
	const head = `old_string was not found in ${shown}. Nothing was changed.`;
	const seen = plainLineEnds(text.slice(0, limits.nearestChars));
	const done = appliedAt(plainLineEnds(text).replaceAll('\r\n', '\n'), replacement.replaceAll('\r\n', '\n'));
	if (done !== undefined) {
		return `${head} new_string is there already, at line ${done}: the edit seems to have been made before.`;
	}
	const lines = splitLines(seen).slice(0, limits.nearestLines);
	const wanted = trimBlankLines(search.split(/\r\n|\n|\r/));
	if (wanted.length === 0) return `${head} It consists of white space only; add the text around it.`;
	if (wanted.every((line) => /^\s*\d+\t/.test(line))) {
		return (
			`${head} It seems to contain the line numbers that Read puts in front of each line. ` +
			'Leave out the number and the tab after it.'
		);
	}
	const written = unescaped(search);
	if (written !== search && seen.replaceAll('\r\n', '\n').includes(written)) {
		return (
			`${head} It has \\n, \\t, \\" or \\' as two characters where the file has the line break, tab or quotation mark ` +
			'itself. Write those, in new_string too.'
		);
	}
	for (const { form, says } of differences) {
		const places = placesBy(lines, wanted, form);
		if (places.length > 0) return `${head} ${says(lines, wanted, places)}`;
	}
	const near = nearestPlace(lines, wanted);
	if (near === undefined) return `${head} Nothing in the file is like it. Read the file again, or search with Grep.`;
	return `${head} The nearest text, from line ${near.at + 1}, is:\n${numbered(lines, near)}\nCopy it exactly as it is.`;
}

/** With what escapes of a string literal stand for; most models write them now and then. */
function unescaped(text: string): string {
	const meant: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t' };
	return text.replaceAll(/\\([nrt"'])/g, (_, sign: string) => meant[sign] ?? sign);
}

/** The line where a text stands that is long enough to be no coincidence. */
function appliedAt(text: string, replacement: string): number | undefined {
	if (replacement.trim().length < limits.appliedChars) return undefined;
	const at = text.indexOf(replacement);
	return at === -1 ? undefined : 1 + lineFeeds(text, 0, at);
}

interface Difference {
	/** What is left of a line without the difference. */
	readonly form: (line: string) => string;
	readonly says: (lines: readonly string[], wanted: readonly string[], places: readonly Place[]) => string;
}

/** From small to large; the first under which the text is found is the one that is told. */
const differences: readonly Difference[] = [
	{ form: (line) => line.trimEnd(), says: hint('It differs only in white space at the ends of lines or around it.') },
	{ form: (line) => line.replaceAll('\r', '').trimEnd(), says: hint('It differs only in line ends.') },
	{ form: spaced, says: whitespaceHint },
	{ form: (line) => line.replace(/\s+/g, ''), says: hint('It differs only in white space.') },
	{
		form: (line) => straight(spaced(line)),
		says: hint('It differs in quotation marks or dashes: curly ones and straight ones.'),
	},
	{
		form: (line) => straight(spaced(line)).normalize('NFC'),
		says: hint('Accented letters are composed differently (NFC and NFD).'),
	},
	{ form: seenOnly, says: hint('It differs in characters that are not seen, such as zero-width spaces.') },
	{
		form: (line) => spaced(withoutEntities(line)),
		says: hint('Signs such as < and & are written as HTML entities in one of the two, and as themselves in the other.'),
	},
	{ form: normalised, says: hint('It differs in look-alike characters, such as full-width ones.') },
	{ form: (line) => normalised(line).toLowerCase(), says: hint('Only upper and lower case differ.') },
];

function hint(cause: string): Difference['says'] {
	return (lines, _wanted, places) => `${cause} ${where(lines, places)}`;
}

function whitespaceHint(lines: readonly string[], wanted: readonly string[], places: readonly Place[]): string {
	const [first] = places;
	const found = first === undefined ? '' : lines.slice(first.at, first.at + first.count).join('\n');
	const asked = wanted.join('\n');
	const cause =
		found.includes('\t') && !asked.includes('\t')
			? 'The file is indented with tabs where old_string has spaces. Write tabs, in new_string too.'
			: !found.includes('\t') && asked.includes('\t')
				? 'The file is indented with spaces where old_string has tabs. Write spaces, in new_string too.'
				: 'It differs only in white space.';
	return `${cause} ${where(lines, places)}`;
}

function where(lines: readonly string[], places: readonly Place[]): string {
	const [first] = places;
	if (first === undefined) return '';
	const numbers = places.slice(0, limits.matchLines).map((place) => place.at + 1);
	const at = numbers.length === 1 ? `line ${numbers[0]}` : `lines ${numbers.join(', ')}`;
	return `Text like it is at ${at} (tabs shown as \\t):\n${numbered(lines, first)}`;
}

function placesBy(lines: readonly string[], wanted: readonly string[], form: (line: string) => string): Place[] {
	const forms = lines.map(form);
	const target = wanted.map(form);
	const places: Place[] = [];
	const [only] = target;
	for (let at = 0; at + target.length <= forms.length && places.length < limits.matchLines; at++) {
		const same =
			target.length === 1 && only !== undefined
				? only !== '' && forms[at]?.includes(only)
				: target.every((line, index) => forms[at + index] === line);
		if (same) places.push({ at, count: target.length });
	}
	return places;
}

function spaced(line: string): string {
	return line.replace(/\s+/g, ' ').trim();
}

function seenOnly(line: string): string {
	return spaced(line.replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, ''));
}

function withoutEntities(line: string): string {
	const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", '#39': "'" };
	return line.replaceAll(/&(lt|gt|amp|quot|apos|#39);/g, (entity, name: string) => signs[name] ?? entity);
}

function straight(line: string): string {
	return line
		.replace(/[‘’‚‛]/g, "'")
		.replace(/[“”„‟]/g, '"')
		.replace(/[‐-―−]/g, '-');
}

/** Without all differences that models make. */
function normalised(line: string): string {
	return spaced(straight(line.normalize('NFKC')));
}

/** Where most of the wanted lines stand at the right distance, else the line that is most like the longest one. */
function nearestPlace(lines: readonly string[], wanted: readonly string[]): Place | undefined {
	const positions = new Map<string, number[]>();
	for (const [index, line] of lines.entries()) {
		const key = line.trim();
		if (key.length < 3) continue;
		const known = positions.get(key);
		if (known === undefined) positions.set(key, [index]);
		else if (known.length < limits.matchLines) known.push(index);
	}
	const votes = new Map<number, number>();
	for (const [index, line] of wanted.entries()) {
		for (const position of positions.get(line.trim()) ?? []) {
			votes.set(position - index, (votes.get(position - index) ?? 0) + 1);
		}
	}
	let best: { at: number; score: number } | undefined;
	for (const [at, score] of votes) if (best === undefined || score > best.score) best = { at, score };
	best ??= mostAlike(lines, wanted);
	if (best === undefined) return undefined;
	const at = Math.max(0, Math.min(best.at, lines.length - 1));
	return { at, count: Math.min(wanted.length, lines.length - at) };
}

function mostAlike(
	lines: readonly string[],
	wanted: readonly string[],
): { readonly at: number; readonly score: number } | undefined {
	const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a));
	const offset = wanted.indexOf(longest);
	const target = longest.trim().slice(0, 200);
	let best: { at: number; score: number } | undefined;
	for (const [index, line] of lines.entries()) {
		const score = likeness(target, line.trim().slice(0, 200));
		if (score >= 0.5 && (best === undefined || score > best.score)) best = { at: index - offset, score };
	}
	return best;
}

function numbered(lines: readonly string[], place: Place): string {
	return lines
		.slice(place.at, place.at + Math.min(place.count, limits.editEchoLines))
		.map((line, index) => `${place.at + index + 1}: ${clip(line, limits.hunkLineChars).replaceAll('\t', '\\t')}`)
		.join('\n');
}

function trimBlankLines(lines: readonly string[]): readonly string[] {
	const first = lines.findIndex((line) => line.trim() !== '');
	const last = lines.findLastIndex((line) => line.trim() !== '');
	return first === -1 ? [] : lines.slice(first, last + 1);
}
