// A transcript that cannot be written: the exchange ends by throwing, nothing that the person said is lost with it, and the
// next prompt goes on as if nothing had been.
import assert from 'node:assert/strict';
import type { Entry, StoredEntry } from '../../../src/core/messages/journal.ts';
import { loadSession } from '../../../src/core/session/resume.ts';
import type { TestConversation } from '../../support/conversation.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import type { MockServer } from '../../support/mockServer.ts';
import { answer, lastUserText, startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';

suite('a full disk', () => {
	let server: MockServer;
	const entries: StoredEntry[] = [];
	let full: (entry: Entry) => boolean = () => false;
	setup(async () => {
		server = await startMockServer();
		entries.length = 0;
		full = () => false;
	});
	teardown(async () => {
		assert.deepEqual(server.violations, []);
		await server.close();
	});

	function start(): TestConversation {
		const look = fakeTool({ name: 'Look', run: ({ id }) => Promise.resolve(said(`saw ${id}`)) });
		const append = (entry: Entry) => {
			if (full(entry)) return Promise.reject(new Error('disk full'));
			entries.push({ ...entry, time: 0 });
			return Promise.resolve();
		};
		return startConversation({ url: server.url, tools: [look], ports: { journal: { append } } });
	}

	test('a queued prompt that could not be written down waits on, as the first', async () => {
		const { conversation } = start();
		server.setScript([turn(toolUse('Look', { id: 'a' })), answer('done'), answer('and that, too')]);
		conversation.enqueue('queued');
		full = (entry) => entry.type === 'user' && JSON.stringify(entry).includes('queued');
		await assert.rejects(finish(conversation.submitMessage('first')), /disk full/);
		conversation.enqueue('later');
		assert.deepEqual(
			conversation.queued.map(({ text }) => text),
			['queued', 'later'],
		);
		full = () => false;
		assert.deepEqual(loadSession(entries).messages, conversation.messages);
		const { terminal } = await finish(conversation.submitMessage('go on'));
		assert.equal(terminal.reason, 'completed');
		assert.match(lastUserText(server.requests.at(-1) ?? assert.fail()), /go on/);
		await conversation.dispose();
	});

	for (const type of [
		'session',
		'mode',
		'model',
		'user',
		'request',
		'block',
		'answer',
		'tool_result',
		'exchange_end',
	] as const) {
		test(`full at the first "${type}"`, async () => {
			const { conversation } = start();
			const model = [turn(toolUse('Look', { id: 'a' })), answer('done')];
			server.setScript((request) =>
				JSON.stringify(request.body['messages']).includes('once more') ? answer('ok') : (model.shift() ?? answer('ok')),
			);
			full = (entry) => entry.type === type;
			await assert.rejects(finish(conversation.submitMessage('do it')), /disk full/);
			full = () => false;
			const { terminal } = await finish(conversation.submitMessage('once more'));
			assert.equal(terminal.reason, 'completed');
			// Whatever was cut short, the session has its beginning, and memory and transcript agree.
			assert.match(JSON.stringify(server.requests.at(-1)?.body['messages']), /linux/);
			assert.ok(entries.some((entry) => entry.type === 'session'));
			const plain = (list: typeof conversation.messages) =>
				list.map(({ role, id, content }) => ({ role, id, content }));
			assert.deepEqual(plain(loadSession(entries).messages), plain(conversation.messages));
			await conversation.dispose();
		});
	}

	test('a call whose start cannot be written down does not run, and is answered with that', async () => {
		const { conversation } = start();
		server.setScript([turn(toolUse('Look', { id: 'a' })), answer('done')]);
		full = (entry) => entry.type === 'tool_start';
		const { terminal } = await finish(conversation.submitMessage('do it'));
		assert.equal(terminal.reason, 'completed');
		const [result] = toolResults(server.requests[1] ?? assert.fail());
		assert.equal(result?.isError, true);
		assert.match(result?.text ?? '', /disk full/);
		await conversation.dispose();
	});
});
