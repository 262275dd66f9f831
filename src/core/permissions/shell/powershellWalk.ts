// Walks the syntax tree of a PowerShell command line: every command in it, wherever it stands, counts as started. Contract:
// what could run text, call a method or set what commands mean is not understood.
import type { SyntaxNode } from '../../ports/shellParser.ts';
import type { Collector, Folders, Place } from './collector.ts';
import { commandFolder, pathFrom, unite } from './collector.ts';
import { checkFiles } from './files.ts';
import { checkGit } from './git.ts';
import type { Launching } from './invocation.ts';
import type { Cmdlet, FileRole } from './powershellTable.ts';
import { aliases, cmdlets, valueParameters } from './powershellTable.ts';
import { isReadOnly } from './readOnly.ts';
import { readOnlyPrograms } from './readOnlyTable.ts';
import type { ReadWord } from './words.ts';

/** These call code that is not seen, or change what names mean. */
const refused =
	/^(?:invokation_expression|invocation_expression|class_statement|enum_statement|using_statement|trap_statement|stop_parsing|inlinescript_statement|parallel_statement|workflow_statement|data_statement|ERROR)$/;

const harmlessTypes =
	/^\[(?:int|long|string|bool|double|float|decimal|datetime|timespan|char|byte|array|hashtable|pscustomobject|ordered|regex|version|guid)(?:\[\])?\]$/i;

/** Quotes and dashes that PowerShell takes for its own, and spaces that it takes for spaces. */
const lookAlikes = /[‘’‚‛“”„–—―\u0085\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;

export function walkPowershell(source: string, root: SyntaxNode, collector: Collector, cwd: string): void {
	if (root.hasError) collector.problem('syntax', source);
	if (lookAlikes.test(source)) collector.problem('unsupported', source);
	new PowershellWalk(source, collector, cwd).walk(root);
}

interface Parameter {
	readonly name: string;
	readonly word: ReadWord;
}

class PowershellWalk {
	readonly #source: string;
	readonly #collector: Collector;
	readonly #start: string;
	#folders: Folders;

	constructor(source: string, collector: Collector, cwd: string) {
		this.#source = source;
		this.#collector = collector;
		this.#start = cwd;
		this.#folders = new Set([cwd]);
	}

	walk(root: SyntaxNode): void {
		const open = [root];
		for (let node = open.pop(); node !== undefined; node = open.pop()) {
			this.#check(node);
			if (node.type === 'command') this.#command(node);
			else if (node.type === 'redirection') this.#redirection(node);
			open.push(...node.children.toReversed());
		}
	}

	#text(node: SyntaxNode): string {
		return this.#source.slice(node.start, node.end).trim();
	}

	#place(text: string): Place {
		return { folders: this.#folders, start: this.#start, wrappers: [], text, depth: 0 };
	}

	#check(node: SyntaxNode): void {
		const text = this.#text(node);
		if (refused.test(node.type)) this.#collector.problem('dynamic_code', text);
		else if (node.type === 'type_literal' && !harmlessTypes.test(text)) this.#collector.problem('dynamic_code', text);
		else if (node.type === 'function_statement') {
			this.#collector.notReadOnly();
			const name = text.split(/[\s({]+/)[1]?.toLowerCase() ?? '';
			if (Object.hasOwn(cmdlets, canonical(name)) || name.includes(':')) this.#collector.problem('unsupported', text);
		} else if (node.type === 'variable' && /^\$\{?(?!env:|global:|script:|local:|private:|using:)[^}]*:/i.test(text)) {
			this.#collector.problem('dynamic_code', text);
		} else if (node.type === 'left_assignment_expression') {
			if (/env:|^\$(?:PS|Error|Output|Profile|Home|PWD|ExecutionContext)|^\$\w*Preference/i.test(text)) {
				this.#collector.problem('environment', text);
			}
		}
	}

	#command(node: SyntaxNode): void {
		const operator = node.children.find(({ type }) => type === 'command_invokation_operator');
		const nameNode = node.children.find(({ type }) => type.startsWith('command_name'));
		const text = this.#text(node);
		const name = nameNode === undefined ? undefined : this.#word(nameNode);
		const block = nameNode !== undefined && this.#text(nameNode).startsWith('{');
		if (operator !== undefined && this.#text(operator) === '.' && !block) this.#collector.problem('dynamic_code', text);
		if (name?.value === undefined || name.value === '') {
			if (!block) this.#collector.problem('dynamic_command', text);
			return;
		}
		const elements = node.children.find(({ type }) => type === 'command_elements');
		const words = (elements?.children ?? []).flatMap((child) => this.#elements(child));
		this.#started(name.value, [name, ...words], text);
	}

	#elements(node: SyntaxNode): ReadWord[] {
		if (/^(?:command_argument_sep|redirection|:|comment)$/.test(node.type)) return [];
		return [this.#word(node)];
	}

	/** A word's text after quoting, when it is plain to see. */
	#word(node: SyntaxNode): ReadWord {
		const text = this.#text(node);
		const base = { start: node.start, end: node.end, text };
		if (/^'[^']*'$/.test(text)) return { ...base, value: text.slice(1, -1) };
		if (/^"[^"`$]*"$/.test(text)) return { ...base, value: text.slice(1, -1) };
		// A backtick takes the next sign as it is, except before letters that stand for signs.
		const plain = text.replaceAll(/`(?![0abefnrtuv\s])(.)/gs, '$1');
		if (!/^[^'"`$(){}@,;&|<>\s]+$/.test(plain)) return { ...base, several: true };
		return { ...base, value: plain, ...(/[*?[]/.test(plain) ? { glob: true } : {}) };
	}

	#started(given: string, words: readonly ReadWord[], text: string): void {
		const name = canonical(given);
		const place = this.#place(text);
		const cmdlet = Object.hasOwn(cmdlets, name) ? cmdlets[name] : undefined;
		if (cmdlet?.runs === true) this.#collector.problem('dynamic_code', text);
		const args = words.slice(1);
		const shown = words.map((word, index) => ({
			text: word.text,
			...(word.value === undefined ? {} : { value: index === 0 ? name : word.value }),
			...(word.glob === true ? { glob: true } : {}),
			...(word.several === true ? { several: true } : {}),
		}));
		const parts = { text, words: shown, assignments: [], wrappers: [], ...commandFolder(place.folders) };
		if (cmdlet === undefined) {
			this.#collector.command(parts, isReadOnly(name, args, place));
			if (name === 'git')
				checkGit({ words, assignments: [], place, redirected: false, input: false }, this.#launching());
			else checkFiles(name, { words, assignments: [], place, redirected: false, input: false }, this.#launching());
			return;
		}
		// Where PowerShell has no such alias, the program of that name runs.
		const native = Object.hasOwn(readOnlyPrograms, given.toLowerCase())
			? isReadOnly(given.toLowerCase(), args, place)
			: !given.includes('.');
		const known = args.every(
			({ value, text: word }) => value !== undefined || word.startsWith('{') || !hasFiles(cmdlet),
		);
		this.#collector.command(parts, cmdlet.readOnly === true && native && known);
		this.#files(name, cmdlet, args, place);
		// `% Delete` calls a method of what comes in.
		if (
			name === 'foreach-object' &&
			args.some(({ text: word }) => !word.startsWith('{') && !/^-(?:b|e|p)/i.test(word))
		) {
			this.#collector.problem('dynamic_code', text);
		}
		if (/^(?:set|push|pop)-location$/.test(name)) this.#move(name, args);
	}

	#move(name: string, args: readonly ReadWord[]): void {
		const [target] = args.filter(({ value }) => value?.startsWith('-') !== true);
		const known = name !== 'pop-location' && target?.value !== undefined && !/[*?[:]/.test(target.value);
		const moved = [...this.#folders].map((folder) =>
			known ? pathFrom(folder, slashes(target.value ?? '')) : undefined,
		);
		this.#folders = unite(this.#folders, new Set(moved));
	}

	#files(name: string, cmdlet: Cmdlet, args: readonly ReadWord[], place: Place): void {
		const { parameters, operands } = readParameters(args, cmdlet);
		const recursive = cmdlet.deep === true;
		let used = 0;
		const use = (word: ReadWord, role: FileRole): void => {
			if (role === 'none') return;
			used++;
			this.#use(word, role, place, { by: name, recursive });
		};
		for (const [index, word] of operands.entries())
			use(word, cmdlet.words?.[Math.min(index, cmdlet.words.length - 1)] ?? 'none');
		for (const { name: parameter, word } of parameters) use(word, cmdlet.files?.[parameter] ?? 'none');
		if (used > 0) return;
		if (cmdlet.here === true) this.#use(here, 'read', place, { by: name, recursive: true });
		// What comes through the pipe says which files.
		const roles = Object.values(cmdlet.files ?? {});
		if (roles.includes('remove') || (cmdlet.words ?? []).some((role) => role === 'write'))
			this.#collector.problem('dynamic_target', place.text);
	}

	#use(
		word: ReadWord,
		role: FileRole,
		place: Place,
		options: { readonly by: string; readonly recursive?: boolean },
	): void {
		const value = word.value === undefined ? undefined : slashes(word.value);
		const named =
			value === undefined
				? word
				: { ...word, value: value.startsWith('~/') ? (this.#collector.home ?? '~') + value.slice(1) : value };
		// A share of another machine, or a drive that is no place for files (`Env:`, `Function:`).
		if (value !== undefined && (value.startsWith('//') || /^[a-z]\w+:|^\w+::/i.test(value)))
			this.#collector.problem('unsupported', place.text);
		if (role === 'read') this.#collector.read(named, place, options);
		else this.#collector.write(named, place, { ...options, removed: role === 'remove' });
	}

	#redirection(node: SyntaxNode): void {
		const file = node.children.find(({ type }) => type === 'redirected_file_name');
		const target = file?.children.find(({ type }) => type !== 'command_argument_sep');
		if (target === undefined || this.#text(target).toLowerCase() === '$null') return;
		this.#use(this.#word(target), 'write', this.#place(this.#text(node)), { by: 'redirection' });
	}

	#launching(): Launching {
		const stays = { ok: this.#folders, fail: this.#folders };
		return {
			collector: this.#collector,
			flavour: 'bash',
			invoke: (invocation) => {
				this.#collector.problem('dynamic_code', invocation.place.text);
				return stays;
			},
			environment: () => {},
			isHarmless: () => false,
			nested: (code) => {
				this.#collector.problem('dynamic_code', code);
				return stays;
			},
		};
	}
}

const here: ReadWord = { text: '.', value: '.', start: 0, end: 0 };

/** Both slashes divide a path. */
function slashes(path: string): string {
	return path.replaceAll('\\', '/');
}

function hasFiles({ words = [] }: Cmdlet): boolean {
	return words.some((role) => role !== 'none');
}

/** Lower case, without module, folder and `.exe`; aliases are told. */
function canonical(given: string): string {
	const name =
		given
			.toLowerCase()
			.split(/[\\/]/)
			.at(-1)
			?.replace(/\.exe$/, '') ?? '';
	return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
}

/** Names may be shortened; one that fits none takes no value, so that the next word counts as a file. */
function readParameters(
	args: readonly ReadWord[],
	{ files = {} }: Cmdlet,
): { readonly parameters: readonly Parameter[]; readonly operands: readonly ReadWord[] } {
	const parameters: Parameter[] = [];
	const operands: ReadWord[] = [];
	for (let at = 0; at < args.length; at++) {
		const word = args[at];
		if (word === undefined) continue;
		if (!/^-[A-Za-z]/.test(word.text)) {
			operands.push(word);
			continue;
		}
		const given = word.text.slice(1).replace(/:.*$/s, '').toLowerCase();
		const file =
			Object.keys(files).find((name) => name.startsWith(given)) ??
			(/^(?:pspath|lp)$/.test(given) ? 'literalpath' : undefined);
		const next = args[at + 1];
		if (next === undefined || /^-[A-Za-z]/.test(next.text)) continue;
		if (file !== undefined) parameters.push({ name: file, word: next });
		else if (given.length < 3 || !valueParameters.some((name) => name.startsWith(given))) continue;
		at++;
	}
	return { parameters, operands };
}
