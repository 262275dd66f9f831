// Draws formulas with KaTeX, as elements and never as HTML text. Contract: a formula can name no address, class or style, and
// expands to a bounded size; what cannot be read stays as it was written.
import katex from 'katex';
import { formulaClass } from '../markdown/mathSyntax.ts';

export type DrawFormulas = (root: HTMLElement) => void;

/** Characters of a formula that is drawn. */
const longest = 10_000;
const drawn = 'drawn';

export const drawFormulas: DrawFormulas = (root) => {
	for (const element of root.querySelectorAll<HTMLElement>(`.${formulaClass}:not(.${drawn})`)) {
		const source = element.textContent;
		element.classList.add(drawn);
		if (source.length > longest) continue;
		const displayMode = element.classList.contains('display');
		try {
			katex.render(source, element, { displayMode, trust: false, strict: 'ignore', maxExpand: 300, maxSize: 40 });
			element.title = source;
			if (displayMode && element.scrollWidth > element.clientWidth) element.tabIndex = 0;
		} catch {
			element.textContent = source;
			element.classList.add('unreadable');
		}
	}
};
