// Syntax colours for a fixed list of languages, as classes; the colours are the style sheet's.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
	bash,
	c,
	cpp,
	csharp,
	css,
	diff,
	dockerfile,
	go,
	ini,
	java,
	javascript,
	json,
	kotlin,
	markdown,
	php,
	powershell,
	python,
	ruby,
	rust,
	scss,
	sql,
	swift,
	typescript,
	xml,
	yaml,
};

const highlighter = hljs.newInstance();
for (const [name, definition] of Object.entries(languages)) highlighter.registerLanguage(name, definition);

/** Characters up to which a block is coloured at all. */
const longest = 120_000;

/** The language is known, and the text not too long to be worth it. */
export function hasColours(code: string, language: string): boolean {
	return code.length <= longest && highlighter.getLanguage(language) !== undefined;
}

/** HTML of spans with `hljs-` classes, or undefined when the language is unknown or the text too long to be worth it. */
export function highlighted(code: string, language: string): string | undefined {
	if (!hasColours(code, language)) return undefined;
	return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

/** The language of a file by its name, for `highlighted`. */
export function languageOfFile(path: string): string {
	const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
	const odd: Readonly<Record<string, string>> = { mts: 'typescript', cts: 'typescript', vue: 'xml', jsonc: 'json' };
	return odd[extension] ?? extension;
}
