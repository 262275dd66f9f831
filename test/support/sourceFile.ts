// What the architecture test wants to know about one source file, read from its syntax tree.
import path from 'node:path';
import { parseSync, type ParseResult } from 'oxc-parser';

export interface Import {
	readonly specifier: string;
	/** Path from the root for a file of this repository; absent for packages. */
	readonly target?: string;
	readonly line: number;
}

export interface SourceFile {
	/** From the repository's root, with forward slashes. */
	readonly path: string;
	readonly lines: number;
	/** Static, dynamic and type imports, and re-exports. */
	readonly imports: readonly Import[];
	readonly functions: readonly { readonly name: string; readonly line: number; readonly lines: number }[];
	/** `let`, `var` and empty collections at the module's top level. */
	readonly moduleState: readonly { readonly name: string; readonly line: number }[];
	readonly onlyReexports: boolean;
	/** Literals given to `t(…)`, `l10n.t(…)`, or `say(…)` of the settings. */
	readonly texts: readonly { readonly text: string; readonly line: number }[];
	/** Every string literal. */
	readonly strings: readonly string[];
	/** Uses of the machine's own time, timers and chance, as written. */
	readonly machine: readonly { readonly name: string; readonly line: number }[];
}

/** The parts of oxc's nodes that are read here. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [key: string]: unknown;
}

export function parseSource(file: string, text: string): SourceFile {
	const result = parseSync(file, text);
	const [error] = result.errors;
	if (error) throw new Error(`${file}: ${error.message}`);
	const lineOf = lineCounter(text);
	const program = result.program as unknown as Node;
	const body = children(program, 'body');
	const found = collect(program, lineOf);
	return {
		path: file,
		lines: text.replace(/\n$/, '').split('\n').length,
		imports: importsOf(file, text, result, lineOf),
		functions: found.functions,
		moduleState: body.flatMap((statement) => moduleState(statement, lineOf)),
		onlyReexports: body.length > 0 && body.every(isReexport),
		texts: found.texts,
		strings: found.strings,
		machine: found.machine,
	};
}

function importsOf(file: string, text: string, { module }: ParseResult, lineOf: (offset: number) => number): Import[] {
	const requests = [
		...module.staticImports.map(({ moduleRequest }) => moduleRequest),
		...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
		...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
			start,
			value: /^['"`](.*)['"`]$/s.exec(text.slice(start, end))?.[1] ?? '(computed)',
		})),
	];
	return requests.map(({ start, value }) => ({
		specifier: value,
		line: lineOf(start),
		...(value.startsWith('.') ? { target: path.posix.join(path.posix.dirname(file), value) } : {}),
	}));
}

function collect(program: Node, lineOf: (offset: number) => number) {
	const functions: { name: string; line: number; lines: number }[] = [];
	const texts: { text: string; line: number }[] = [];
	const strings: string[] = [];
	const machine: { name: string; line: number }[] = [];
	walk(program, (node, parent) => {
		const used = machineUse(node);
		if (used !== undefined) machine.push({ name: used, line: lineOf(node.start) });
		const text = literalText(node);
		if (text !== undefined) strings.push(text);
		if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
			const line = lineOf(node.start);
			functions.push({ name: nameOf(node, parent), line, lines: lineOf(node.end - 1) - line + 1 });
		}
		if (node.type === 'CallExpression' && isTranslate(node.callee as Node)) {
			const key = translationKey(children(node, 'arguments')[0]);
			if (key !== undefined) texts.push({ text: key, line: lineOf(node.start) });
		}
	});
	return { functions, texts, strings, machine };
}

function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
	visit(node, parent);
	for (const value of Object.values(node)) {
		for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node);
	}
}

function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function children(node: Node, key: string): Node[] {
	const value = node[key];
	return Array.isArray(value) ? value.filter(isNode) : [];
}

/** `Math.random`, `Date.now`, `new Date()`, `performance.…`, timers, random ids. */
function machineUse(node: Node): string | undefined {
	const name = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? String(value.name) : '');
	if (node.type === 'MemberExpression') {
		const used = `${name(node.object)}.${name(node.property)}`;
		return /^(Math\.random|Date\.now|performance\.\w+|crypto\.(random|getRandom)\w+)$/.test(used) ? used : undefined;
	}
	const callee = name(node.callee);
	if (node.type === 'NewExpression' && callee === 'Date' && children(node, 'arguments').length === 0)
		return 'new Date()';
	const timers = /^(set(Timeout|Interval|Immediate)|queueMicrotask|random(UUID|Bytes|Int))$/;
	return node.type === 'CallExpression' && timers.test(callee) ? callee : undefined;
}

function isTranslate(callee: Node): boolean {
	if (callee.type === 'Identifier') return callee.name === 't' || callee.name === 'say';
	if (callee.type !== 'MemberExpression' || (callee.property as Node).name !== 't') return false;
	const object = callee.object as Node;
	return object.name === 'l10n' || (object.type === 'MemberExpression' && (object.property as Node).name === 'l10n');
}

/** `t('text')`, or `t({ message: 'text', comment: … })`, whose key has the comment behind it. */
function translationKey(argument: Node | undefined): string | undefined {
	if (!argument) return undefined;
	if (argument.type !== 'ObjectExpression') return literalText(argument);
	const property = (name: string) => {
		const found = children(argument, 'properties').find((entry) => isNode(entry.key) && entry.key.name === name);
		return found && isNode(found.value) ? found.value : undefined;
	};
	const message = property('message');
	const comment = property('comment');
	const text = message ? literalText(message) : undefined;
	if (text === undefined || !comment) return text;
	const parts = comment.type === 'ArrayExpression' ? children(comment, 'elements') : [comment];
	return `${text}/${parts.map((part) => literalText(part) ?? '').join('')}`;
}

function literalText(node: Node): string | undefined {
	if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
	const [only, ...more] = node.type === 'TemplateLiteral' ? children(node, 'quasis') : [];
	return only && more.length === 0 ? (only.value as { cooked: string }).cooked : undefined;
}

function nameOf(node: Node, parent: Node | undefined): string {
	const named = [node.id, parent?.id, parent?.key].find(isNode);
	return typeof named?.name === 'string' ? named.name : '(without a name)';
}

function moduleState(statement: Node, lineOf: (offset: number) => number): { name: string; line: number }[] {
	const declaration = isNode(statement.declaration) ? statement.declaration : statement;
	if (declaration.type !== 'VariableDeclaration' || declaration.declare === true) return [];
	return children(declaration, 'declarations')
		.filter((declarator) => declaration.kind !== 'const' || isEmptyCollection(declarator.init))
		.map((declarator) => ({
			name: nameOf(declarator, undefined),
			line: lineOf(declarator.start),
		}));
}

/** An empty collection at the top of a module is there to be filled. */
function isEmptyCollection(value: unknown): boolean {
	if (!isNode(value)) return false;
	if (value.type === 'ArrayExpression') return children(value, 'elements').length === 0;
	if (value.type !== 'NewExpression' || children(value, 'arguments').length > 0) return false;
	return ['Map', 'Set'].includes(String((value.callee as Node).name));
}

function isReexport(statement: Node): boolean {
	return (
		statement.type === 'ExportAllDeclaration' ||
		(statement.type === 'ExportNamedDeclaration' && isNode(statement.source))
	);
}

function lineCounter(text: string): (offset: number) => number {
	const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
	return (offset) => {
		const after = starts.findIndex((start) => start > offset);
		return after < 0 ? starts.length : after;
	};
}
