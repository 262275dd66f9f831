// The only place that knows tree-sitter's own types: loads a grammar and copies its trees into plain nodes, so that no
// memory of the wasm module outlives a call.
import path from 'node:path';
import treeSitter from '@vscode/tree-sitter-wasm';
import type { TreeCursor } from '@vscode/tree-sitter-wasm';
import type { ParseSource, ShellLanguage, SyntaxNode } from '../../core/ports/shellParser.ts';

/** @throws when a file is missing or no grammar */
export async function loadGrammar(folder: string, language: ShellLanguage): Promise<ParseSource> {
	const { Language, Parser } = treeSitter;
	await Parser.init({ locateFile: (file) => path.join(folder, file) });
	const grammar = await Language.load(path.join(folder, `tree-sitter-${language}.wasm`));
	const parser = new Parser();
	parser.setLanguage(grammar);
	return (source) => {
		const tree = parser.parse(source);
		if (tree === null)
			return { type: 'ERROR', start: 0, end: source.length, named: true, hasError: true, children: [] };
		const cursor = tree.walk();
		const copied = copy(cursor);
		cursor.delete();
		tree.delete();
		return copied;
	};
}

type Growing = Omit<SyntaxNode, 'hasError' | 'children'> & { hasError: boolean; children: Growing[] };

/** The node under the cursor with all below it; deep trees need no deep stack. */
function copy(cursor: TreeCursor): SyntaxNode {
	const root = nodeAt(cursor);
	const open = [root];
	let at = root;
	const enter = (): void => {
		const child = nodeAt(cursor);
		open.at(-1)?.children.push(child);
		if (child.hasError) for (const node of open) node.hasError = true;
		at = child;
	};
	for (;;) {
		if (cursor.gotoFirstChild()) {
			if (at !== root) open.push(at);
			enter();
			continue;
		}
		while (!cursor.gotoNextSibling()) {
			if (!cursor.gotoParent() || open.length === 1) return root;
			open.pop();
		}
		enter();
	}
}

function nodeAt(cursor: TreeCursor): Growing {
	const field = cursor.currentFieldName;
	const type = cursor.nodeType;
	return {
		type,
		start: cursor.startIndex,
		end: cursor.endIndex,
		named: cursor.nodeIsNamed,
		hasError: type === 'ERROR' || cursor.nodeIsMissing,
		children: [],
		...(field === null ? {} : { field }),
	};
}
