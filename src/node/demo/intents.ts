// The demo model's rules on words: what a person asks for, in English or Chinese. The first rule that matches wins: code
// given in the prompt, replace, run, list, search, read, question; else nothing was understood. Pure.
import { fencedCode, withoutCode } from './conversation.ts';

export type CodeTask = 'explain' | 'fix' | 'improve' | 'tests' | 'document';

export type Intent =
	| { readonly kind: 'code'; readonly task: CodeTask; readonly path: string; readonly code: string | undefined }
	| { readonly kind: 'replace'; readonly path: string; readonly from: string; readonly to: string }
	| { readonly kind: 'run'; readonly command: string }
	| { readonly kind: 'list'; readonly items: readonly string[] }
	| { readonly kind: 'search'; readonly words: readonly string[]; readonly path: string | undefined }
	| { readonly kind: 'read'; readonly path: string }
	| { readonly kind: 'unknown' };

/** Longer lines are cut before the rules look at them, so that no pattern takes long. */
const MAX_LINE = 400;
const MAX_LINES = 40;
const MAX_ITEMS = 20;
const MAX_CODE = 200_000;

const quoted = '`[^`]+`|"[^"]+"|\'[^\']+\'|“[^”]+”|‘[^’]+’|「[^」]+」|『[^』]+』';
const bare = '[^\\s`"\'“”‘’「」『』,,。;;::()()\\u3400-\\u9fff]+';
const path = `(${quoted}|@?(?:[A-Za-z]:[\\\\/])?${bare})`;
const startQuoted = new RegExp(`^(?:${quoted})`);
const inside = /^(?:\s*文件)?\s*(?:里面|里|中|内)?\s*的?\s*/;
const becomes = /改成|改为|替换为|替换成|换成|换为/;

/** Reads what the person wants. Never throws; long texts are judged by their beginning. */
export function readIntent(words: string): Intent {
	const prose = withoutCode(words);
	const lines = prose
		.split('\n')
		.slice(0, MAX_LINES)
		.map((line) => line.slice(0, MAX_LINE).trim())
		.filter((line) => line !== '');
	const whole = lines.join(' ').slice(0, MAX_LINE);
	return (
		codeIntent(words, prose, lines) ??
		firstOf(lines, replaceIntent) ??
		firstOf(lines, runIntent) ??
		listIntent(lines) ??
		firstOf(sentences(whole), searchIntent) ??
		readFileIntent(whole) ??
		firstOf(sentences(whole), questionIntent) ?? { kind: 'unknown' }
	);
}

/** The sentences of a text; a full stop inside a name does not end one. */
function sentences(whole: string): string[] {
	return whole.split(/(?<=[.!?])\s+|(?<=[。！？])/);
}

function firstOf(lines: readonly string[], rule: (line: string) => Intent | undefined): Intent | undefined {
	for (const line of lines) {
		const intent = rule(line);
		if (intent) return intent;
	}
	return undefined;
}

/** Without quotes around it, and without the full stop of the sentence. */
function unquote(value: string): string {
	const trimmed = value.trim();
	const stripped = startQuoted.exec(trimmed)?.[0];
	if (stripped) return stripped.slice(1, -1);
	return trimmed.replace(/[。!!??]+$|(?<=\w)\.$/u, '');
}

function asPath(value: string): string {
	return unquote(value)
		.replace(/^@/, '')
		.replace(/[.,;:]+$/, '');
}

/** A task of the palette: a path with fenced code, or an instruction and a path alone on the last line. */
function codeIntent(words: string, prose: string, lines: readonly string[]): Intent | undefined {
	const code = fencedCode(words)?.slice(0, MAX_CODE);
	const last = lines.at(-1) ?? '';
	const fileOnly = lines.length > 1 && /^`[^`]+`$/.test(last) && looksLikePath(unquote(last));
	if ((code === undefined || code.trim() === '') && !fileOnly) return undefined;
	const file = fileOnly ? unquote(last) : findPath(prose.slice(0, MAX_LINE * 10));
	if (file === undefined) return undefined;
	const about = prose
		.slice(0, MAX_LINE)
		.replace(/\S*[./\\]\w\S*/g, ' ')
		.toLowerCase();
	return { kind: 'code', task: taskOf(about), path: file, code: fileOnly ? undefined : code };
}

function taskOf(about: string): CodeTask {
	if (/\b(unit )?tests?\b|测试/.test(about)) return 'tests';
	if (/\bfix|\bbugs?\b|problem|修复|修正|问题|错误/.test(about)) return 'fix';
	if (/improve|refactor|clean|optimi[sz]e|改进|优化|重构/.test(about)) return 'improve';
	if (/document|comment|docstring|文档|注释/.test(about)) return 'document';
	return 'explain';
}

function replaceIntent(line: string): Intent | undefined {
	const found = chineseReplace(line) ?? englishReplace(line);
	if (!found) return undefined;
	const [file, from, to] = [asPath(found.file), unquote(found.from), unquote(found.to)];
	return from !== '' && looksLikePath(file) ? { kind: 'replace', path: file, from, to } : undefined;
}

interface Replacement {
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

/** Text up to a separator that stands outside the quotes it may begin with: what stands before and after it. */
function splitAt(said: string, separator: RegExp): readonly [string, string] | undefined {
	const skip = startQuoted.exec(said)?.[0].length ?? 0;
	const match = separator.exec(said.slice(skip));
	if (!match) return undefined;
	return [said.slice(0, skip + match.index), said.slice(skip + match.index + match[0].length)];
}

/** replace X by Y in FILE; in FILE replace X by Y. */
function englishReplace(line: string): Replacement | undefined {
	const verb = /\b(?:replace|change|rename)\s+/i.exec(line);
	if (!verb) return undefined;
	const halves = splitAt(line.slice(verb.index + verb[0].length), /\s+(?:by|with|to|into)\s+/i);
	if (!halves) return undefined;
	const [from, rest] = halves;
	const placed = splitAt(rest, /\s+in\s+(?:the\s+)?(?:file\s+)?/i);
	if (placed) return { from, to: placed[0], file: firstWord(placed[1]) };
	const file = findPath(line.slice(0, verb.index));
	return file === undefined ? undefined : { from, to: rest, file };
}

/** 把 FILE 里的 X 改成 Y; 在 FILE 中把 X 改成 Y. */
function chineseReplace(line: string): Replacement | undefined {
	const take = /把|将/.exec(line);
	if (!take) return undefined;
	const after = line.slice(take.index + 1).trim();
	const before = findPath(line.slice(0, take.index));
	const file = before ?? firstWord(after);
	const said = before === undefined ? after.slice(file.length).replace(inside, '') : after;
	const halves = splitAt(said, becomes);
	return halves && { file, from: halves[0], to: halves[1] };
}

/** The path-like word, or the quoted one, that a text begins with. */
function firstWord(said: string): string {
	return new RegExp(`^${path}`).exec(said)?.[1] ?? '';
}

function runIntent(line: string): Intent | undefined {
	const english = /^(?:please\s+|can you\s+|could you\s+)*(?:run|execute)\s+(?:the\s+)?(?:command\s*:?\s*)?(.+)$/i.exec(
		line,
	);
	const chinese = /^(?:请|帮我|麻烦)*\s*(?:运行|执行|跑)(?:一下|下)?(?:命令)?\s*[::]?\s*(.+)$/.exec(line);
	const said = (english ?? chinese)?.[1];
	if (said === undefined) return undefined;
	if (/^(unit |all )?tests?[.!]?$|^(单元|所有)?测试[。!]?$/i.test(said.trim()))
		return { kind: 'run', command: 'npm test' };
	const command = unquote(said);
	return /^[\x20-\x7e]/.test(command) && command !== '' ? { kind: 'run', command } : undefined;
}

function listIntent(lines: readonly string[]): Intent | undefined {
	const [first = '', ...rest] = lines;
	const english =
		/^(?:please\s+)?(?:make\s+|write\s+|create\s+)?(?:a\s+|me a\s+)?(?:plan|todos?|to-do)(?:\s+list)?\b(?:\s+(?:for|of|to))?\s*[::]?\s*(.*)$/i;
	const chinese =
		/^(?:请|帮我|麻烦)*\s*(?:列|写|做|建)?(?:一|)(?:个|份)?(?:待办(?:事项|清单|列表)?|清单|计划|任务列表)\s*[::]?\s*(.*)$/;
	const match = english.exec(first) ?? chinese.exec(first);
	if (!match) return undefined;
	const items = [match[1] ?? '', ...rest]
		.flatMap((line) => line.split(/[,,、;;]|\s+(?=\d+[.)]\s)/))
		.map((item) => item.replace(/^\s*(?:[-*•]|\d+[.)、])\s*(?:\[.\]\s*)?/, '').trim())
		.map((item) => item.replace(/^and\s+/i, '').replace(/[。.]$/, ''))
		.filter((item) => item !== '');
	return { kind: 'list', items: items.slice(0, MAX_ITEMS) };
}

const searchVerbs =
	/(?:^|\b)(?:search|grep|find|locate|look\s+for|look\s+up|where\s+(?:is|are|do|does|can))\b(?:\s+for\b)?|搜索|搜一下|查找|寻找|查一下|找一下|找到|找/i;
const vagueVerbs =
	/\b(?:check|inspect|look\s+at|review|examine|explore|which\s+files?|who\s+uses?)\b|检查|看看|看一下|审查|了解|在哪|哪里|哪些/i;

function searchIntent(whole: string): Intent | undefined {
	const match = searchVerbs.exec(whole);
	if (!match) return undefined;
	const after = whole.slice(match.index + match[0].length);
	const place = new RegExp(
		`(?:\\s+(?:in|under|inside)\\s+(?:the\\s+)?(?:file\\s+|folder\\s+)?${path})\\s*[.?!]?$`,
		'i',
	).exec(after);
	const placed = place?.[1] !== undefined && looksLikePath(asPath(place[1]));
	const before = /在\s*([\w./\\-]+)\s*(?:里面|里|中|下)/.exec(whole)?.[1];
	const file = placed ? asPath(place[1] ?? '') : before;
	const rest = placed ? after.slice(0, place.index) : after;
	const words = searchWords(rest.trim() === '' ? whole.replace(match[0], ' ') : rest);
	return words.length > 0 ? { kind: 'search', words, path: file } : undefined;
}

function questionIntent(whole: string): Intent | undefined {
	if (!vagueVerbs.test(whole)) return undefined;
	const words = searchWords(whole.replace(new RegExp(vagueVerbs, 'gi'), ' '));
	return words.length > 0 ? { kind: 'search', words, path: undefined } : undefined;
}

const emptyWords = new Set(
	(
		'a an and all any are can code does do file files find folder for from function functions how in is it its me module of on ' +
		'or our please project show some that the their this to used uses was we what where which who with workspace word words you'
	).split(' '),
);
const emptyChinese =
	/模块|文件|代码|函数|功能|相关|部分|一下|请问|请|帮我|帮忙|这个|那个|项目|工作区|里面|在哪里|在哪|哪里|哪些|有没有|所有|全部|是怎么|怎么|如何|实现|使用|定义|单词|词语|[的了吗呢吧把将我在里中是有]/g;

/** The words to look for: what stands in quotes, else what is left without filler. */
export function searchWords(said: string): string[] {
	const exact = new RegExp(quoted).exec(said)?.[0];
	if (exact) return [exact.slice(1, -1)];
	return said
		.replace(emptyChinese, ' ')
		.split(/[\s,,。;;::??!!()()、]+/)
		.map((word) => word.replace(/^[.'"-]+|[.'"-]+$/g, ''))
		.filter((word) => word !== '' && !emptyWords.has(word.toLowerCase()))
		.slice(0, 5);
}

function readFileIntent(whole: string): Intent | undefined {
	const file = findPath(whole);
	return file === undefined ? undefined : { kind: 'read', path: file };
}

const plainNames = /^(?:makefile|dockerfile|readme|license|changelog|contributing)$/i;

function looksLikePath(value: string): boolean {
	if (/:\/\//.test(value) || /^(?:e\.g|i\.e)$/i.test(value)) return false;
	return /[\w\u3400-\u9fff-]\.[A-Za-z]\w{0,9}$|[^\s/\\][/\\][^\s]|^\.[a-z]+$/.test(value) || plainNames.test(value);
}

/** The first thing in a text that looks like a file. */
export function findPath(said: string): string | undefined {
	for (const match of said.replace(/\w+:\/\/\S*/g, ' ').matchAll(new RegExp(path, 'g'))) {
		const candidate = asPath(match[0])
			.replace(/[#(].*$/, '')
			.replace(/:\d+(?:[-:]\d+)*$/, '');
		if (!/\s/.test(candidate.trim()) && looksLikePath(candidate)) return candidate;
	}
	return undefined;
}
