// Where the parts of a JSON text stand, so that one of them can be changed and every other byte stays. Pure.
// Only for text that `JSON.parse` accepts; anything else is the caller's to refuse first.

export interface JsonMember {
	readonly key: string;
	readonly keyStart: number;
	readonly value: JsonSpan;
}
/** [start, end) of a value in the text. */
export interface JsonSpan {
	readonly start: number;
	readonly end: number;
	/** Of an object; empty for everything else. */
	readonly members: readonly JsonMember[];
	/** Of an array. */
	readonly items: readonly JsonSpan[];
}

export function jsonSpans(text: string): JsonSpan {
	return valueAt(text, skipSpace(text, 0));
}

/** The member of this name; of several the last one, as for `JSON.parse`. */
export function memberOf(span: JsonSpan | undefined, key: string): JsonMember | undefined {
	return span?.members.findLast((member) => member.key === key);
}

function valueAt(text: string, start: number): JsonSpan {
	const first = text[start];
	if (first === '{') return objectAt(text, start);
	if (first === '[') return arrayAt(text, start);
	if (first === '"') return { start, end: stringEnd(text, start), members: [], items: [] };
	let end = start;
	while (end < text.length && !/[\s,\]}]/.test(text.charAt(end))) end++;
	return { start, end, members: [], items: [] };
}

function objectAt(text: string, start: number): JsonSpan {
	const members: JsonMember[] = [];
	let at = skipSpace(text, start + 1);
	while (text[at] === '"') {
		const keyEnd = stringEnd(text, at);
		const value = valueAt(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
		members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, keyStart: at, value });
		at = skipSpace(text, value.end);
		if (text[at] === ',') at = skipSpace(text, at + 1);
	}
	return { start, end: at + 1, members, items: [] };
}

function arrayAt(text: string, start: number): JsonSpan {
	const items: JsonSpan[] = [];
	let at = skipSpace(text, start + 1);
	while (at < text.length && text[at] !== ']') {
		const item = valueAt(text, at);
		items.push(item);
		at = skipSpace(text, item.end);
		if (text[at] === ',') at = skipSpace(text, at + 1);
	}
	return { start, end: at + 1, members: [], items };
}

/** After the closing quote. */
function stringEnd(text: string, start: number): number {
	for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
		let escapes = 0;
		while (text[quote - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return quote + 1;
	}
	return text.length;
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
	return at;
}
