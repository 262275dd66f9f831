// Which notes of the memory concern what is being talked about: by the words they share, so that looking costs nothing and
// waits for no model. Pure.
import { limits } from '../limits.ts';
import type { MemoryFile } from './memoryStore.ts';

/** Say nothing of what a text is about. */
const common: ReadonlySet<string> = new Set(
	(
		'about above after again all also always and any are because been before but can cannot did does done each ' +
		'file files for from get has have how into its just like make more most must need never new not now only other our ' +
		'out over please same should some such than that the their them then there these they this use used uses user want ' +
		'was way were what when where which who why will with without would yes you your'
	).split(' '),
);

/** The notes that share words with a text, the most relevant first; at most `limits.memoryNotes`. */
export function relevantNotes(about: string, files: readonly MemoryFile[]): readonly MemoryFile[] {
	const asked = wordsOf(about);
	if (asked.size === 0) return [];
	const notes = files.map((file) => ({
		file,
		name: wordsOf(file.name.replace(/\.md$/i, '')),
		words: wordsOf(file.text),
	}));
	const weight = new Map<string, number>();
	for (const word of asked) {
		const count = notes.filter(({ name, words }) => name.has(word) || words.has(word)).length;
		// What stands in most notes tells them not apart.
		const tells = count > 0 && (notes.length < 4 || count <= notes.length / 2);
		if (tells) weight.set(word, Math.log(1 + notes.length / count));
	}
	const scored = notes.flatMap(({ file, name, words }) => {
		const shared = [...weight].filter(([word]) => name.has(word) || words.has(word));
		const named = shared.filter(([word]) => name.has(word));
		if (named.length === 0 && shared.length < limits.memorySharedWords) return [];
		return [{ file, score: [...shared, ...named].reduce((sum, [, worth]) => sum + worth, 0) }];
	});
	return scored
		.toSorted((one, other) => other.score - one.score || (one.file.name < other.file.name ? -1 : 1))
		.slice(0, limits.memoryNotes)
		.map(({ file }) => file);
}

/** Words without their endings, parts of names written together, and pairs of signs in scripts without spaces. */
function wordsOf(text: string): ReadonlySet<string> {
	const words = new Set<string>();
	const parts = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
	for (const [run] of parts.matchAll(/\p{sc=Han}+|[\p{sc=Hiragana}\p{sc=Katakana}]+|[\p{L}\p{N}]+/gu)) {
		if (/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(run)) {
			const signs = Array.from(run);
			for (let at = 0; at + 1 < signs.length; at++) words.add(`${signs[at]}${signs[at + 1]}`);
		} else if (run.length > 2 && !common.has(run) && !/^\d+$/.test(run)) {
			words.add(stem(run));
		}
	}
	return words;
}

function stem(word: string): string {
	const short = word.replace(/(?:ings?|ers?|ed|es|s)$/, '');
	return short.length > 2 ? short : word;
}
