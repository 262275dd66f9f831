// Walks the syntax tree of a bash command line in the order in which it would run, and follows the folder it runs in.
// Contract: a kind of node that is not known here, or text between nodes that is no space, is not understood.
import type { ParseSource, SyntaxNode } from '../../ports/shellParser.ts';
import { limits } from '../../limits.ts';
import { BashSource } from './bashSource.ts';
import type { Collector, Flavour, Folders, Place } from './collector.ts';
import { unite } from './collector.ts';
import { BashCommands } from './bashCommands.ts';
import { isSpecialName } from './builtins.ts';
import type { Flow } from './invocation.ts';
import type { Tainted } from './taint.ts';
import { taintedNames } from './taint.ts';
import { checkTest } from './testCommand.ts';

export interface WalkQuery {
	readonly collector: Collector;
	readonly parse: ParseSource;
	readonly flavour: Flavour;
	readonly tainted: Tainted;
	/** Where it stands; `text` is replaced by each command's own, unless it is a program within a program. */
	readonly place: Place;
}

/** Reads `source` and walks it. */
export function walkBash(source: string, query: WalkQuery): Flow {
	const { collector, place } = query;
	const failed: Flow = { ok: new Set([undefined]), fail: new Set([undefined]) };
	if (place.depth > limits.commandDepth) {
		collector.problem('unsupported', source);
		return failed;
	}
	const root = query.parse(source);
	if (root.hasError) collector.problem('syntax', source);
	if (depthOf(root) > limits.commandDepth - place.depth) {
		collector.problem('unsupported', source);
		return failed;
	}
	return new BashWalk(source, root, query).run();
}

const nesting =
	/^(?:command_substitution|process_substitution|arithmetic_expansion|expansion|subshell|compound_statement|negated_command|redirected_statement|function_definition|(?:if|for|while|case|c_style_for)_statement)$/;

function depthOf(root: SyntaxNode): number {
	let deepest = 0;
	const open: { readonly node: SyntaxNode; readonly depth: number }[] = [{ node: root, depth: 0 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const depth = next.depth + (nesting.test(next.node.type) ? 1 : 0);
		deepest = Math.max(deepest, depth);
		for (const node of next.node.children) open.push({ node, depth });
	}
	return deepest;
}

class BashWalk {
	readonly #source: BashSource;
	readonly #commands: BashCommands;
	readonly #root: SyntaxNode;
	readonly #query: WalkQuery;
	/** Functions of this text change the folder: it is not known from there on. */
	readonly #movesInFunctions: boolean;
	/** Something of this text may change the folder. */
	readonly #moves: boolean;

	constructor(source: string, root: SyntaxNode, query: WalkQuery) {
		this.#root = root;
		this.#query = query;
		const { collector, place } = query;
		const tainted = taintedNames(root, source, query.tainted);
		const bare = source.replaceAll(/[\\'"]/g, '');
		this.#moves = /\b(?:cd|chdir|pushd|popd|eval|source)\b|(?:^|\s)\.\s/.test(bare);
		this.#movesInFunctions = this.#moves && /\bfunction\b|\(\s*\)/.test(source);
		// Code that the text holds as a string.
		const nested = (code: string, at: Place, flavour: Flavour): Flow =>
			walkBash(code, { ...query, flavour, tainted, place: { ...at, text: '', depth: at.depth + 1 } });
		this.#source = new BashSource({
			source,
			root,
			collector,
			tainted,
			folders: place.folders,
			enter: (node) => this.#substitution((folders) => this.#sequence(node, folders)),
			enterCode: (code) => this.#substitution((folders) => nested(code, { ...place, folders }, query.flavour)),
		});
		this.#commands = new BashCommands({
			source: this.#source,
			collector,
			flavour: query.flavour,
			place,
			statement: (node, folders) => this.#statement(node, folders),
			nested,
		});
	}

	run(): Flow {
		const flow = this.#sequence(this.#root, this.#source.folders);
		this.#source.finish();
		return flow;
	}

	/** What runs in a shell of its own leaves the folder as it was. */
	#substitution(walk: (folders: Folders) => Flow): void {
		const before = this.#source.folders;
		walk(before);
		this.#source.folders = before;
	}

	#problem(node: SyntaxNode, code: 'syntax' | 'unsupported' = 'syntax'): void {
		this.#source.problem(code, node.start, node.end);
	}

	/** Statements one after the other; `&` leaves the folder as it was. */
	#sequence(node: SyntaxNode, folders: Folders): Flow {
		this.#source.checkGaps(node);
		let flow: Flow = { ok: folders, fail: folders };
		const { children } = node;
		for (const [index, child] of children.entries()) {
			if (!child.named || child.type === 'comment') {
				this.#source.checkSign(child);
				continue;
			}
			const before = unite(flow.ok, flow.fail);
			const after = this.#statement(child, before);
			flow = children[index + 1]?.type === '&' ? { ok: before, fail: before } : after;
		}
		return flow;
	}

	#statement(node: SyntaxNode, folders: Folders): Flow {
		this.#source.folders = folders;
		switch (node.type) {
			case 'command':
			case 'declaration_command':
			case 'unset_command':
			case 'redirected_statement':
				return this.#commands.command(node, folders);
			case 'variable_assignment':
			case 'variable_assignments':
				return this.#commands.command(node, folders);
			case 'list':
				return this.#list(node, folders);
			case 'pipeline':
				this.#source.checkGaps(node);
				for (const child of node.children) if (child.named) this.#statement(child, folders);
				return { ok: folders, fail: folders };
			case 'negated_command': {
				this.#source.checkGaps(node);
				const inner = node.children.find(({ named }) => named);
				const flow = inner === undefined ? { ok: folders, fail: folders } : this.#statement(inner, folders);
				return { ok: flow.fail, fail: flow.ok };
			}
			case 'subshell':
				this.#sequence(node, folders);
				return { ok: folders, fail: folders };
			case 'compound_statement':
				if (this.#source.source.charAt(node.start) !== '{') return this.#commands.arithmetic(node, folders);
				return this.#sequence(node, folders);
			case 'test_command':
				return this.#test(node, folders);
			default:
				return this.#control(node, folders);
		}
	}

	/** `a && b || c`: flattened, as the grammar nests them without bound. */
	#list(node: SyntaxNode, folders: Folders): Flow {
		const steps: { readonly sign: string; readonly node: SyntaxNode }[] = [];
		let first = node;
		while (first.type === 'list') {
			this.#source.checkGaps(first);
			const [left, sign, right, ...more] = first.children.filter(({ type }) => type !== 'comment');
			if (left === undefined || sign === undefined || right === undefined || more.length > 0) {
				this.#problem(first);
				return { ok: new Set([undefined]), fail: new Set([undefined]) };
			}
			if (right.type === 'list') this.#problem(first);
			steps.push({ sign: sign.type, node: right });
			first = left;
		}
		let flow = this.#statement(first, folders);
		for (const step of steps.toReversed()) {
			if (step.sign !== '&&' && step.sign !== '||') this.#problem(node);
			const and = step.sign === '&&';
			const next = this.#statement(step.node, and ? flow.ok : flow.fail);
			flow = and
				? { ok: next.ok, fail: unite(flow.fail, next.fail) }
				: { ok: unite(flow.ok, next.ok), fail: next.fail };
		}
		return flow;
	}

	#control(node: SyntaxNode, folders: Folders): Flow {
		const both = (end: Folders): Flow => ({ ok: end, fail: end });
		switch (node.type) {
			case 'if_statement':
				return this.#if(node, folders);
			case 'while_statement':
				return both(this.#twice(folders, (from) => this.#parts(node, from)));
			case 'for_statement':
				return both(this.#twice(folders, (from) => this.#for(node, from)));
			case 'c_style_for_statement':
				return both(this.#twice(folders, (from) => this.#countingFor(node, from)));
			case 'case_statement':
				return both(this.#case(node, folders));
			case 'function_definition':
				return this.#function(node, folders);
			default:
				this.#problem(node, 'unsupported');
				return both(new Set([undefined]));
		}
	}

	/** A loop may come round to where it ended; when it would go on moving, its folder is not known. */
	#twice(folders: Folders, body: (from: Folders) => Folders): Folders {
		return unite(folders, body(this.#moves ? new Set([undefined]) : folders));
	}

	/** Conditions and groups of a loop, one after the other. */
	#parts(node: SyntaxNode, folders: Folders): Folders {
		this.#source.checkGaps(node);
		let at = folders;
		for (const child of node.children) {
			if (!child.named || child.type === 'comment') this.#source.checkSign(child);
			else {
				const flow = child.type === 'do_group' ? this.#sequence(child, at) : this.#statement(child, at);
				at = unite(flow.ok, flow.fail);
			}
		}
		return at;
	}

	#if(node: SyntaxNode, folders: Folders): Flow {
		this.#source.checkGaps(node);
		const ends: Folders[] = [];
		let at = folders;
		let otherwise = folders;
		for (const child of node.children) {
			if (child.type === 'elif_clause' || child.type === 'else_clause') {
				ends.push(at);
				if (child.type === 'else_clause') {
					const flow = this.#sequence(child, otherwise);
					at = unite(flow.ok, flow.fail);
					otherwise = new Set();
				} else {
					const flow = this.#if(child, otherwise);
					at = flow.ok;
					otherwise = flow.fail;
				}
			} else if (!child.named || child.type === 'comment') this.#source.checkSign(child);
			else {
				const flow = this.#statement(child, at);
				const condition = child.field === 'condition' || (node.type === 'elif_clause' && !this.#afterThen(node, child));
				if (condition) otherwise = flow.fail;
				at = condition ? flow.ok : unite(flow.ok, flow.fail);
			}
		}
		const end = unite(...ends, at);
		return node.type === 'elif_clause'
			? { ok: end, fail: otherwise }
			: { ok: unite(end, otherwise), fail: unite(end, otherwise) };
	}

	#afterThen(node: SyntaxNode, child: SyntaxNode): boolean {
		const then = node.children.find(({ type }) => type === 'then');
		return then !== undefined && child.start > then.start;
	}

	#for(node: SyntaxNode, folders: Folders): Folders {
		this.#source.checkGaps(node);
		let at = folders;
		for (const child of node.children) {
			if (child.type === 'do_group' || child.type === 'compound_statement') {
				const flow = this.#sequence(child, at);
				at = unite(flow.ok, flow.fail);
			} else if (child.field === 'variable') this.#source.assigned(this.#source.textOf(child));
			else if (child.field === 'value') this.#source.word(child);
			else if (child.named && child.type !== 'comment') this.#problem(child);
		}
		return at;
	}

	#countingFor(node: SyntaxNode, folders: Folders): Folders {
		const { source } = this.#source;
		const open = source.indexOf('((', node.start);
		const close = node.children.find(({ type }) => type === '))');
		if (close === undefined || this.#query.flavour === 'posix') this.#problem(node);
		else this.#source.arithmetic(open + 2, close.start);
		let at = folders;
		for (const child of node.children.filter(({ field }) => field === 'body')) {
			const flow = this.#sequence(child, at);
			at = unite(flow.ok, flow.fail);
		}
		return at;
	}

	#case(node: SyntaxNode, folders: Folders): Folders {
		this.#source.checkGaps(node);
		const ends: Folders[] = [folders];
		for (const child of node.children) {
			if (child.type === 'case_item') ends.push(this.#caseItem(child, unite(...ends)));
			else if (child.field === 'value') this.#source.word(child);
			else if (child.named && child.type !== 'comment') this.#problem(child);
			else this.#source.checkSign(child);
		}
		return unite(...ends);
	}

	#caseItem(node: SyntaxNode, folders: Folders): Folders {
		this.#source.checkGaps(node);
		let at = folders;
		for (const child of node.children) {
			if (child.field === 'value') this.#source.word(child);
			else if (!child.named || child.type === 'comment') this.#source.checkSign(child);
			else {
				const flow = this.#statement(child, at);
				at = unite(flow.ok, flow.fail);
			}
		}
		return at;
	}

	#function(node: SyntaxNode, folders: Folders): Flow {
		this.#source.checkGaps(node);
		const { collector } = this.#query;
		collector.notReadOnly();
		const name = node.children.find(({ field }) => field === 'name');
		if (name === undefined || !/^[\w.:-]+$/.test(this.#source.textOf(name))) this.#problem(node);
		if (this.#query.flavour === 'posix' && this.#source.textOf(node).startsWith('function')) this.#problem(node);
		if (name !== undefined && isSpecialName(this.#source.textOf(name))) this.#problem(node, 'unsupported');
		const inside: Folders = this.#movesInFunctions ? new Set([undefined]) : folders;
		for (const child of node.children) {
			if (child.field === 'body') this.#statement(child, inside);
			else if (child.field === 'redirect') this.#commands.redirect(child, undefined, inside);
			else if (child.named && child.field !== 'name' && child.type !== 'comment') this.#problem(child);
		}
		return { ok: inside, fail: inside };
	}

	#test(node: SyntaxNode, folders: Folders): Flow {
		if (!this.#source.textOf(node).startsWith('[[')) return this.#commands.words(node, folders);
		if (this.#query.flavour === 'posix') this.#problem(node, 'unsupported');
		checkTest(this.#source, node);
		return { ok: folders, fail: folders };
	}
}
