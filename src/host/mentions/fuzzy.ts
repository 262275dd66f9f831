// Whether and how well a few typed characters mean a name or a path. Pure. Contract: a match has every character of the query, in
// order; a match within the last segment beats one that needs the folders; the same question has the same answer.

export interface FuzzyMatch {
	/** The more the better. */
	readonly score: number;
	/** Where the query's characters are in the text: indices of UTF-16 units, ascending. */
	readonly hits: readonly number[];
}

/** A text made ready to be matched many times. */
export interface FuzzyText {
	readonly text: string;
	/** Of the same length. */
	readonly lower: string;
	/** Where the last segment begins. */
	readonly base: number;
}

export function fuzzyText(text: string): FuzzyText {
	const end = text.endsWith('/') || text.endsWith('\\') ? text.length - 1 : text.length;
	const base = Math.max(text.lastIndexOf('/', end - 1), text.lastIndexOf('\\', end - 1)) + 1;
	return { text, lower: lowered(text), base };
}

/** As typed: blanks do not count, `\` is `/`. */
export function fuzzyQuery(typed: string): string {
	return lowered(typed.replaceAll(/\s+/g, '').replaceAll('\\', '/'));
}

/** Small letters, unit by unit: a letter whose small form is longer stays as it is. */
function lowered(text: string): string {
	const lower = text.toLowerCase();
	if (lower.length === text.length) return lower.replaceAll('\\', '/');
	return Array.from(text)
		.map((letter) => {
			const small = letter.toLowerCase();
			return small.length === letter.length ? small : letter;
		})
		.join('')
		.replaceAll('\\', '/');
}

const points = { hit: 16, run: 12, start: 20, boundary: 14, inBase: 60, wholeBase: 200, wholeText: 400, gap: 2 };

/** `query`: from `fuzzyQuery`. Undefined when it does not match. An empty one matches everything alike. */
export function fuzzyMatch(query: string, candidate: FuzzyText): FuzzyMatch | undefined {
	if (query === '') return { score: 0, hits: [] };
	const { lower, base } = candidate;
	const inBase = query.includes('/') ? undefined : window(query, candidate, base);
	const match = inBase ?? window(query, candidate, 0);
	if (!match) return undefined;
	let { score } = match;
	if (inBase) score += points.inBase;
	const stem = lower.slice(base).replace(/\.[^.]*$/, '');
	if (lower === query) score += points.wholeText;
	else if (stem === query || lower.slice(base) === query) score += points.wholeBase;
	else if (lower.startsWith(query, base)) score += points.inBase;
	// Of two alike the shorter one is meant.
	return { score: score - Math.min(30, Math.floor(lower.length / 8)), hits: match.hits };
}

/** The tightest of a few places: the first one forward, made shorter from its end, and a whole run where there is one. */
function window(query: string, candidate: FuzzyText, from: number): FuzzyMatch | undefined {
	const { lower } = candidate;
	const run = bestRun(query, candidate, from);
	if (run !== undefined) {
		return scored(
			Array.from({ length: query.length }, (_, index) => run + index),
			candidate,
		);
	}
	let at = from - 1;
	for (let index = 0; index < query.length; index++) {
		at = lower.indexOf(query.charAt(index), at + 1);
		if (at < 0) return undefined;
	}
	const hits: number[] = [];
	for (let index = query.length - 1; index >= 0; index--) {
		at = lower.lastIndexOf(query.charAt(index), at);
		hits.push(at);
		at--;
	}
	return scored(hits.toReversed(), candidate);
}

/** Where the whole query stands, at a boundary if possible. */
function bestRun(query: string, candidate: FuzzyText, from: number): number | undefined {
	let first: number | undefined;
	for (let at = candidate.lower.indexOf(query, from); at >= 0; at = candidate.lower.indexOf(query, at + 1)) {
		if (isBoundary(candidate.text, at)) return at;
		first ??= at;
	}
	return first;
}

function scored(hits: readonly number[], { text, base }: FuzzyText): FuzzyMatch {
	let score = 0;
	hits.forEach((at, index) => {
		score += points.hit;
		const previous = hits[index - 1];
		if (at === base) score += points.start;
		else if (isBoundary(text, at)) score += points.boundary;
		if (previous !== undefined) {
			if (previous === at - 1) score += points.run;
			else score -= Math.min(points.hit, (at - previous) * points.gap);
		}
	});
	return { score, hits };
}

/** The beginning of a word: after a sign, or a capital after a small letter. */
function isBoundary(text: string, at: number): boolean {
	if (at === 0) return true;
	const [previous, letter] = [text.charAt(at - 1), text.charAt(at)];
	if (/[\s/\\_.:-]/.test(previous)) return true;
	return previous === previous.toLowerCase() && letter !== letter.toLowerCase();
}
