// `[[ … ]]`: it starts nothing by itself, but substitutions in it do, and numbers in it are evaluated as arithmetic.
import type { SyntaxNode } from '../../ports/shellParser.ts';
import type { BashSource } from './bashSource.ts';

export function checkTest(source: BashSource, node: SyntaxNode): void {
	const start = source.startOf(node);
	const text = source.source.slice(start, node.end);
	const inner = text.slice(2, -2);
	// The first lone `]]` ends it.
	const ends = /(?:^|\s)\]\](?=[\s;&|)]|$)/.exec(text.slice(2));
	if (!/^\[\[\s.*\s\]\]$/s.test(text) || (ends !== null && ends.index + 2 + ends[0].length < text.length)) {
		source.problem('syntax', node.start, node.end);
	}
	source.skim(start + 2, node.end - 2, true);
	if (/\s-(?:eq|ne|lt|le|gt|ge)\s/.test(inner)) {
		const names = inner.matchAll(/[A-Za-z_]\w*/g);
		const open = /[[\]`]|\$[({]?[0-9@*(]|\$\{[^}]*[^\w}]/.test(inner.replaceAll(/\$\{#[^}]*\}/g, ''));
		if (open || [...names].some(([name]) => !source.isHarmless(name)))
			source.problem('dynamic_code', node.start, node.end);
	}
	if (/(?:^|\s)-[vR]\s/.test(inner) && /[[$`]/.test(inner)) source.problem('dynamic_code', node.start, node.end);
}
