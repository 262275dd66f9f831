// Markdown that stays whole whatever text is put into it: code spans and fences longer than the backticks inside them.
import type { Texts } from './texts.ts';

const MAX_QUOTED = 1500;

function longestRun(text: string): number {
	return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** A code span. Line ends become spaces. */
export function inlineCode(text: string): string {
	const line = text.replace(/\s*\n\s*/g, ' ').trim();
	if (line === '') return '` `';
	const fence = '`'.repeat(longestRun(line) + 1);
	const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
	return `${fence}${space}${line}${space}${fence}`;
}

/** A fenced block with the end of the text, as the end of an output says most. */
export function fenced(text: string): string {
	const end = text.slice(-MAX_QUOTED).replace(/^[\uDC00-\uDFFF]/, '');
	const fence = '`'.repeat(Math.max(3, longestRun(end) + 1));
	return `${fence}\n${end.length < text.length ? '…' : ''}${end}\n${fence}`;
}

/** A list, one item a line. */
export function list(items: readonly string[]): string {
	return items.map((item) => `- ${item}`).join('\n');
}

/** The report on a tool that failed or was not allowed, with its own words. */
export function failure(name: string, result: string, texts: Texts): string {
	const denied =
		/\b(?:den(?:y|ied)|reject(?:ed)?|declin(?:e|ed)|refus(?:e|ed)|not (?:allowed|permitted)|needs permission)\b|拒绝|不允许/i.test(
			result,
		);
	return `${denied ? texts.denied(name) : texts.failed(name)}\n\n${fenced(result.trim() === '' ? texts.noOutput : result)}`;
}
