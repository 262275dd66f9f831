// Where a text stands in what is drawn, and its marks. Ranges only: what Preact drew is never changed.
import { foldedText, foldedWithOrigins, type Folded } from '../../../src/shared/foldedText.ts';

/** The places of a text in an element, without case, across its inner elements. */
export function placesOf(element: Element, query: string): readonly Range[] {
	const needle = foldedText(query);
	if (needle === '') return [];
	const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const nodes: { readonly node: Text; readonly start: number; readonly origin: Folded['origin'] }[] = [];
	let text = '';
	while (walker.nextNode()) {
		const node = walker.currentNode as Text;
		const folded = foldedWithOrigins(node.data);
		nodes.push({ node, start: text.length, origin: folded.origin });
		text += folded.text;
	}
	const ranges: Range[] = [];
	let from = 0;
	const at = (offset: number) => {
		while ((nodes[from + 1]?.start ?? Infinity) <= offset) from += 1;
		return nodes[from];
	};
	for (let found = text.indexOf(needle); found >= 0; found = text.indexOf(needle, found + needle.length)) {
		const first = at(found);
		const last = at(found + needle.length - 1);
		if (!first || !last) break;
		const range = document.createRange();
		range.setStart(first.node, first.origin(found - first.start));
		range.setEnd(last.node, Math.min(last.origin(found + needle.length - last.start), last.node.length));
		ranges.push(range);
	}
	return ranges;
}

const all = 'found';
const current = 'found-current';

export function mark(ranges: readonly Range[], shown: Range | undefined): void {
	CSS.highlights.set(all, new Highlight(...ranges));
	if (shown) CSS.highlights.set(current, new Highlight(shown));
	else CSS.highlights.delete(current);
}

export function unmark(): void {
	CSS.highlights.delete(all);
	CSS.highlights.delete(current);
}
