// Formulas in Markdown: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`. They stay text here; the page draws them (`formulas.ts`). Strict about
// single dollars, so that prices and shell variables stay what they are. Pure.
import type { MarkedExtension, TokenizerAndRendererExtension, Tokens } from 'marked';
import { escapeHtml } from './escapeHtml.ts';

/** The class of an element that holds the source of a formula. */
export const formulaClass = 'formula';

/** Opening `$` before a non-space, closing `$` after one, neither next to a letter or digit outside. */
const dollars = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n])*?(?:\\[^\n]|[^\\$\s]))\$(?![\p{L}\p{N}$])/u;
const doubleDollars = /^\$\$(?!\$)((?:\\[^]|[^\\$])+?)\$\$(?!\$)/;
const parentheses = /^\\\(((?:(?!\\\)|\n[ \t]*\n)[^])+)\\\)/;
const brackets = /^\\\[((?:(?!\\\]|\n[ \t]*\n)[^])+)\\\]/;
/** A formula of its own lines; an empty line ends it, so that an open one never swallows the rest. */
const dollarBlock = /^ {0,3}\$\$((?:(?!\$\$|\n[ \t]*\n)[^])+)\$\$[ \t]*(?:\n|$)/;
const bracketBlock = /^ {0,3}\\\[((?:(?!\\\]|\n[ \t]*\n)[^])+)\\\][ \t]*(?:\n|$)/;

interface Formula extends Tokens.Generic {
	readonly tex: string;
	readonly display: boolean;
}

const inline: TokenizerAndRendererExtension = {
	name: 'formula',
	level: 'inline',
	start: (source) => /(?<![\p{L}\p{N}$\\])\$|\\[([]/u.exec(source)?.index,
	tokenizer(source) {
		for (const [pattern, display] of [
			[doubleDollars, true],
			[dollars, false],
			[parentheses, false],
			[brackets, true],
		] as const) {
			const found = formula(pattern.exec(source), 'formula', display);
			if (found) return found;
		}
		return undefined;
	},
	renderer: (token) => formulaHtml(token as Formula, 'span'),
};

const block: TokenizerAndRendererExtension = {
	name: 'formulaBlock',
	level: 'block',
	start: (source) => /(?:^|\n) {0,3}(?:\$\$|\\\[)/.exec(source)?.index,
	tokenizer: (source) => formula(dollarBlock.exec(source) ?? bracketBlock.exec(source), 'formulaBlock', true),
	renderer: (token) => formulaHtml(token as Formula, 'div'),
};

function formula(match: RegExpExecArray | null, type: string, display: boolean): Formula | undefined {
	const tex = match?.[1]?.trim();
	return match && tex ? { type, raw: match[0], tex, display } : undefined;
}

export function formulaHtml({ tex, display }: Pick<Formula, 'tex' | 'display'>, element: 'span' | 'div'): string {
	const classes = display ? `${formulaClass} display` : formulaClass;
	return `<${element} class="${classes}">${escapeHtml(tex)}</${element}>`;
}

export const mathSyntax: MarkedExtension = { extensions: [inline, block] };
