// Going back to before any message of the person, and going on: the conversation is the shorter one, what is sent is valid, and
// what was spent still counts.
import assert from 'node:assert/strict';
import * as z from 'zod';
import { activeEntries } from '../../../src/core/messages/activeEntries.ts';
import type { Entry, StoredEntry } from '../../../src/core/messages/journal.ts';
import { textOf } from '../../../src/core/messages/types.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { defineTool } from '../../../src/core/tools/tool.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, text, thinking, toolUse, turn } from '../../support/mockServer.ts';

const look: Tool = defineTool({
	name: 'Look',
	description: 'Looks.',
	schema: z.object({ id: z.string() }),
	isConcurrencySafe: () => true,
	interrupt: 'block',
	maxResultChars: 1000,
	summary: ({ id }) => id,
	permission: () => ({ access: { kind: 'none' }, detail: { kind: 'path', path: 'x' } }),
	run: ({ id }) => Promise.resolve({ content: `saw ${id}`, view: { kind: 'none' } }),
});

suite('rewind', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());

	/** Three exchanges with thinking and calls, a prompt queued in the second. */
	async function conversation(): Promise<readonly StoredEntry[]> {
		mock.setScript([
			turn(thinking('hm'), text('I look.'), toolUse('Look', { id: 'a' }), toolUse('Look', { id: 'b' })),
			answer('First.'),
			turn(thinking('hm again'), toolUse('Look', { id: 'c' })),
			answer('Second and queued.'),
			answer('Third.'),
		]);
		const { conversation: session, entries } = startConversation({ url: mock.url, tools: [look] });
		await finish(session.submitMessage('one'));
		session.enqueue('queued');
		await finish(session.submitMessage('two'));
		await finish(session.submitMessage('three'));
		return entries;
	}
	const prompts = (entries: readonly StoredEntry[]) =>
		loadSession(entries).messages.flatMap((message) =>
			message.role === 'user' && message.origin === 'prompt' ? [{ id: message.id, text: textOf(message) }] : [],
		);
	const stored = (entry: Entry): StoredEntry => ({ ...entry, time: 1 });

	test('at every message: what came before is as it was, and going on is valid', async () => {
		const entries = await conversation();
		const all = prompts(entries);
		assert.deepEqual(
			all.map((prompt) => prompt.text),
			['one', 'two', 'queued', 'three'],
		);
		const before = loadSession(entries);
		for (const [index, { id }] of all.entries()) {
			const transcript = [...entries, stored({ type: 'rewound', to: id })];
			const loaded = loadSession(transcript);
			const place = before.messages.findIndex((message) => message.id === id);
			assert.deepEqual(loaded.messages, before.messages.slice(0, place));
			assert.deepEqual(loaded.usage, before.usage);
			assert.equal(loaded.interrupted, false);
			assert.equal(loaded.pending, undefined);
			mock.setScript([turn(thinking('anew'), toolUse('Look', { id: 'd' })), answer('Other.'), answer('And on.')]);
			const seen = mock.requests.length;
			const { conversation: session, entries: grown } = startConversation({ url: mock.url, tools: [look], transcript });
			await finish(session.submitMessage('instead'));
			await finish(session.submitMessage('next'));
			assert.deepEqual(mock.violations, []);
			const sent = JSON.stringify(messagesOf(mock.requests[seen] ?? assert.fail()));
			for (const [other, prompt] of all.entries()) assert.equal(sent.includes(`"${prompt.text}"`), other < index);
			assert.deepEqual(
				prompts(grown).map((prompt) => prompt.text),
				[...all.slice(0, index).map((prompt) => prompt.text), 'instead', 'next'],
			);
		}
	});

	test('the beginning that is sent again is the same, byte for byte', async () => {
		const entries = await conversation();
		const third = prompts(entries)[3]?.id ?? '';
		const transcript = [...entries, stored({ type: 'rewound', to: third })];
		const asked = mock.requests[4];
		const seen = mock.requests.length;
		mock.setScript([answer('Other.')]);
		const { conversation: session } = startConversation({ url: mock.url, tools: [look], transcript });
		await finish(session.submitMessage('instead'));
		const bare = (request: typeof asked) =>
			JSON.stringify(messagesOf(request ?? assert.fail()).slice(0, -1)).replaceAll(/,"cache_control":\{[^}]*\}/g, '');
		assert.equal(bare(mock.requests[seen]), bare(asked));
	});

	test('a rewind within a rewind, and one to a message that is not there', async () => {
		const entries = await conversation();
		const [, two, , three] = prompts(entries);
		const twice = [
			...entries,
			stored({ type: 'rewound', to: three?.id ?? '' }),
			stored({ type: 'rewound', to: two?.id ?? '' }),
			stored({ type: 'rewound', to: three?.id ?? '' }),
			stored({ type: 'rewound', to: 'nobody' }),
		];
		assert.deepEqual(
			prompts(twice).map((prompt) => prompt.text),
			['one'],
		);
	});

	test('a rewind is taken back while nothing was said since; a mode chosen meanwhile stays', async () => {
		const entries = await conversation();
		const all = prompts(entries);
		const rewound = [...entries, stored({ type: 'rewound', to: all[1]?.id ?? '' })];
		const undone = [...rewound, stored({ type: 'mode', mode: 'plan' }), stored({ type: 'rewind_undone' })];
		assert.deepEqual(loadSession(undone).messages, loadSession(entries).messages);
		assert.equal(loadSession(undone).mode, 'plan');
		const said: Entry = {
			type: 'user',
			message: { role: 'user', id: 'new', origin: 'prompt', content: [{ type: 'text', text: 'new' }], time: 0 },
		};
		const late = [...rewound, stored(said), stored({ type: 'rewind_undone' })];
		assert.deepEqual(
			prompts(late).map((prompt) => prompt.text),
			['one', 'new'],
		);
	});

	test('modes and models that were chosen after the message stay', () => {
		const user = (id: string): Entry => ({
			type: 'user',
			message: { role: 'user', id, origin: 'prompt', content: [{ type: 'text', text: id }], time: 0 },
		});
		const entries = [user('one'), user('two'), { type: 'mode', mode: 'acceptEdits' }, { type: 'rewound', to: 'two' }];
		const active = activeEntries(entries.map((entry) => stored(entry as Entry)));
		assert.deepEqual(
			active.map(({ type }) => type),
			['user', 'mode', 'rewound'],
		);
	});
});
