// What prompts bring besides their words, and the queue: what is read when, in which order, and what a resumed session knows.
import assert from 'node:assert/strict';
import { PromptQueue } from '../../../src/core/loop/promptQueue.ts';
import type { PromptParts, PromptReader } from '../../../src/core/loop/promptParts.ts';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, text, toolUse, turn } from '../../support/mockServer.ts';

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const readPrompt: PromptReader = ({ text: said, attachments = [] }) =>
	Promise.resolve({
		media: attachments.flatMap(({ kind }): PromptParts['media'] => {
			if (kind === 'image') return [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } }];
			if (kind !== 'pdf') return [];
			const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } as const;
			return [{ type: 'document' as const, source, title: 'a.pdf', pages: 3 }];
		}),
		notes: said.includes('@a.ts') ? ['The file a.ts: let a = 1;'] : [],
	});
const image = { kind: 'image', id: 'i', name: 'a.png', mediaType: 'image/png', width: 4, height: 4 } as const;
const pdf = { kind: 'pdf', id: 'p', name: 'a.pdf', pages: 3 } as const;

suite('prompts', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => mock.reset());

	test('a prompt that could not be read goes back to its place', () => {
		const queue = new PromptQueue();
		queue.add({ id: 'later', text: 'then', afterExchange: true });
		queue.add({ id: 'now', text: 'now' });
		queue.add({ id: 'next', text: 'next' });
		const taken = queue.take();
		assert.equal(taken?.id, 'now');
		queue.putBack(taken ?? assert.fail());
		assert.deepEqual(
			queue.waiting.map(({ id }) => id),
			['later', 'now', 'next'],
		);
	});

	test('a prompt that could not be written down leaves what was written before it', async () => {
		mock.setScript([answer('Done.')]);
		const kept: StoredEntry[] = [];
		let full = false;
		const { conversation } = startConversation({
			url: mock.url,
			ports: {
				readPrompt: (prompt) => {
					full = kept.length > 0 && prompt.text === 'one';
					return readPrompt(prompt);
				},
				journal: {
					append: (entry) => {
						if (full) return Promise.reject(new Error('The disk is full.'));
						kept.push({ ...entry, time: 0 });
						return Promise.resolve();
					},
				},
			},
		});
		await assert.rejects(finish(conversation.submitMessage('one')), /disk is full/);
		assert.deepEqual(conversation.messages, loadSession(kept).messages);
		await finish(conversation.submitMessage('two'));
		assert.deepEqual(
			conversation.messages.map(({ id }) => id),
			loadSession(kept).messages.map(({ id }) => id),
		);
	});

	test('pictures come before the words, what is mentioned after them, and the transcript has it all', async () => {
		mock.setScript([answer('Seen.'), answer('Still there.')]);
		const { conversation, entries } = startConversation({ url: mock.url, ports: { readPrompt } });
		await finish(conversation.submitMessage({ text: 'look at @a.ts', attachments: [image, pdf] }));
		const blocks = messagesOf(mock.requests[0] ?? assert.fail()).at(-1)?.content;
		assert.ok(Array.isArray(blocks));
		const kinds = blocks.slice(-4).map(({ type, text: words }: { type: string; text?: string }) => words ?? type);
		assert.deepEqual(kinds.slice(0, 3), ['image', 'document', 'look at @a.ts']);
		assert.match(kinds[3] ?? '', /^<system-note>\nThe file a\.ts/);
		const resumed = startConversation({ url: mock.url, transcript: entries, ports: { readPrompt } });
		await finish(resumed.conversation.submitMessage('and now?'));
		assert.equal(JSON.stringify(mock.requests[1]?.body).split('"type":"document"').length, 2);
		const said = loadSession(entries).messages.find(({ role, ...rest }) => role === 'user' && 'attachments' in rest);
		assert.deepEqual(said && 'attachments' in said && said.attachments, [image, pdf]);
		assert.deepEqual(mock.violations, []);
	});

	test('a steering prompt is read at the next step, one for afterwards is not; both keep what they bring', async () => {
		mock.setScript([turn(text('I look.'), toolUse('TodoWrite', { todos: [] })), answer('One.'), answer('Two.')]);
		const { conversation } = startConversation({ url: mock.url, ports: { readPrompt } });
		const later = conversation.enqueue({ text: 'later @a.ts', attachments: [image] }, true);
		conversation.enqueue('now');
		await finish(conversation.submitMessage('go'));
		assert.deepEqual(
			conversation.queued.map(({ id }) => id),
			[later],
		);
		assert.ok(!JSON.stringify(mock.requests[1]?.body).includes('later @a.ts'));
		assert.ok(JSON.stringify(mock.requests[1]?.body).includes('"now"'));
		await finish(conversation.submitMessage('', later));
		const last = JSON.stringify(mock.requests[2]?.body);
		assert.ok(last.includes('later @a.ts') && last.includes('The file a.ts') && last.includes('"type":"image"'));
		assert.deepEqual(mock.violations, []);
	});

	test('only a prompt that may be read now interrupts what runs', () => {
		const queue = new PromptQueue();
		let told = 0;
		queue.onAdd(() => told++);
		queue.add({ id: 'a', text: 'later', afterExchange: true });
		assert.equal(told, 0);
		queue.add({ id: 'b', text: 'now' });
		assert.equal(told, 1);
		assert.equal(queue.take()?.id, 'b');
		assert.equal(queue.take(), undefined);
	});

	test('the order of the queue is the order in which it is read, after a reload too', () => {
		const { conversation, entries } = startConversation({ url: mock.url });
		const [a, b, c] = ['a', 'b', 'c'].map((said) => conversation.enqueue(said)) as [string, string, string];
		assert.equal(conversation.moveQueued(c, 0), true);
		assert.equal(conversation.moveQueued(a, 9), true);
		assert.equal(conversation.moveQueued(a, 2), false);
		assert.equal(conversation.moveQueued('gone', 0), false);
		const expected = [c, b, a];
		assert.deepEqual(
			conversation.queued.map(({ id }) => id),
			expected,
		);
		const resumed = startConversation({ url: mock.url, transcript: entries });
		assert.deepEqual(resumed.conversation.queued, conversation.queued);
	});
});
