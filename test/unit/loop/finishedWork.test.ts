// Work in the background that has ended: a note for the model at the next turn boundary or before the next prompt, in the
// order in which it ended, once, also when the session was resumed in between.
import assert from 'node:assert/strict';
import type { FinishedTask, FinishedWork } from '../../../src/core/ports/finishedWork.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { exchange, story } from '../../support/exchange.ts';
import { fakeTool, FakeJournal, said } from '../../support/fakeTools.ts';
import type { MockRequest } from '../../support/mockServer.ts';
import { answer, messagesOf, startMockServer, toolUse, turn } from '../../support/mockServer.ts';

class FakeFinishedWork implements FinishedWork {
	finished: readonly FinishedTask[] = [];
	readonly acknowledged: string[] = [];
	/** Forgets what was told, as a port should; a careless one does not. */
	readonly careless: boolean;

	constructor(careless = false) {
		this.careless = careless;
	}
	ends(id: string): void {
		this.finished = [...this.finished, { id, note: `The command ${id} has ended.` }];
	}
	told(id: string): void {
		this.acknowledged.push(id);
		if (!this.careless) this.finished = this.finished.filter((task) => task.id !== id);
	}
}

const note = (id: string) => `<system-note>\nThe command ${id} has ended.\n</system-note>`;
const lastTexts = (request: MockRequest | undefined) =>
	(messagesOf(request ?? assert.fail()).at(-1)?.content ?? []).map((block) => block['text'] ?? block['type']);

suite('finished background work', () => {
	test('what ends while a tool runs is told at the boundary, in order, before what the person typed', async () => {
		const work = new FakeFinishedWork();
		const look = fakeTool({
			name: 'Look',
			run: ({ id }) => {
				work.ends(`${id}-1`);
				work.ends(`${id}-2`);
				return Promise.resolve(said('seen'));
			},
		});
		const record = await exchange({
			tools: [look],
			streamingTools: false,
			params: { finishedWork: work },
			model: [turn(toolUse('Look', { id: 'a' })), turn(toolUse('Look', { id: 'b' })), answer('done')],
			onEvent: (event, { queue }) => {
				if (event.type === 'tool_start') queue.add({ id: `q${queue.waiting.length}`, text: 'and this' });
			},
		});
		const told = 'context_attached context_attached prompt_taken ⟳next_turn';
		assert.equal(
			story(record),
			`turn_start tool_use answer_end tool_start tool:done ${told} turn_start tool_use answer_end tool_start tool:done ${told} turn_start text answer_end ■completed`,
		);
		assert.deepEqual(lastTexts(record.requests[1]), ['tool_result', note('a-1'), note('a-2'), 'and this']);
		assert.deepEqual(lastTexts(record.requests[2]), ['tool_result', note('b-1'), note('b-2'), 'and this']);
		assert.deepEqual(work.acknowledged, ['a-1', 'a-2', 'b-1', 'b-2']);
		const written = record.entries.map((entry) => JSON.stringify(entry));
		assert.ok(
			written.findIndex((entry) => entry.includes('a-2 has ended')) <
				written.findIndex((entry) => entry.includes('"turn":2')),
		);
		assert.deepEqual(record.violations, []);
	});

	test('a port that goes on naming what was told: once all the same, also after a resume', async () => {
		const server = await startMockServer(() => answer('ok'));
		const work = new FakeFinishedWork(true);
		const ports = { finishedWork: work };
		const first = startConversation({ url: server.url, tools: [], ports });
		await finish(first.conversation.submitMessage('one'));
		work.ends('x');
		await finish(first.conversation.submitMessage('two'));
		assert.deepEqual(lastTexts(server.requests[1]), [note('x'), 'two']);
		await finish(first.conversation.submitMessage('three'));
		assert.deepEqual(lastTexts(server.requests[2]), ['three']);
		// It ends between two processes: the next one tells it.
		work.ends('y');
		const resumed = startConversation({ url: server.url, tools: [], ports, transcript: first.entries });
		await finish(resumed.conversation.submitMessage('four'));
		assert.deepEqual(lastTexts(server.requests[3]), [note('y'), 'four']);
		assert.equal(resumed.conversation.messages.filter(({ id }) => id === 'finished-x').length, 1);
		assert.deepEqual(server.violations, []);
		await server.close();
	});

	test('it is written down before it counts as told', async () => {
		const work = new FakeFinishedWork();
		work.ends('x');
		const journal = new FakeJournal();
		const look = fakeTool({
			name: 'Look',
			run: () => Promise.resolve(said('seen')),
		});
		const append = journal.append.bind(journal);
		journal.append = (entry) => (entry.type === 'user' ? Promise.reject(new Error('disk full')) : append(entry));
		const failing = exchange({
			tools: [look],
			deps: { journal },
			params: { finishedWork: work },
			model: [turn(toolUse('Look', { id: 'a' })), answer('done')],
		});
		await assert.rejects(failing, /disk full/);
		assert.deepEqual(work.acknowledged, []);
		assert.equal(work.finished.length, 1);
	});
});
