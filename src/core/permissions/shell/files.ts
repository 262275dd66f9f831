// Works out which files a program writes and reads, by its table. Contract: where words that are not known could be options
// that write or start something, that is a problem.
import type { Place } from './collector.ts';
import type { ProgramFiles, Use } from './fileUse.ts';
import type { Invocation, Launching } from './invocation.ts';
import type { Option } from './options.ts';
import { readOptions } from './options.ts';
import { readerTable, sameProgram } from './readerTable.ts';
import { checkScript } from './scripts.ts';
import type { ReadWord } from './words.ts';
import { writerTable } from './writerTable.ts';

export function checkFiles(given: string, invocation: Invocation, launching: Launching): void {
	const name = Object.hasOwn(sameProgram, given) ? (sameProgram[given] ?? given) : given;
	const words = invocation.words.slice(1);
	const { place } = invocation;
	checkScript(name, words, place, launching.collector);
	if (name === 'dd') copyBlocks(words, place, launching);
	const tables = [writerTable, readerTable];
	const table = tables.find((one) => Object.hasOwn(one, name))?.[name];
	if (table === undefined) return;
	new Files(name, table, place, launching).check(words);
}

class Files {
	readonly #name: string;
	readonly #table: ProgramFiles;
	readonly #place: Place;
	readonly #launching: Launching;

	constructor(name: string, table: ProgramFiles, place: Place, launching: Launching) {
		this.#name = name;
		this.#table = table;
		this.#place = place;
		this.#launching = launching;
	}

	check(words: readonly ReadWord[]): void {
		const table = this.#table;
		const { options, operands, unknown } = readOptions(this.#oldStyle(words), table.options);
		const has = (names: readonly string[] = []): boolean => options.some((option) => isOneOf(option, names));
		if (has(table.runs)) this.#problem('dynamic_code');
		const risky = [table.writes, table.inPlace, table.runs, table.into].some((names) => names !== undefined);
		const loose = operands.some(({ glob, text }) => glob === true && /^[*?[]/.test(text));
		if (risky && (unknown.length > 0 || (loose && table.runs !== undefined))) this.#problem('dynamic_target');
		for (const option of options) this.#option(option);
		const skipped = has(table.instead) ? 0 : (table.skip ?? 0);
		const files = operands.slice(skipped);
		const recursive = table.deep === 'always' || has(table.deep);
		if (has(table.inPlace)) this.#inPlace(files, options, recursive);
		else this.#operands(files, { recursive, into: has(table.into), empties: has(table.empties) });
		if (table.spreads === true && !this.#onlyShows(options, words)) this.#spread(options, files);
		if (files.length === 0 && (table.here === 'always' || has(table.here))) {
			this.#use([here], 'read', table.deep === 'always' || has(table.deep));
		}
	}

	/** `sed -i.bak`: a copy under another name stays too. */
	#inPlace(files: readonly ReadWord[], options: readonly Option[], recursive: boolean): void {
		this.#use(files, 'write', recursive);
		if (options.some(({ word }) => /^--in.*=.|^-[^-]*i./.test(word.value ?? '')))
			this.#use(files.map(folderOf), 'write', true);
	}

	/** `tar xzf a`: letters without a dash. */
	#oldStyle(words: readonly ReadWord[]): readonly ReadWord[] {
		const [first, ...rest] = words;
		if (this.#name !== 'tar' || first?.value === undefined || !/^[A-Za-z]+$/.test(first.value)) return words;
		return [{ ...first, value: `-${first.value}` }, ...rest];
	}

	#operands(files: readonly ReadWord[], how: Readonly<Record<'recursive' | 'into' | 'empties', boolean>>): void {
		const { operands = 'none', last } = this.#table;
		const { recursive } = how;
		if (last === undefined || how.into) {
			this.#use(files, operands, recursive);
			return;
		}
		// `uniq in` and `cp -t folder a`: the last one counts only when there is one before it.
		const single = files.length < 2;
		const ends = files.slice(-1);
		const optional = this.#name === 'uniq' || this.#name === 'xxd';
		this.#use(single && optional ? files : files.slice(0, -1), operands, recursive);
		if (!(single && optional)) this.#use(ends, how.empties ? 'remove' : last, recursive);
		// `ln ../x`: under the same name, here.
		if (single && this.#name === 'ln') this.#use([here], 'write', true);
		if (ends.some(({ several }) => several === true)) this.#problem('dynamic_target');
	}

	#option({ name, value, word }: Option): void {
		const { writes = [], reads = [], into = [] } = this.#table;
		if (value === undefined) return;
		const by = this.#name;
		const collector = this.#launching.collector;
		if (writes.includes(name)) {
			if (by === 'tar' && /^-?[A-Za-z]*[xt]/.test(word.value ?? '')) collector.read(value, this.#place, { by });
			else collector.write(value, this.#place, { by });
		}
		if (into.includes(name)) collector.write(value, this.#place, { by, recursive: true });
		if (!reads.includes(name)) return;
		// curl: `@file`, `name=@file`, `name@file`.
		const file = by === 'curl' && !/^(?:T|upload-file|E|cert|key|netrc-file|cacert|b|cookie)$/.test(name);
		const text = file ? /[@<](.*)$/s.exec(value.value ?? '')?.[1] : value.value;
		if (text !== undefined) collector.read({ ...value, value: text }, this.#place, { by });
		else if (value.value === undefined) collector.read(value, this.#place, { by });
	}

	#use(files: readonly ReadWord[], use: Use, recursive: boolean): void {
		const { collector } = this.#launching;
		const by = this.#name;
		for (const file of files) {
			// `host:path` is elsewhere.
			if ((by === 'rsync' || by === 'scp') && /^[^/]*:/.test(file.value ?? '')) continue;
			if (use === 'read') collector.read(file, this.#place, { by, recursive });
			else if (use !== 'none') collector.write(file, this.#place, { by, recursive, removed: use === 'remove' });
			if (use === 'remove' && by === 'mv') collector.read(file, this.#place, { by, recursive });
		}
	}

	/** To standard output, or only listing. */
	#onlyShows(options: readonly Option[], words: readonly ReadWord[]): boolean {
		const has = (...names: string[]): boolean => options.some(({ name }) => names.includes(name));
		if (/^(?:tar|cpio)$/.test(this.#name)) {
			return !has('x', 'extract', 'get', 'i', 'p', 'pass-through') && !/^[A-Za-z]*x/.test(words[0]?.value ?? '');
		}
		if (this.#name === 'curl')
			return !has('O', 'remote-name', 'remote-name-all', 'J', 'remote-header-name', 'output-dir');
		if (this.#name === 'unzip') return has('l', 'p', 't', 'v', 'Z');
		if (this.#name === 'wget') return has('O', 'output-document', 'spider');
		return false;
	}

	/** Under names that are not known: anywhere in the folder. */
	#spread(options: readonly Option[], files: readonly ReadWord[]): void {
		const { into = [], operands } = this.#table;
		const { collector } = this.#launching;
		if (options.some(({ name }) => into.includes(name))) return;
		const by = this.#name;
		const folders = operands === 'write' ? files.map(folderOf) : [here];
		for (const folder of this.#name === 'split' ? [here, ...files.slice(1).map(folderOf)] : folders) {
			collector.write(folder, this.#place, { by, recursive: true });
		}
	}

	#problem(code: 'dynamic_code' | 'dynamic_target'): void {
		this.#launching.collector.problem(code, this.#place.text);
	}
}

const here: ReadWord = { text: '.', value: '.', start: 0, end: 0 };

function folderOf(file: ReadWord): ReadWord {
	if (file.value === undefined) return file;
	const end = file.value.lastIndexOf('/');
	return { ...file, value: end < 0 ? '.' : end === 0 ? '/' : file.value.slice(0, end) };
}

/** Long names may be shortened. */
function isOneOf({ name, word }: Option, names: readonly string[]): boolean {
	if (names.includes(name)) return true;
	return word.value?.startsWith('--') === true && names.some((one) => one.length > 1 && one.startsWith(name));
}

/** `dd if=a of=b`. */
function copyBlocks(words: readonly ReadWord[], place: Place, { collector }: Launching): void {
	for (const word of words) {
		const [, name, file] = /^(if|of)=(.*)$/s.exec(word.value ?? '') ?? [];
		if (file !== undefined) {
			const named = { ...word, value: file };
			if (name === 'of') collector.write(named, place, { by: 'dd' });
			else collector.read(named, place, { by: 'dd' });
		} else if (word.value === undefined) {
			const open = { text: word.text, start: word.start, end: word.end };
			if (!/^(?:bs|ibs|obs|cbs|count|skip|seek|conv|status|iflag|oflag|if)=/.test(word.text))
				collector.write(open, place, { by: 'dd' });
			else collector.read(open, place, { by: 'dd' });
		}
	}
}
