// Variables whose text may be anything: the shell evaluates what arithmetic names once more, and `a[$(…)]` in it would run.
import type { SyntaxNode } from '../../ports/shellParser.ts';

export interface Tainted {
	/** Every name counts, as something sets variables out of sight. */
	readonly all: boolean;
	readonly names: ReadonlySet<string>;
}

const setters = /^(?:read|mapfile|readarray|getopts|printf|wait|coproc|select|vared)$/;
const unseen = /^(?:eval|source|\.|trap|alias)$/;

/** Text that stays harmless when it is evaluated as arithmetic. */
const harmless = /^(?:"[\w./:, -]*"|'[\w./:, -]*'|[\w./:,-]*)$/;

/** Contract: visits each node once. `outer`: of the command line that this one stands in. */
export function taintedNames(root: SyntaxNode, source: string, outer: Tainted): Tainted {
	const names = new Set(outer.names);
	let { all } = outer;
	const textOf = (node: SyntaxNode | undefined): string => (node ? source.slice(node.start, node.end).trim() : '');
	const pending = [root];
	for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
		pending.push(...node.children);
		if (node.type === 'variable_assignment') {
			const [name, , value] = node.children;
			if (!harmless.test(textOf(value))) names.add(textOf(name).replace(/\[.*$/s, ''));
		} else if (node.type === 'for_statement') {
			const [, name, ...values] = node.children;
			if (!values.filter(({ field }) => field === 'value').every((value) => harmless.test(textOf(value)))) {
				names.add(textOf(name));
			}
			if (!values.some(({ field }) => field === 'value')) names.add(textOf(name));
		} else if (node.type === 'command' || node.type === 'declaration_command') {
			const words = node.children.filter(({ named }) => named).map(textOf);
			const first = words.find((word) => !word.includes('=')) ?? '';
			const name = first.replace(/[\\'"]/g, '');
			if (unseen.test(name) || /[$`]/.test(name)) all = true;
			if (setters.test(name)) for (const word of words) names.add(word);
			const odd = ({ type, named }: SyntaxNode): boolean =>
				named && !/^(?:word|variable_name|variable_assignment)$/.test(type);
			if (node.type === 'declaration_command' && node.children.some(odd)) all = true;
			if (
				/\b(?:command|builtin|env|time)\b/.test(name) &&
				words.some((word) => setters.test(word) || unseen.test(word))
			)
				all = true;
		}
	}
	return { all, names };
}
