// Simple commands of bash: their assignments, words and redirections, as the tree and the word reader agree on them.
import type { SyntaxNode } from '../../ports/shellParser.ts';
import type { BashSource } from './bashSource.ts';
import { checkEnvironment } from './builtins.ts';
import type { Collector, Flavour, Folders, Place } from './collector.ts';
import { unite } from './collector.ts';
import { readHeredoc } from './heredoc.ts';
import type { Flow, Invocation, Launching } from './invocation.ts';
import { isReserved } from './invocation.ts';
import { invoke } from './launch.ts';
import type { ReadWord } from './words.ts';

export interface CommandsQuery {
	readonly source: BashSource;
	readonly collector: Collector;
	readonly flavour: Flavour;
	readonly place: Place;
	/** Any other statement. */
	statement(node: SyntaxNode, folders: Folders): Flow;
	readonly nested: (code: string, place: Place, flavour: Flavour) => Flow;
}

export class BashCommands {
	readonly #query: CommandsQuery;
	readonly #source: BashSource;

	constructor(query: CommandsQuery) {
		this.#query = query;
		this.#source = query.source;
	}

	#problem(node: SyntaxNode, code: 'syntax' | 'unsupported' = 'syntax'): void {
		this.#source.problem(code, node.start, node.end);
	}

	/** A command with its assignments, words and redirections, in the order of the text. */
	command(node: SyntaxNode, folders: Folders): Flow {
		const { place } = this.#query;
		const text = this.#source.textOf(node);
		const words: ReadWord[] = [];
		const state: Gathered = { words, assignments: [], redirected: false, input: false };
		const body = this.#gather(node, state, folders, text);
		if (body !== undefined) {
			// Words behind a redirection of a pipeline or list belong to its last command, which the grammar does not see.
			if (words.length > 0) this.#problem(node);
			return body;
		}
		const [first] = words;
		if (first !== undefined && isReserved(first)) this.#problem(node);
		checkEnvironment(
			state.assignments.map(({ name }) => name),
			this.#query,
		);
		if (words.length === 0) {
			if (state.assignments.length > 0) this.#query.collector.notReadOnly();
			if (state.redirected && this.#query.flavour === 'zsh') this.#problem(node, 'unsupported');
			return { ok: folders, fail: folders };
		}
		const invocation: Invocation = { ...state, place: { ...place, folders, text } };
		return invoke(invocation, this.#launching());
	}

	/** `[ … ]`, which the grammar reads like `[[ … ]]` and the shell as any other command. */
	words(node: SyntaxNode, folders: Folders): Flow {
		const words: ReadWord[] = [];
		for (let at = this.#source.startOf(node); at >= 0 && at < node.end;) {
			const word = this.#source.wordAt(at);
			words.push(word);
			at = word.end;
			if (word.text === '') break;
			while (/[ \t]/.test(this.#source.source.charAt(at))) at++;
		}
		if (words.at(-1)?.text !== ']' || words.at(-1)?.end !== node.end) this.#problem(node);
		const place = { ...this.#query.place, folders, text: this.#source.textOf(node) };
		return invoke({ words, assignments: [], redirected: false, input: false, place }, this.#launching());
	}

	#launching(): Launching {
		const { collector, flavour, nested } = this.#query;
		const launching: Launching = {
			collector,
			flavour,
			nested,
			environment: (names) => checkEnvironment(names, { collector }),
			isHarmless: (name) => this.#source.isHarmless(name),
			invoke: (invocation, external) => invoke(invocation, launching, external),
		};
		return launching;
	}

	/** Fills `state` from a node; a compound body of a redirection is walked, and its flow answered. */
	#gather(node: SyntaxNode, state: Gathered, folders: Folders, text: string): Flow | undefined {
		if (node.type === 'variable_assignment') {
			this.#assignment(node, state);
			return undefined;
		}
		if (node.type === 'declaration_command' || node.type === 'unset_command') {
			this.#source.checkGaps(node, true);
			for (const [index, child] of node.children.entries()) {
				if (index === 0 || child.named) this.#gatherWord(child, state);
			}
			return undefined;
		}
		this.#source.checkGaps(node, true);
		let flow: Flow | undefined;
		let at = folders;
		for (const child of node.children) {
			if (child.field === 'body') {
				flow = simple.has(child.type)
					? this.#gather(child, state, folders, text)
					: this.#query.statement(child, folders);
				// The redirection may belong to the last command of a list, wherever the shell is then.
				if (flow !== undefined) at = unite(folders, flow.ok, flow.fail);
			} else if (child.type.endsWith('_redirect')) at = unite(at, this.redirect(child, state, at, text));
			else if (child.type === 'variable_assignment') this.#assignment(child, state);
			else this.#gatherWord(child, state);
		}
		this.#source.folders = folders;
		if (flow !== undefined) return { ok: unite(flow.ok, at), fail: unite(flow.fail, at) };
		return undefined;
	}

	#gatherWord(node: SyntaxNode, state: Gathered): void {
		const { source } = this.#source;
		const start = this.#source.startOf(node);
		if (
			source.startsWith('((', start) &&
			/^(?:command_name|arithmetic_expansion|compound_statement)$/.test(node.type)
		) {
			this.arithmetic(node, this.#source.folders);
			return;
		}
		if (node.type === 'comment') {
			this.#source.checkSign(node);
			return;
		}
		if (node.type === 'variable_assignment' && node.children.some(({ type }) => type === 'array')) {
			this.#assignment(node, { ...state, assignments: [] });
			const text = this.#source.textOf(node);
			const name = /^\w+/.exec(text)?.[0] ?? '';
			state.words.push({ start, end: node.end, text, value: `${name}=()` });
			return;
		}
		const word = this.#source.word(node);
		if (this.#query.flavour === 'posix' && /\$['"[]/.test(word.text)) this.#problem(node, 'unsupported');
		if (this.#query.flavour === 'zsh' && word.text.startsWith('=')) this.#problem(node, 'unsupported');
		state.words.push(word);
	}

	#assignment(node: SyntaxNode, state: Gathered): void {
		const text = this.#source.textOf(node);
		const array = node.children.find(({ type }) => type === 'array');
		const [, name = '', subscript] = /^([A-Za-z_]\w*)(\[(?:[^\]]*)\])?\+?=/.exec(text) ?? [];
		if (name === '') this.#problem(node);
		const start = this.#source.startOf(node);
		if (subscript !== undefined)
			this.#source.arithmetic(start + name.length + 1, start + name.length + subscript.length - 1);
		if (array === undefined) {
			const word = this.#source.word(node);
			const value = word.value?.slice(word.value.indexOf('=') + 1);
			state.assignments.push({ name, ...(value === undefined ? {} : { value }) });
			return;
		}
		this.#source.checkGaps(array);
		for (const child of array.children) {
			if (child.type === 'comment' || !child.named) continue;
			const word = this.#source.word(child);
			// `[index]=value` in a list is evaluated too.
			if (word.text.startsWith('[')) this.#problem(child, 'unsupported');
		}
		state.assignments.push({ name });
	}

	/** Answers with the folders that may be left by what follows a here-document on its line. */
	redirect(node: SyntaxNode, state: Gathered | undefined, folders: Folders, text = ''): Folders {
		if (state !== undefined) state.redirected = true;
		if (node.type === 'heredoc_redirect') {
			if (state !== undefined) state.input = true;
			const more = readHeredoc(this.#source, node);
			let at = folders;
			for (const child of more) {
				if (child.type.endsWith('_redirect')) at = this.redirect(child, state, at, text);
				else if (child.field === 'argument' && state !== undefined) this.#gatherWord(child, state);
				else {
					const flow = this.#query.statement(child, at);
					at = unite(at, flow.ok, flow.fail);
				}
			}
			return at;
		}
		const words = node.children.filter(
			({ field, type, named }) => field === 'destination' || (type !== 'file_descriptor' && named),
		);
		const sign = node.children.find(({ named }) => !named)?.type ?? '';
		this.#source.checkGaps(node, true);
		const [first, ...others] = words;
		if (first === undefined) {
			if (!/^[<>]&-$/.test(sign)) this.#problem(node);
			return folders;
		}
		const target = this.#source.word(first);
		for (const other of others) {
			if (state === undefined) this.#problem(other);
			else this.#gatherWord(other, state);
		}
		if (node.type === 'herestring_redirect') {
			if (state !== undefined) state.input = true;
			if (this.#query.flavour === 'posix') this.#problem(node, 'unsupported');
			return folders;
		}
		this.#fileRedirect(sign, target, node, text, folders);
		if (sign.startsWith('<') && state !== undefined) state.input = true;
		return folders;
	}

	#fileRedirect(sign: string, target: ReadWord, node: SyntaxNode, text: string, folders: Folders): void {
		const place = { ...this.#query.place, text: text === '' ? this.#source.textOf(node) : text, folders };
		const { collector, flavour } = this.#query;
		if (flavour === 'posix' && /^&>|^>&$/.test(sign) && !/^(?:\d+|-)$/.test(target.text))
			this.#problem(node, 'unsupported');
		if (flavour === 'zsh' && target.text === '!') this.#problem(node, 'unsupported');
		if (target.text.startsWith('<(') || target.text.startsWith('>(')) return;
		if (target.value?.startsWith('/dev/tcp/') === true || target.value?.startsWith('/dev/udp/') === true)
			this.#problem(node, 'unsupported');
		if (/^[<>]&$/.test(sign) && /^(?:\d+-?|-)$/.test(target.text)) return;
		// Behind `>&` the shell reads a word that is no number twice, quotes and all.
		if (sign === '>&' && !/^[\w./-]+$/.test(target.text)) this.#problem(node, 'unsupported');
		if (sign === '<&') {
			if (target.value === undefined) collector.problem('dynamic_target', target.text);
			return;
		}
		if (sign === '<' || sign === '<>') collector.read(target, place, { by: 'redirection' });
		if (sign !== '<') collector.write(target, place, { by: 'redirection' });
		if (!/^(?:<|<>|>|>>|>\||&>|&>>|>&)$/.test(sign)) this.#problem(node);
	}

	/** `(( … ))` */
	arithmetic(node: SyntaxNode, folders: Folders): Flow {
		const text = this.#source.textOf(node);
		if (!/^\(\(.*\)\)$/s.test(text) || this.#query.flavour === 'posix') this.#problem(node, 'unsupported');
		else this.#source.arithmetic(this.#source.startOf(node) + 2, node.end - 2);
		return { ok: folders, fail: folders };
	}
}

interface Gathered {
	readonly words: ReadWord[];
	readonly assignments: { readonly name: string; readonly value?: string }[];
	redirected: boolean;
	/** Its input comes from a file or text of the command line. */
	input: boolean;
}

const simple = new Set([
	'command',
	'declaration_command',
	'unset_command',
	'variable_assignment',
	'variable_assignments',
]);
