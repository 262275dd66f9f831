// Finding in a whole conversation, and a conversation as a document.
import assert from 'node:assert/strict';
import { conversationMarkdown } from '../../../src/host/panel/exportConversation.ts';
import { findRows } from '../../../src/host/panel/findRows.ts';
import { agentMarkdown } from '../../../src/host/panel/agentTranscript.ts';
import { bareState } from '../../support/viewState.ts';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
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
/** A subagent that waited, and was stopped. */
const failed: Row = {
	kind: 'tool',
	id: 'g',
	toolUseId: 'g',
	tool: 'Agent',
	summary: 'Check the tests',
	state: 'error',
	message: 'It was stopped.\nWhat it had said last:\nTwo of **three** pass.',
	view: {
		kind: 'agent',
		log: [
			{
				kind: 'tool',
				id: 'g1',
				toolUseId: 'g1',
				tool: 'Bash',
				summary: 'npm test',
				state: 'waiting',
				view: {
					kind: 'command',
					command: 'npm test',
					output: 'ok: 3',
					omitted: 0,
					outcome: 'running',
					durationMs: 0,
				},
			},
			{ kind: 'text', id: 'g2', text: 'Two so far.', open: false },
			{ kind: 'text', id: 'g3', text: 'Two of **three** pass.', open: false },
		],
		omitted: 12,
		answer: 'Two of **three** pass.',
		toolUses: 14,
		tokens: 400,
	},
};
const words = {
	title: 'Conversation',
	you: 'You',
	agent: 'Loopwright',
	thought: 'Thought',
	summary: 'Summary',
	earlierSteps: '… {0} earlier steps',
};
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

	test('counts in what a subagent did, and in its answer', async () => {
		assert.equal((await findRows([failed], 'npm test', always))?.total, 2);
		assert.equal((await findRows([failed], 'two so far', always))?.total, 1);
		assert.equal((await findRows([failed], 'of three pass', always))?.total, 1);
	});

	test('looks over marks of Markdown between the words', async () => {
		assert.equal((await findRows(rows, 'two places', always))?.total, 1);
		assert.equal((await findRows(rows, '**two**', always))?.total, 1);
	});

	test('letters are the same however they are put together', async () => {
		const rows: readonly Row[] = [
			{ kind: 'text', id: 'a', text: 'Cafe\u0301 and \u1112\u1161\u11ab, 中文 (a|b)', open: false },
			{ kind: 'text', id: 'b', text: 'CAF\u00c9', open: false },
		];
		const total = async (query: string) => (await findRows(rows, query, always))?.total;
		assert.equal(await total('caf\u00e9'), 2);
		assert.equal(await total('cafe\u0301'), 2);
		assert.equal(await total('한'), 1);
		assert.equal(await total('文 (a|B)'), 1, 'signs of expressions are signs');
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
	test('all that a subagent did: its task, each step with what it gave, its last words', () => {
		const use = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } } as const;
		const view = { kind: 'command', command: 'npm test', output: 'ok: 3', omitted: 0, durationMs: 1 } as const;
		const message = { role: 'user', id: 'u', origin: 'prompt', time: 1 } as const;
		const block = { type: 'block', messageId: 'm1', model: 'claude-haiku-5' } as const;
		const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'ok' }] } as const;
		const entries: readonly StoredEntry[] = [
			{ type: 'session', version: 1, sessionId: 'a1', cwd: '/w', app: '0', time: 1 },
			{ type: 'model', model: 'claude-haiku-5', time: 1 },
			{
				type: 'user',
				message: { ...message, content: [{ type: 'text', text: 'Check the tests.' }] },
				time: 1,
			},
			{ ...block, index: 0, block: use, time: 2 },
			{ type: 'tool_start', toolUseId: 't1', name: 'Bash', input: use.input, time: 3 },
			{
				type: 'tool_result',
				toolUseId: 't1',
				result,
				state: 'done',
				view: { ...view, exitCode: 0, outcome: 'exited' },
				time: 4,
			},
			{ ...block, messageId: 'm2', index: 0, block: { type: 'text', text: 'All pass.' }, time: 5 },
		];
		const models = [{ id: 'claude-haiku-5', name: 'Haiku' }];
		const own = { ...words, title: 'Subagent: tests', you: 'Its task', agent: 'Subagent' };
		assert.equal(
			agentMarkdown(entries, { agentId: 'a1', state: { ...bareState, models }, folder: '/w', words: own }),
			[
				'# Subagent: tests',
				'Haiku · a1',
				'## Its task',
				'Check the tests.',
				'## Subagent',
				'- **Bash** `npm test`',
				'```\nnpm test\nok: 3\n```',
				'All pass.\n',
			].join('\n\n'),
		);
	});

	const state = { sessionId: 's1', model: { id: 'm', name: 'Model' } };

	test('Markdown: headings by who speaks, fences that nothing inside can end', () => {
		const text = conversationMarkdown(state, rows, words);
		assert.match(
			text,
			/^# Conversation\n\nModel · s1\n\n## You\n\nWhere is the Login\?\n\n## Loopwright\n\n> \*\*Thought/,
		);
		assert.match(text, /- \*\*Bash\*\* `grep -r login`\n\n````\ngrep -r login\n```\nlogin\.ts\n````/);
		assert.equal(text.match(/## Loopwright/g)?.length, 1);
	});

	test('Markdown: pictures, PDFs and the selection of a prompt by name, also where it has no words', () => {
		const picture = {
			kind: 'image',
			id: 'i',
			name: 'shot.png',
			mediaType: 'image/png',
			width: 20,
			height: 10,
		} as const;
		const part = { kind: 'selection', path: '/w/src/login.ts', firstLine: 3, lastLine: 9 } as const;
		const attachments = [picture, { kind: 'pdf', id: 'd', name: 'a`b.pdf', pages: 3 } as const, part];
		const text = conversationMarkdown(state, [{ kind: 'prompt', id: 'p', text: '', time: 0, attachments }], words);
		assert.match(text, /\n\n## You\n\n- `shot\.png` \(20 × 10\)\n- ``a`b\.pdf``\n- `login\.ts:3-9`\n$/);
	});

	test('Markdown: a subagent with its steps, why it failed, and what it had said, each once', () => {
		const text = conversationMarkdown(state, [failed], words);
		assert.equal(
			text.slice(text.indexOf('- **Agent**')),
			[
				'- **Agent** `Check the tests` (error)',
				'```\nIt was stopped.\nWhat it had said last:\n```',
				'> … 12 earlier steps\n>\n> - **Bash** `npm test` (waiting)\n>\n> ```\n> npm test\n> ok: 3\n> ```\n>\n> Two so far.',
				'Two of **three** pass.\n',
			].join('\n\n'),
		);
	});
});
