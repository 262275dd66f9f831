// A long session as a model that plays it from whatever the conversation holds: files are written and edited, commands leave a line
// each. After a call whose outcome is unknown it looks first, and repeats only what did not happen.
import type { BlockPart } from '../support/mock/parts.ts';
import type { MockRequest, Step } from '../support/mockServer.ts';
import { answer, messagesOf, text, thinking, toolUse, turn } from '../support/mockServer.ts';

export const crashPrompt = 'Play the whole script.';
export const lastWords = 'The script is played.';

interface ScriptedCall {
	readonly tool: string;
	readonly input: Readonly<Record<string, string>>;
	/** A command that prints "yes" when the call has had its effect. */
	readonly check: string;
}

const command = (line: string): ScriptedCall => ({
	tool: 'Bash',
	input: { command: `sleep 0.03; echo ${line} >> log.txt; sleep 0.03`, description: `Leave ${line}` },
	check: `grep -qx ${line} log.txt && echo yes || echo no`,
});
const write = (file: string, content: string): ScriptedCall => ({
	tool: 'Write',
	input: { file_path: file, content: `${content}\n` },
	check: `grep -qx ${content} ${file} && echo yes || echo no`,
});
const edit = (file: string, from: string, to: string): ScriptedCall => ({
	tool: 'Edit',
	input: { file_path: file, old_string: from, new_string: to },
	check: `grep -qx ${to} ${file} && echo yes || echo no`,
});
const read = (file: string): ScriptedCall => ({ tool: 'Read', input: { file_path: file }, check: 'echo yes' });

/** The calls of each answer. */
const turns: readonly (readonly ScriptedCall[])[] = [
	[command('one'), command('two')],
	[write('a.txt', 'alpha'), write('b.txt', 'beta')],
	[read('a.txt'), read('b.txt'), read('log.txt')],
	[edit('a.txt', 'alpha', 'gamma')],
	[command('three')],
	[edit('b.txt', 'beta', 'delta'), command('four'), edit('a.txt', 'gamma', 'epsilon')],
	[read('a.txt'), command('five')],
	[write('c.txt', 'zeta'), command('six')],
	[edit('c.txt', 'zeta', 'eta'), command('seven'), command('eight')],
	[read('c.txt')],
	[command('nine')],
];

/** What an undisturbed run leaves: the lines of the commands, and the files. */
export const expected = {
	log: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
	files: { 'a.txt': 'epsilon\n', 'b.txt': 'delta\n', 'c.txt': 'eta\n' },
} as const;

/** The next answer of the model. */
export function play(request: MockRequest): Step {
	const conversation = JSON.stringify(messagesOf(request));
	if (!conversation.includes(crashPrompt)) return answer('What is to be done?');
	const results = resultsOf(request);
	for (const [at, calls] of turns.entries()) {
		const open = calls.flatMap((call, index) => nextOf(call, `t${at}-${index}`, results));
		if (open.length > 0) return turn(thinking(`turn ${at}`), text(`Turn ${at}.`), ...open);
	}
	return answer(lastWords);
}

/**
 * Nothing: it is done. A call that failed or was interrupted is looked after, and made again when it did not happen; before it is
 * edited again, a file is read.
 */
function nextOf(call: ScriptedCall, id: string, results: Results): readonly BlockPart[] {
	for (let attempt = 0; attempt < mostAttempts; attempt++) {
		const result = results.get(`call-${id}-${attempt}`);
		if (!result) {
			const again = toolUse(call.tool, call.input, `call-${id}-${attempt}`);
			const file = call.input['file_path'];
			if (attempt === 0 || call.tool !== 'Edit') return [again];
			return [toolUse('Read', { file_path: file }, `read-${id}-${attempt}`), again];
		}
		if (!result.isError) return [];
		const look = checked(call, `${id}-${attempt}`, results);
		if (look.kind === 'call') return [look.call];
		if (look.happened) return [];
	}
	throw new Error(`${id} did not happen after ${mostAttempts} attempts`);
}

const mostAttempts = 20;

type Look = { readonly kind: 'call'; readonly call: BlockPart } | { readonly kind: 'seen'; readonly happened: boolean };

function checked(call: ScriptedCall, id: string, results: Results): Look {
	for (let attempt = 0; attempt < mostAttempts; attempt++) {
		const checkId = `check-${id}-${attempt}`;
		const check = results.get(checkId);
		const look = { command: call.check, description: 'Look' };
		if (!check) return { kind: 'call', call: toolUse('Bash', look, checkId) };
		if (!check.isError) return { kind: 'seen', happened: /\byes\b/.test(check.text) };
	}
	throw new Error(`${id} could not be looked at`);
}

type Results = ReadonlyMap<string, { readonly text: string; readonly isError: boolean }>;

function resultsOf(request: MockRequest): Results {
	const blocks = messagesOf(request).flatMap(({ content }) => content);
	const results = blocks.filter((block) => block['type'] === 'tool_result');
	return new Map(
		results.map((block) => [
			String(block['tool_use_id']),
			{ text: JSON.stringify(block['content']), isError: block['is_error'] === true },
		]),
	);
}
