// One source text with its tree: reads words of it, follows the substitutions in them, and keeps account of which parts
// of the tree were looked at. Contract: a substitution that the walk never came to is a problem.
import type { SyntaxNode } from '../../ports/shellParser.ts';
import type { Unclear } from '../shellAnalysis.ts';
import type { Collector, Folders } from './collector.ts';
import { changesPrograms } from './environment.ts';
import type { Tainted } from './taint.ts';
import type { Known, WordHost } from './wordHost.ts';
import type { ReadWord } from './words.ts';
import { WordReader } from './words.ts';

const substitutions = new Set(['command_substitution', 'process_substitution', 'arithmetic_expansion', 'expansion']);

const assignedInArithmetic =
	/([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:[-+*/%&|^<>]*=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

export interface SourceQuery {
	readonly source: string;
	readonly root: SyntaxNode;
	readonly collector: Collector;
	readonly tainted: Tainted;
	readonly folders: Folders;
	/** A substitution of the tree. */
	enter(node: SyntaxNode): void;
	/** What stands between backticks. */
	enterCode(code: string): void;
}

export class BashSource implements WordHost {
	readonly source: string;
	/** Where the walk is: what a substitution starts in. */
	folders: Folders;
	readonly #query: SourceQuery;
	readonly #reader: WordReader;
	readonly #nodes = new Map<number, SyntaxNode>();
	readonly #pending = new Map<number, SyntaxNode>();
	/** Names that the command line itself sets. */
	readonly #set = new Set<string>();

	constructor(query: SourceQuery) {
		this.source = query.source;
		this.#query = query;
		this.folders = query.folders;
		this.#reader = new WordReader(this);
		const open = [query.root];
		for (let node = open.pop(); node !== undefined; node = open.pop()) {
			open.push(...node.children);
			if (node.type === 'variable_name') this.#set.add(this.textOf(node));
			if (!substitutions.has(node.type)) continue;
			const start = this.startOf(node);
			this.#nodes.set(start, node);
			if (/^(?:command|process)_/.test(node.type)) this.#pending.set(start, node);
		}
	}

	/** Between the parts of a node there may be spaces and nothing else; inside of a command no end of a line. */
	checkGaps(node: SyntaxNode, oneLine = false): void {
		const gap = oneLine ? /^(?:[ \t]|\\\n)*$/ : /^(?:[ \t\n]|\\\n)*$/;
		let at = this.startOf(node);
		for (const { start, end } of [...node.children, { start: node.end, end: node.end }]) {
			if (!gap.test(this.source.slice(at, start))) this.problem('syntax', at, start);
			at = end;
		}
	}

	/** A comment begins where a word could. */
	checkSign(node: SyntaxNode): void {
		if (node.type !== 'comment' || node.start === 0) return;
		if (!/[\s;&|()]/.test(this.source.charAt(node.start - 1))) this.problem('syntax', node.start, node.end);
	}

	/** The grammar lets some nodes begin with the space before them. */
	startOf(node: SyntaxNode): number {
		let { start } = node;
		while (start < node.end && /\s/.test(this.source.charAt(start))) start++;
		return start;
	}

	textOf(node: SyntaxNode): string {
		return this.source.slice(node.start, node.end).trim();
	}

	/** The word at a node of the tree. Contract: both end at the same place, or that is a problem. */
	word(node: SyntaxNode): ReadWord {
		const word = this.#reader.word(this.startOf(node));
		if (word.end !== node.end) this.problem('syntax', node.start, node.end);
		return word;
	}

	/** A word that only this reader knows of. */
	wordAt(start: number): ReadWord {
		return this.#reader.word(start);
	}

	/** Text in which words do not matter: patterns, tests (`single`: single quotes quote), bodies of here-documents. */
	skim(start: number, end: number, single: boolean): void {
		this.#reader.skim(start, end, { single });
	}

	known(start: number): Known | undefined {
		return this.#nodes.get(start);
	}

	found({ start, end, code }: { readonly start: number; readonly end: number; readonly code?: string }): void {
		if (code === undefined) {
			const node = this.#pending.get(start);
			this.#pending.delete(start);
			if (node !== undefined) this.#query.enter(node);
			return;
		}
		// The text between backticks is read anew; what the tree made of it does not count.
		for (const [at] of this.#pending) if (at >= start && at < end) this.#pending.delete(at);
		this.#query.enterCode(code);
	}

	arithmetic(start: number, end: number): void {
		const text = this.source.slice(start, end);
		this.skim(start, end, false);
		if (/['\\]|[$`]\(|`/.test(text.replaceAll('$((', ''))) this.problem('dynamic_code', start, end);
		let depth = 0;
		for (const char of text) {
			if (char === '(') depth++;
			if (char === ')' && --depth < 0) this.problem('syntax', start, end);
		}
		if (depth !== 0 || !/^[\w\s+\-*/%<>=!&|^~?:,().$[\]{}"#@;]*$/.test(text)) this.problem('syntax', start, end);
		if (/\$\{?[0-9@*]/.test(text)) this.problem('dynamic_code', start, end);
		if ([...text.matchAll(/[A-Za-z_]\w*/g)].some(([name]) => !this.isHarmless(name)))
			this.problem('dynamic_code', start, end);
		for (const [, before, after] of text.matchAll(assignedInArithmetic)) this.assigned(before ?? after ?? '');
	}

	/** The variable's text cannot be code. */
	isHarmless(name: string): boolean {
		const { tainted } = this.#query;
		return !tainted.names.has(name) && !(tainted.all && this.#set.has(name));
	}

	assigned(name: string): void {
		this.#query.collector.notReadOnly();
		if (changesPrograms(name)) this.#query.collector.problem('environment', name);
	}

	variable(name: string): string | undefined {
		return name === 'HOME' ? this.home() : undefined;
	}

	home(): string | undefined {
		const { home } = this.#query.collector;
		const set = /\bHOME\b/.test(this.source.replaceAll(/\$\{?HOME\b/g, '')) || this.#query.tainted.all;
		return home !== undefined && /^[\w/.@-]+$/.test(home) && !set ? home : undefined;
	}

	problem(code: Unclear['code'], start: number, end: number): void {
		this.#query.collector.problem(code, this.source.slice(start, end));
	}

	/** At the end: was everything of the tree looked at? */
	finish(): void {
		for (const node of this.#pending.values()) this.problem('syntax', node.start, node.end);
	}
}
