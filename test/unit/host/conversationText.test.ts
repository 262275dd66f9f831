// Finding in a whole conversation, and a conversation as a document.
import assert from 'node:assert/strict';
import { conversationMarkdown } from '../../../src/host/panel/exportConversation.ts';
import { findRows } from '../../../src/host/panel/findRows.ts';
import type { Row } from '../../../src/shared/view.ts';

const rows: readonly Row[] = [
	{ kind: 'prompt', id: 'p', text: 'Where is the Login?', time: 0 },
	{ kind: 'thinking', id: 'k', text: 'login, login', open: false, durationMs: 10 },
	{
		kind: 'tool',
		id: 't',
		toolUseId: 't',
		tool: 'Bash',
		summary: 'grep -r login',
		state: 'done',
		view: {
			kind: 'command',
			command: 'grep -r login',
			output: '```\nlogin.ts',
			omitted: 0,
			exitCode: 0,
			outcome: 'exited',
			durationMs: 1,
		},
	},
	{ kind: 'text', id: 'a', text: 'It is in **two** `places`.', open: false },
];
const always = () => Promise.resolve(true);

suite('finding in the conversation', () => {
	test('counts in prompts, thinking and folded results, without case', async () => {
		const found = await findRows(rows, 'LOGIN', always);
		assert.deepEqual(found, {
			rows: [
				{ rowId: 'p', count: 1 },
				{ rowId: 'k', count: 2 },
				{ rowId: 't', count: 3 },
			],
			total: 6,
		});
	});

	test('looks over marks of Markdown between the words', async () => {
		assert.equal((await findRows(rows, 'two places', always))?.total, 1);
		assert.equal((await findRows(rows, '**two**', always))?.total, 1);
	});

	test('nothing is found by nothing', async () => {
		assert.deepEqual(await findRows(rows, '  ', always), { rows: [], total: 0 });
	});

	test('a long search pauses, and ends when another one is wanted', async () => {
		const long: readonly Row[] = Array.from({ length: 30 }, (_, at) => ({
			kind: 'text',
			id: String(at),
			text: 'x'.repeat(300_000),
			open: false,
		}));
		let pauses = 0;
		const found = await findRows(long, 'y', () => Promise.resolve((pauses += 1) < 3));
		assert.equal(found, undefined);
		assert.equal(pauses, 3);
	});
});

suite('a conversation as a document', () => {
	const state = { sessionId: 's1', model: { id: 'm', name: 'Model' } };

	test('Markdown: headings by who speaks, fences that nothing inside can end', () => {
		const words = { title: 'Conversation', you: 'You', thought: 'Thought', summary: 'Summary' };
		const text = conversationMarkdown(state, rows, words);
		assert.match(
			text,
			/^# Conversation\n\nModel · s1\n\n## You\n\nWhere is the Login\?\n\n## Loopwright\n\n> \*\*Thought/,
		);
		assert.match(text, /- \*\*Bash\*\* `grep -r login`\n\n````\ngrep -r login\n```\nlogin\.ts\n````/);
		assert.equal(text.match(/## Loopwright/g)?.length, 1);
	});
});
