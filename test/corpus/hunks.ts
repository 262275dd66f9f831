// What a model would write to turn one version of a file into the next: an Edit for each place where they differ.
// Knows nothing of the edit engine, so that it can be held against it.
import { diffArrays } from 'diff';

/** The next step from one version to the other. Texts are whole files. */
export interface Step {
	readonly before: string;
	readonly after: string;
	/** As a model writes them: line ends are plain newlines. */
	readonly oldString: string;
	readonly newString: string;
}
export interface Steps {
	readonly steps: readonly Step[];
	/** Places that no Edit can say, as they are about line ends: left out, together with the rest of the file. */
	readonly lineEndsOnly: number;
}

/** A number in [0, 1) for each call, the same ones for the same seed. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
	};
}

/** Characters of a line, or of a place, beyond which a model quotes a part of it only. */
const longPlace = 4_000;
/** Characters before and after a place in which a model looks for lines to quote. */
const contextChars = 40_000;
const noSteps: Steps = { steps: [], lineEndsOnly: 0 };

/** From the first difference to the last, each applied on top of those before it. `most` bounds the work on one file. */
export function stepsBetween(old: string, wanted: string, random: Random, most = 400): Steps {
	const changes = diffArrays(lines(old), lines(wanted), { maxEditLength: 400 });
	if (changes === undefined) return noSteps;
	const steps: Step[] = [];
	let done = '';
	let rest = old;
	for (let at = 0; at < changes.length && steps.length < most; at++) {
		const change = changes[at];
		const next = changes[at + 1];
		if (change === undefined) break;
		const text = change.value.join('');
		if (!change.added && !change.removed) {
			done += text;
			rest = rest.slice(text.length);
			continue;
		}
		const pair = next !== undefined && (next.added || next.removed) && next.added !== change.added;
		const other = pair ? next.value.join('') : '';
		if (pair) at++;
		const [removed, added] = change.removed ? [text, other] : [other, text];
		const place = { done, removed, added, rest: rest.slice(removed.length) };
		if (!sayable(place)) return { steps, lineEndsOnly: 1 };
		steps.push(stepAt(place, random));
		done += added;
		rest = place.rest;
	}
	return { steps, lineEndsOnly: 0 };
}

interface Place {
	/** The new text before it, the old text after it. */
	readonly done: string;
	readonly removed: string;
	readonly added: string;
	readonly rest: string;
}

function lines(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Models do not write line ends: those of a new line must be the ones around it, and plain where there are none. */
function sayable({ done, removed, added, rest }: Place): boolean {
	const around = [
		...lines(done.slice(-20_000)).slice(-1),
		...lines(removed),
		...lines(rest.slice(0, 20_000)).slice(0, 1),
	];
	const endsOf = (all: readonly string[]) =>
		all.map((line) => /\r?\n$/.exec(line)?.[0]).filter((end) => end !== undefined);
	const known = new Set(endsOf(around));
	const ends = new Set([...(known.size === 0 ? ['\n'] : known), ...endsOf(lines(added))]);
	const bare = [done, removed, added, rest].some((text) => /\r(?!\n)/.test(text));
	return ends.size === 1 && !bare && plain(removed) !== plain(added);
}

function plain(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

function stepAt(place: Place, random: Random): Step {
	const { done, removed, added, rest } = place;
	const before = done + removed + rest;
	const after = done + added + rest;
	const [head, old, wanted, tail] = [plain(done), plain(removed), plain(added), plain(rest)];
	const quote =
		old.length + wanted.length > longPlace || longest(head, tail) > longPlace
			? shortQuote([head, old, wanted, tail], random)
			: lineQuote([head, old, wanted, tail], random);
	return { before, after, oldString: quote.old, newString: quote.wanted };
}

type Parts = readonly [head: string, old: string, wanted: string, tail: string];
interface Quote {
	readonly old: string;
	readonly wanted: string;
}

function longest(head: string, tail: string): number {
	return Math.max(head.length - 1 - head.lastIndexOf('\n', head.length - 2), tail.search(/\n|$/));
}

/** Whole lines, with lines around them until the quote stands in one place only. */
function lineQuote([head, old, wanted, tail]: Parts, random: Random): Quote {
	const [above, below] = [lines(head.slice(-contextChars)), lines(tail.slice(0, contextChars))];
	let up = Math.floor(random() * 3);
	let down = Math.floor(random() * 3);
	const bare = random() < 0.5;
	for (;;) {
		const first = above.slice(Math.max(0, above.length - up)).join('');
		const last = below.slice(0, down).join('');
		const quote = { old: first + old + last, wanted: first + wanted + last };
		// As often as not, a model leaves the last newline of both out.
		const both = bare && quote.old.endsWith('\n') && quote.wanted.endsWith('\n') && quote.old.length > 1;
		const short = both ? { old: quote.old.slice(0, -1), wanted: quote.wanted.slice(0, -1) } : quote;
		const whole = head + old + tail;
		if (short.old !== '' && occursOnce(whole, short.old)) return short;
		if (up >= above.length && down >= below.length) return { old: whole, wanted: head + wanted + tail };
		if (down > up) up++;
		else down++;
	}
}

/** Of lines that are too long to be quoted: what differs, and some characters around it. */
function shortQuote([head, old, wanted, tail]: Parts, random: Random): Quote {
	let same = 0;
	while (same < Math.min(old.length, wanted.length) && old[same] === wanted[same]) same++;
	let end = 0;
	const room = Math.min(old.length, wanted.length) - same;
	while (end < room && old[old.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
	const whole = head + old + tail;
	const start = head.length + same;
	const stop = head.length + old.length - end;
	for (let size = 10 + Math.floor(random() * 60); ; size *= 2) {
		const from = boundary(whole, Math.max(0, start - size));
		const to = boundary(whole, Math.min(whole.length, stop + size));
		const quote = whole.slice(from, to);
		if (!occursOnce(whole, quote) && to - from < whole.length) continue;
		return {
			old: quote,
			wanted: whole.slice(from, start) + wanted.slice(same, wanted.length - end) + whole.slice(stop, to),
		};
	}
}

/** Not between the halves of a character. */
function boundary(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function occursOnce(text: string, part: string): boolean {
	const at = text.indexOf(part);
	return at !== -1 && !text.includes(part, at + 1);
}
