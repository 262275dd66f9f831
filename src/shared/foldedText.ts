// A text as one looks for it: without case, and whatever way its letters are put together (`é` is one sign or two). Pure.

export function foldedText(text: string): string {
	return text.normalize('NFC').toLowerCase();
}

export interface Folded {
	readonly text: string;
	/** Where in the original what stands there begins; for its length, too, the original's. */
	readonly origin: (at: number) => number;
}

/** The same, with the way back. */
export function foldedWithOrigins(original: string): Folded {
	const text = foldedText(original);
	if (text === original.toLowerCase() && text.length === original.length) return { text, origin: (at) => at };
	const origins: number[] = [];
	let joined = '';
	for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(original)) {
		const part = foldedText(segment);
		const kept = part.length === segment.length;
		for (let at = 0; at < part.length; at += 1) origins.push(kept ? index + at : index);
		joined += part;
	}
	return { text: joined, origin: (at) => origins[at] ?? original.length };
}
