// Why an `old_string` was not found, and where the place probably is. Written for the model. Pure and bounded.
import { limits } from '../limits.ts';
import { clip, likeness, splitLines } from '../util/text.ts';

interface Place {
	/** Index of the first line, and number of lines. */
	readonly at: number;
	readonly count: number;
}

/** One paragraph for the model; `shown` is the file's path as it knows it. */
export function explainNotFound(text: string, search: string, shown: string): string {
	const head = `old_string was not found in ${shown}. Nothing was changed.`;
	const lines = splitLines(text).slice(0, limits.nearestLines);
	const wanted = trimBlankLines(search.split(/\r?\n/));
	if (wanted.length === 0) return `${head} It consists of white space only; add the text around it.`;
	if (wanted.every((line) => /^\s*\d+\t/.test(line))) {
		return (
			`${head} It seems to contain the line numbers that Read puts in front of each line. ` +
			'Leave out the number and the tab after it.'
		);
	}
	const loose = placesBy(lines, wanted, normalised);
	if (loose.length > 0) return `${head} ${whitespaceHint(lines, wanted, loose)}`;
	const caseless = placesBy(lines, wanted, (line) => normalised(line).toLowerCase());
	const [first] = caseless;
	if (first !== undefined) {
		return `${head} Only upper and lower case differ from line ${first.at + 1}:\n${numbered(lines, first)}`;
	}
	const near = nearestPlace(lines, wanted);
	if (near === undefined) return `${head} Nothing in the file is like it. Read the file again, or search with Grep.`;
	return `${head} The nearest text, from line ${near.at + 1}, is:\n${numbered(lines, near)}\nCopy it exactly as it is.`;
}

function whitespaceHint(lines: readonly string[], wanted: readonly string[], places: readonly Place[]): string {
	const [first] = places;
	if (first === undefined) return '';
	const found = lines.slice(first.at, first.at + first.count).join('\n');
	const asked = wanted.join('\n');
	const cause =
		found.includes('\t') && !asked.includes('\t')
			? 'The file is indented with tabs where old_string has spaces.'
			: !found.includes('\t') && asked.includes('\t')
				? 'The file is indented with spaces where old_string has tabs.'
				: 'It differs only in white space, quotation marks or look-alike characters.';
	const where =
		places.length === 1
			? `line ${first.at + 1}`
			: `lines ${places
					.slice(0, limits.matchLines)
					.map((place) => place.at + 1)
					.join(', ')}`;
	return `${cause} Text like it is at ${where} (tabs shown as \\t):\n${numbered(lines, first)}`;
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

/** Without the differences that models make: runs of white space, curly quotes, compatibility forms. */
function normalised(line: string): string {
	return line
		.normalize('NFKC')
		.replace(/[‘’‚‛]/g, "'")
		.replace(/[“”„‟]/g, '"')
		.replace(/[‐-―−]/g, '-')
		.replace(/\s+/g, ' ')
		.trim();
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
