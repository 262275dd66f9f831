// The demo model's next move: from what the person wants and what the tools have answered, the text to say and the tool to
// call. Pure. Contract: never throws, and at most MAX_STEPS tool calls answer one prompt.
import { codeReport } from './codeReport.ts';
import type { Conversation, Step } from './conversation.ts';
import { readIntent, type Intent } from './intents.ts';
import { failure, fenced, inlineCode, list } from './markdown.ts';
import {
	bestFile,
	hitsOfGrep,
	languageOfFile,
	linesOfCode,
	linesOfRead,
	outline,
	shorten,
	type Hit,
	type Line,
} from './source.ts';
import { textsFor, type Texts } from './texts.ts';

/** What the model answers: text, and at most one tool call. */
export interface Move {
	readonly text: string;
	readonly call?: { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
}

const MAX_STEPS = 6;
const MAX_PLACES = 12;
const MAX_HITS = 100;
const FIRST_LINES = 5;

/** English words for Chinese ones that people search code for. */
const glossary: Readonly<Record<string, string>> = {
	登录: 'login',
	登陆: 'login',
	登出: 'logout',
	注册: 'register',
	用户: 'user',
	密码: 'password',
	配置: 'config',
	设置: 'setting',
	测试: 'test',
	错误: 'error',
	权限: 'permission',
	数据库: 'database',
	接口: 'api',
	会话: 'session',
	令牌: 'token',
	订单: 'order',
	支付: 'payment',
	日志: 'log',
	缓存: 'cache',
};

/** The answer to a conversation; the first answer also says what is speaking. */
export function nextMove(conversation: Conversation): Move {
	const texts = textsFor(conversation.language);
	const move = moveFor(conversation, texts);
	return conversation.first ? { ...move, text: `${texts.intro}\n\n${move.text}` } : move;
}

function moveFor(conversation: Conversation, texts: Texts): Move {
	const { steps } = conversation;
	const last = steps.at(-1);
	if (last && last.result === undefined) return { text: texts.noResult(last.name) };
	if (last?.failed && last.name !== 'Read') return { text: failure(last.name, last.result ?? '', texts) };
	const move = rule(readIntent(conversation.words), conversation, texts);
	if (!move.call) return move;
	if (steps.length >= MAX_STEPS) return { text: texts.enough };
	if (!conversation.tools.has(move.call.name)) return { text: texts.noTool(move.call.name) };
	return move;
}

function rule(intent: Intent, conversation: Conversation, texts: Texts): Move {
	switch (intent.kind) {
		case 'search':
			return search(intent, conversation, texts);
		case 'read':
			return read(intent.path, conversation, texts);
		case 'replace':
			return replace(intent, conversation, texts);
		case 'run':
			return run(intent.command, conversation, texts);
		case 'list':
			return makeList(intent.items, conversation, texts);
		case 'code':
			return codeTask(intent, conversation, texts);
		case 'unknown':
			return { text: conversation.first ? texts.abilities : `${texts.notUnderstood}\n\n${texts.abilities}` };
	}
}

function stepsOf(conversation: Conversation, name: string): Step[] {
	return conversation.steps.filter((step) => step.name === name);
}

/** The word as a pattern of ripgrep, with its English name if it is a Chinese one that we know. */
function patternOf(word: string): string {
	const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const english = Object.hasOwn(glossary, word) ? glossary[word] : undefined;
	return english ? `${escape(word)}|${english}` : escape(word);
}

function search(intent: Intent & { kind: 'search' }, conversation: Conversation, texts: Texts): Move {
	const { words, path } = intent;
	const named = words.map(inlineCode).join(' ');
	const searches = stepsOf(conversation, 'Grep');
	const grep = (pattern: string, text: string): Move => ({
		text,
		call: {
			name: 'Grep',
			input: {
				pattern,
				output_mode: 'content',
				'-n': true,
				'-i': true,
				head_limit: MAX_HITS,
				...(path ? { path } : {}),
			},
		},
	});
	const last = searches.at(-1);
	const patterns = words.map(patternOf);
	if (!last) {
		const together = patterns.length === 1 ? patterns : patterns.map((pattern) => `(?:${pattern})`);
		return grep(together.join('[\\s_.-]*'), texts.searching(named));
	}
	const result = last.result ?? '';
	const hits = hitsOfGrep(result);
	if (hits.length === 0) {
		if (words.length > 1 && searches.length === 1) return grep(patterns.join('|'), texts.searchingWider);
		const unclear = result.includes('\n') || /:\d+:|[\w-]+\.\w+$/.test(result.trim());
		return { text: unclear ? `${texts.searchUnclear}\n\n${fenced(result)}` : texts.nothingFound(named) };
	}
	const reads = stepsOf(conversation, 'Read');
	const best = bestFile(hits, [
		...words,
		...words.flatMap((word) => (Object.hasOwn(glossary, word) ? [glossary[word] ?? ''] : [])),
	]);
	if (reads.length === 0 && best !== undefined && conversation.tools.has('Read')) {
		return { text: texts.readingBest(best), call: { name: 'Read', input: { file_path: best } } };
	}
	return { text: searchReport({ named, hits, read: reads[0] }, conversation, texts) };
}

function searchReport(
	{ named, hits, read }: { named: string; hits: readonly Hit[]; read: Step | undefined },
	conversation: Conversation,
	texts: Texts,
): string {
	const inBest = (hit: Hit): boolean => hit.path === read?.input['file_path'];
	const sorted = [...hits.filter(inBest), ...hits.filter((hit) => !inBest(hit))];
	const files = new Set(hits.map(({ path }) => path));
	const places = sorted
		.slice(0, MAX_PLACES)
		.map((hit) => `${inlineCode(`${hit.path}:${hit.number}`)} ${inlineCode(shorten(hit.text))}`);
	const rest = hits.length > MAX_PLACES ? [`\n\n${texts.more(hits.length - MAX_PLACES)}`] : [];
	const parts = [texts.found(named, hits.length, files.size), list(places) + rest.join('')];
	if (read?.failed) parts.push(failure('Read', read.result ?? '', texts));
	else if (read) {
		const path = String(read.input['file_path']);
		const lines = outline(readLines(read, conversation));
		if (lines.length > 0) parts.push(`${texts.outlineOf(path)}\n\n${outlineList(lines)}`);
	}
	return parts.join('\n\n');
}

function outlineList(lines: readonly Line[]): string {
	return list(lines.map(({ number, text }) => `${number}: ${inlineCode(text)}`));
}

/** The lines of a read; when it only says that the file is unchanged, those of the read before. */
function readLines(step: Step, conversation: Conversation): Line[] {
	const same = (other: Step): boolean => other.name === 'Read' && other.input['file_path'] === step.input['file_path'];
	const reads = [...conversation.earlier, ...conversation.steps].filter((other) => same(other) && !other.failed);
	const now = linesOfRead(step.result ?? '');
	if (now.length > 0) return now;
	return reads.map((other) => linesOfRead(other.result ?? '')).findLast((lines) => lines.length > 0) ?? [];
}

function read(path: string, conversation: Conversation, texts: Texts): Move {
	const step = stepsOf(conversation, 'Read')[0];
	if (!step) return { text: texts.reading(path), call: { name: 'Read', input: { file_path: path } } };
	if (step.failed) return { text: failure('Read', step.result ?? '', texts) };
	const lines = readLines(step, conversation);
	if (lines.length === 0) return { text: `${texts.emptyFile(path)}\n\n${fenced(step.result ?? '')}` };
	const found = outline(lines);
	const beginning = lines
		.slice(0, FIRST_LINES)
		.map(({ text }) => shorten(text))
		.join('\n');
	const head = texts.fileIs(path, lines.at(-1)?.number ?? lines.length, languageOfFile(path));
	const body =
		found.length > 0
			? `${texts.outlineOf(path)}\n\n${outlineList(found)}`
			: `${texts.noOutline}\n\n${fenced(beginning)}`;
	return { text: `${head}\n\n${body}` };
}

function codeTask(intent: Intent & { kind: 'code' }, conversation: Conversation, texts: Texts): Move {
	const { task, path, code } = intent;
	if (code !== undefined) return { text: codeReport(task, path, linesOfCode(code), texts) };
	const step = stepsOf(conversation, 'Read')[0];
	if (!step || step.failed) return read(path, conversation, texts);
	return { text: codeReport(task, path, readLines(step, conversation), texts) };
}

function replace(intent: Intent & { kind: 'replace' }, conversation: Conversation, texts: Texts): Move {
	const { path, from, to } = intent;
	if (from === to) return { text: texts.same };
	if (stepsOf(conversation, 'Edit').length > 0) return { text: texts.replaced(path) };
	const step = stepsOf(conversation, 'Read')[0];
	if (!step) return { text: texts.reading(path), call: { name: 'Read', input: { file_path: path } } };
	if (step.failed) return { text: failure('Read', step.result ?? '', texts) };
	const lines = readLines(step, conversation);
	const count =
		lines
			.map(({ text }) => text)
			.join('\n')
			.split(from).length - 1;
	if (lines.length > 0 && count === 0) return { text: texts.notInFile(inlineCode(from), path) };
	const all = count > 1 ? { replace_all: true } : {};
	const what = texts.replacing(inlineCode(from), inlineCode(to), path);
	return {
		text: count > 1 ? `${what} ${texts.times(count)}` : what,
		call: { name: 'Edit', input: { file_path: path, old_string: from, new_string: to, ...all } },
	};
}

function run(command: string, conversation: Conversation, texts: Texts): Move {
	const step = stepsOf(conversation, 'Bash')[0];
	if (!step) {
		const input = { command, description: shorten(command) };
		return { text: texts.running(inlineCode(command)), call: { name: 'Bash', input } };
	}
	const output = (step.result ?? '').trim();
	return { text: `${texts.ran(inlineCode(command))}\n\n${fenced(output === '' ? texts.noOutput : output)}` };
}

function makeList(items: readonly string[], conversation: Conversation, texts: Texts): Move {
	if (items.length === 0) return { text: texts.listEmpty };
	if (stepsOf(conversation, 'TodoWrite').length > 0) return { text: `${list(items)}\n\n${texts.listed}` };
	const todos = items.map((content) => ({ content, status: 'pending', activeForm: content }));
	return { text: texts.listing(items.length), call: { name: 'TodoWrite', input: { todos } } };
}
