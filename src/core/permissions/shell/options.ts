// Options of programs, read as GNU's getopt does: clusters, values, abbreviations, `--`. What a table does not know about
// a program's options is told to whoever asks.
import type { ReadWord } from './words.ts';

export interface OptionTable {
	/** Letters that take a value. */
	readonly values?: string;
	/** Long names that take a value. */
	readonly longValues?: readonly string[];
	/** Letters without a value. Absent: any. */
	readonly flags?: string;
	/** Long names without a value. Absent: any. */
	readonly longFlags?: readonly string[];
	/** Options end at the first operand, as for programs that start another. */
	readonly inOrder?: boolean;
	/** `-name` is one option, as for find and openssl. */
	readonly singleDash?: boolean;
}

export interface Option {
	/** Without dashes; a long name as far as the table completes it. */
	readonly name: string;
	readonly value?: ReadWord;
	readonly word: ReadWord;
}

export interface ReadOptions {
	readonly options: readonly Option[];
	readonly operands: readonly ReadWord[];
	/** Words that the table does not know, or whose text is not known, where an option could stand. */
	readonly unknown: readonly ReadWord[];
}

/** `words` without the program's name. */
export function readOptions(words: readonly ReadWord[], table: OptionTable): ReadOptions {
	const options: Option[] = [];
	const operands: ReadWord[] = [];
	const unknown: ReadWord[] = [];
	let at = 0;
	const next = (): ReadWord | undefined => words[at++];
	for (let word = next(); word !== undefined; word = next()) {
		const { value } = word;
		if (value === '--') {
			operands.push(...words.slice(at));
			break;
		}
		if (value === undefined || !value.startsWith('-') || value === '-') {
			// `"$x"` could be an option, `src/$x` could not.
			if (value === undefined && mayBeOption(word)) unknown.push(word);
			operands.push(word);
			if (table.inOrder === true) {
				operands.push(...words.slice(at));
				break;
			}
		} else if (value.startsWith('--')) {
			const option = longOption(word, value, table);
			if (option === undefined) unknown.push(word);
			const taken = option?.needsValue === true && !value.includes('=') ? next() : option?.value;
			options.push({ name: option?.name ?? value.slice(2), word, ...(taken === undefined ? {} : { value: taken }) });
		} else {
			at = cluster({ word, value, table, words, at }, options, unknown);
		}
	}
	return { options, operands, unknown };
}

function mayBeOption({ text, braces }: ReadWord): boolean {
	if (braces !== undefined && braces.length > 0) return braces.some((one) => one.startsWith('-'));
	return !/^["']?(?:[\w./~:@%+=,]|\$\{?(?:HOME|PWD)\b)/.test(text);
}

function longOption(
	word: ReadWord,
	text: string,
	table: OptionTable,
): { readonly name: string; readonly needsValue: boolean; readonly value?: ReadWord } | undefined {
	const [given = '', ...rest] = text.slice(2).split('=');
	const { longValues = [], longFlags } = table;
	const all = [...longValues, ...(longFlags ?? [])];
	const full = all.includes(given) ? given : all.find((name) => name.startsWith(given));
	const value = text.includes('=') ? { value: { ...word, value: rest.join('='), text: rest.join('=') } } : {};
	if (full === undefined) return longFlags === undefined ? { name: given, needsValue: false, ...value } : undefined;
	return { name: full, needsValue: longValues.includes(full), ...value };
}

interface Cluster {
	readonly word: ReadWord;
	readonly value: string;
	readonly table: OptionTable;
	readonly words: readonly ReadWord[];
	readonly at: number;
}

/** `-abc value`; answers with the place behind what it took. */
function cluster({ word, value, table, words, at }: Cluster, options: Option[], unknown: ReadWord[]): number {
	if (table.singleDash === true) {
		const name = value.slice(1);
		const taken = table.longValues?.includes(name) === true ? words[at] : undefined;
		options.push({ name, word, ...(taken === undefined ? {} : { value: taken }) });
		return taken === undefined ? at : at + 1;
	}
	for (let index = 1; index < value.length; index++) {
		const name = value.charAt(index);
		if (table.values?.includes(name) === true) {
			const glued = value.slice(index + 1);
			const taken = glued === '' ? words[at] : { ...word, value: glued, text: glued };
			options.push({ name, word, ...(taken === undefined ? {} : { value: taken }) });
			return glued === '' ? at + 1 : at;
		}
		if (table.flags !== undefined && !table.flags.includes(name)) unknown.push(word);
		options.push({ name, word });
	}
	return at;
}
