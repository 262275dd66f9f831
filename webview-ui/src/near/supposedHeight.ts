// How high a row is likely to be before it was ever drawn: good enough for the scroll bar. Pure.
import type { Row } from '../../../src/shared/view.ts';

/** Pixels of a line, and characters in it at the usual width of the panel. */
const line = 20;
const characters = 60;

/** Pixels. */
export function supposedHeight(row: Row | undefined): number {
	switch (row?.kind) {
		case undefined:
			return 0;
		case 'text':
			return 8 + textHeight(row.text);
		case 'prompt':
			return 26 + line * Math.min(3, lines(row.text));
		case 'error':
			return 80;
		case 'thinking':
		case 'tool':
		case 'notice':
		case 'summary':
		case 'compacted':
			return 28;
	}
}

/** Pixels of running text. */
export function textHeight(text: string): number {
	return line * lines(text);
}

/** Of long texts an estimate, as each line of a conversation would cost. */
function lines(text: string): number {
	let breaks = 0;
	for (let at = text.indexOf('\n'); at >= 0 && breaks < 200; at = text.indexOf('\n', at + 1)) breaks += 1;
	return Math.max(1, breaks, Math.ceil(text.length / characters));
}
