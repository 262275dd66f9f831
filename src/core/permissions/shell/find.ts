// `find`: what it starts for each file, what it deletes and which files it writes lists to.
import type { Invocation, Launching } from './invocation.ts';
import { within } from './invocation.ts';
import { leaf } from './leaf.ts';
import type { ReadWord } from './words.ts';

const starts = /^-(?:exec|execdir|ok|okdir)$/;
const writes = /^-(?:fprint|fprint0|fls|fprintf)$/;

export function findCommand(invocation: Invocation, launching: Launching): void {
	const { collector } = launching;
	const { words, place } = invocation;
	const roots: ReadWord[] = [];
	let at = 1;
	// Options that come before the roots.
	while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1;
	for (let root = words[at]; root !== undefined && !/^(?:-|[(),!]$)/.test(root.value ?? ''); root = words[++at])
		roots.push(root);
	const here: ReadWord = { text: '.', value: '.', start: 0, end: 0 };
	const searched = roots.length === 0 ? [here] : roots;
	for (const root of searched) collector.read(root, place, { by: 'find', recursive: true });
	leaf(invocation, launching, 'find');
	// `find . $x` could be `find . -delete`.
	if (words.slice(1).some((word) => word.value === undefined || startsOpen(word)))
		collector.problem('dynamic_command', place.text);
	const from = at;
	const remove = (end: number) => {
		const byName = narrowed(words.slice(from), end - from);
		for (const root of searched) collector.write(root, place, { by: 'find', recursive: true, removed: true, byName });
	};
	for (; at < words.length; at++) {
		const value = words[at]?.value ?? '';
		if (value === '-delete') remove(at);
		else if (writes.test(value)) {
			const file = words[++at];
			if (file !== undefined) collector.write(file, place, { by: 'find' });
		} else if (value === '-files0-from') collector.problem('dynamic_target', place.text);
		else if (starts.test(value)) {
			const end = startForEach(value, at + 1, invocation, launching);
			if (words.slice(at + 1, end).some(({ text }) => removing.test(text))) remove(at);
			at = end;
		}
	}
}

/** In a word of its own, or in the text that a shell is given. */
const removing = /(?:^|[\s'"/\\;&|(])(?:rm|rmdir|unlink|shred)(?:['"\s;&|)]|$)/;

const named = /^-i?(?:name|path|wholename|regex)$/;

/** True when only certain names come to what stands at `end` of the tests, as long as each of them must hold. */
function narrowed(tests: readonly ReadWord[], end: number): boolean {
	if (tests.some(({ value }) => value !== undefined && /^(?:-o|-or|!|-not|,|[()])$/.test(value))) return false;
	return tests
		.slice(0, Math.max(0, end - 1))
		.some(({ value = '' }, at) => named.test(value) && /[\p{L}\p{N}]/u.test(tests[at + 1]?.value ?? ''));
}

function startsOpen({ glob, text, braces }: ReadWord): boolean {
	return (glob === true && /^[*?[]/.test(text)) || braces !== undefined;
}

/** From behind `-exec`; answers with the place of its end. */
function startForEach(action: string, from: number, invocation: Invocation, launching: Launching): number {
	const { words, place } = invocation;
	let end = from;
	while (end < words.length) {
		const value = words[end]?.value;
		if (value === ';' || (value === '+' && words[end - 1]?.value === '{}')) break;
		end++;
	}
	const folders = action.endsWith('dir') ? new Set([undefined]) : place.folders;
	const inner = words
		.slice(from, end)
		.map((word): ReadWord =>
			word.value?.includes('{}') === true ? { text: word.text, start: word.start, end: word.end } : word,
		);
	if (end >= words.length) launching.collector.problem('syntax', place.text);
	launching.invoke({ ...invocation, words: inner, place: within(place, `find ${action}`, folders) }, true);
	return end;
}
