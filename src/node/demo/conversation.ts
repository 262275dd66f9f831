// Reads a request to the demo model: what the person wrote last, in which language, and which tools have answered since.
// Contract: takes any JSON; what is not understood is left out.

/** A tool call of the conversation with its result. */
export interface Step {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** The text of the result; undefined when the conversation has none. */
	readonly result: string | undefined;
	readonly failed: boolean;
}

export type Language = 'en' | 'zh';

export interface Conversation {
	/** The person's last words, blocks of context left out. */
	readonly words: string;
	readonly language: Language;
	/** The model has not said anything yet. */
	readonly first: boolean;
	/** Calls since the person's last words. */
	readonly steps: readonly Step[];
	/** Calls before that. */
	readonly earlier: readonly Step[];
	/** Names of the tools that the request offers. */
	readonly tools: ReadonlySet<string>;
}

type Json = Readonly<Record<string, unknown>>;

function objects(value: unknown): Json[] {
	const isObject = (item: unknown): item is Json => typeof item === 'object' && item !== null && !Array.isArray(item);
	return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** The content blocks of a message or tool result; a string is one text block. */
function blocks(owner: Json): Json[] {
	const { content } = owner;
	return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content);
}

function joinedText(owner: Json): string {
	return blocks(owner)
		.filter((block) => block['type'] === 'text')
		.map((block) => text(block['text']))
		.join('\n');
}

/** The last text of a user message that a person wrote, not the program. */
function wordsOf(message: Json): string | undefined {
	if (message['role'] !== 'user') return undefined;
	return blocks(message)
		.filter((block) => block['type'] === 'text')
		.map((block) => text(block['text']).trim())
		.findLast((words) => words !== '' && !/^<(context|system-note)\b/.test(words));
}

/** A fenced block: it begins on a line of its own and ends with the same fence or with the text. */
const fence = /^[ \t]*(`{3,}|~{3,})[^`\n]*\n([\s\S]*?)(?:^[ \t]*\1|(?![\s\S]))/gm;

/** The code of the first fenced block. */
export function fencedCode(words: string): string | undefined {
	return new RegExp(fence.source, 'm').exec(words)?.[2];
}

/** The words without fenced code. */
export function withoutCode(words: string): string {
	return words.replaceAll(fence, ' ');
}

/** Chinese when the words, code left out, have such characters. */
export function languageOf(words: string): Language {
	return /[\u3400-\u9fff\uf900-\ufaff]/.test(withoutCode(words)) ? 'zh' : 'en';
}

function stepsOf(messages: readonly Json[]): Step[] {
	const all = messages.flatMap(blocks);
	const results = new Map(
		all.filter((block) => block['type'] === 'tool_result').map((block) => [block['tool_use_id'], block]),
	);
	return all
		.filter((block) => block['type'] === 'tool_use')
		.map((block) => {
			const result = results.get(block['id']);
			return {
				name: text(block['name']),
				input: objects([block['input']])[0] ?? {},
				result: result && joinedText(result),
				failed: result?.['is_error'] === true,
			};
		});
}

/** Reads the body of a Messages request. */
export function readConversation(body: unknown): Conversation {
	const request = objects([body])[0] ?? {};
	const messages = objects(request['messages']);
	const start = messages.findLastIndex((message) => wordsOf(message) !== undefined);
	const asked = messages[start];
	const words = (asked && wordsOf(asked)) ?? '';
	return {
		words,
		language: languageOf(words),
		first: !messages.some((message) => message['role'] === 'assistant'),
		steps: stepsOf(messages.slice(start + 1)),
		earlier: stepsOf(messages.slice(0, start + 1)),
		tools: new Set(objects(request['tools']).map((tool) => text(tool['name']))),
	};
}
