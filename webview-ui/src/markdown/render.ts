// Markdown to HTML, block by block. The HTML that models write is shown as text; images become links; the result still goes
// through the sanitizer before it reaches the page. Pure, so that it runs in tests without a browser.
import { t } from '@vscode/l10n';
import { Lexer, Marked, Parser, Renderer } from 'marked';
import type { Token, Tokens, TokensList } from 'marked';
import { escapeHtml } from './escapeHtml.ts';
import { fence } from './fence.ts';
import { anchor } from './anchor.ts';
import { fileOfCode, linkTarget } from './links.ts';
import { formulaHtml, mathSyntax } from './mathSyntax.ts';
import { nestedCode } from './nestedCode.ts';

/** A top-level block: HTML, or code that the page draws by itself (it may be long and still growing). */
export type Block = { readonly kind: 'html'; readonly html: string } | CodePart;

/** `path`: the file that the fence names. */
export interface CodePart {
	readonly kind: 'code';
	readonly code: string;
	readonly language: string;
	readonly path?: string;
}

export type LinkDefinitions = TokensList['links'];

const grammar = new Marked({ gfm: true }).use(mathSyntax).defaults;

/** The tokens of a text; `known` are the link definitions of what came before it. */
export function lex(text: string, known: LinkDefinitions): TokensList {
	const lexer = new Lexer({ ...grammar, tokenizer: null });
	Object.assign(lexer.tokens.links, known);
	return lexer.lex(text);
}

export function toBlock(token: Token): Block | undefined {
	if (token.type === 'space' || token.type === 'def') return undefined;
	if (token.type === 'code') {
		const { text, lang } = token as Tokens.Code;
		const { language, path } = fence(lang);
		if (language === 'math') return { kind: 'html', html: formulaHtml({ tex: text, display: true }, 'div') };
		return { kind: 'code', code: text, language, ...(path === undefined ? {} : { path }) };
	}
	return { kind: 'html', html: new Parser({ ...grammar, renderer: new PanelRenderer() }).parse([token]) };
}

/** Raw HTML that is harmless and common in answers; all other tags are shown as they were written. */
const harmlessTag = /^<(?:br\s*\/?|\/?(?:kbd|sub|sup))>$/i;

class PanelRenderer extends Renderer {
	override html({ text }: Tokens.HTML | Tokens.Tag): string {
		return harmlessTag.test(text.trim()) ? text : escapeHtml(text);
	}
	override code({ text, lang }: Tokens.Code): string {
		const { language, path } = fence(lang);
		if (language === 'math') return formulaHtml({ tex: text, display: true }, 'div');
		return nestedCode({ code: text, language, path });
	}
	override codespan({ text }: Tokens.Codespan): string {
		const code = `<code>${escapeHtml(text)}</code>`;
		const file = fileOfCode(text);
		return file ? anchor(file, code) : code;
	}
	override link({ href, tokens }: Tokens.Link): string {
		const inner = this.parser.parseInline(tokens);
		const target = linkTarget(href);
		return target && !inner.includes('<a ') ? anchor(target, inner) : inner;
	}
	override image({ href, text }: Tokens.Image): string {
		const target = linkTarget(href);
		const label = escapeHtml(text || href);
		return target ? anchor(target, label) : label;
	}
	override table(token: Tokens.Table): string {
		return `<div class="table" tabindex="0">${super.table(token)}</div>`;
	}
	override checkbox({ checked }: Tokens.Checkbox): string {
		const icon = checked ? 'pass' : 'circle-large-outline';
		const word = escapeHtml(checked ? t('Done') : t('Not done'));
		return `<span class="task codicon codicon-${icon}"></span><bdi class="hidden">${word}</bdi>`;
	}
}
