// What the line that opens a code block says: the language and, where it names one, the file (`ts src/a.ts`, `ts:src/a.ts`,
// `ts title="src/a.ts"`, or the file alone). Pure.
import { languageOfFile } from './highlight.ts';
import { fileOfCode } from './links.ts';

export interface Fence {
	readonly language: string;
	readonly path: string | undefined;
}

export function fence(info: string | undefined): Fence {
	const words = (info ?? '').trim();
	const first = /^[^\s{,]*/.exec(words)?.[0] ?? '';
	const whole = fileOfCode(first)?.path;
	if (whole !== undefined && /[./\\]/.test(first)) return { language: languageOfFile(whole), path: whole };
	const [language = '', ...named] = first.split(':');
	const rest = [named.join(':'), ...words.slice(first.length).split(/\s+/)];
	for (const word of rest) {
		const value = /^(?:(?:title|file|filename|path)=)?["']?([^"']*)["']?$/i.exec(word)?.[1] ?? '';
		const path = fileOfCode(value)?.path;
		if (path !== undefined) return { language, path };
	}
	return { language, path: undefined };
}
