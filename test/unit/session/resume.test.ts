// A session that is cut at any entry of its transcript goes on: with a new prompt or where it was, always with valid
// requests, and no call that may have run is run again (loop.md 9, 11).
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { defineTool } from '../../../src/core/tools/tool.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import {
	answer,
	messagesOf,
	startMockServer,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
} from '../../support/mockServer.ts';

/** Counts the runs of each call; asks for permission like a real command. */
function counting(): { readonly tools: readonly Tool[]; readonly runs: Map<string, number> } {
	const runs = new Map<string, number>();
	const make = (name: string, safe: boolean) =>
		defineTool({
			name,
			description: 'Counts.',
			schema: z.object({ id: z.string() }),
			isConcurrencySafe: () => safe,
			interrupt: 'block',
			maxResultChars: 1000,
			summary: ({ id }) => id,
			permission: ({ id }) => ({
				access: safe ? { kind: 'none' } : { kind: 'command', command: `do ${id}` },
				detail: { kind: 'command', command: `do ${id}`, cwd: '/w' },
			}),
			run: ({ id }) => {
				runs.set(id, (runs.get(id) ?? 0) + 1);
				return Promise.resolve({ content: `did ${id}`, view: { kind: 'none' } });
			},
		});
	return { tools: [make('Look', true), make('Do', false)], runs };
}

/** Answers by how far the conversation is, so that it can be entered anywhere. */
function model(
	request: Parameters<Extract<Parameters<MockServer['setScript']>[0], (...args: never[]) => unknown>>[0],
): Step {
	const all = JSON.stringify(messagesOf(request));
	if (!all.includes('tool_use')) {
		return turn(
			thinking('where to look'),
			text('I look.'),
			toolUse('Look', { id: 'a' }),
			toolUse('Look', { id: 'b' }),
			toolUse('Do', { id: 'c' }),
		);
	}
	if (!all.includes('"id":"d"')) return turn(toolUse('Do', { id: 'd' }));
	return answer('All done.');
}

suite('resume', () => {
	let mock: MockServer;
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock.close());
	setup(() => {
		mock.reset();
		mock.setScript(model);
	});

	async function whole() {
		const { tools, runs } = counting();
		const { conversation, entries } = startConversation({ url: mock.url, tools });
		const { terminal } = await finish(conversation.submitMessage('do it'));
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual(mock.violations, []);
		assert.deepEqual([...runs.values()], [1, 1, 1, 1]);
		return entries;
	}

	test('a whole session comes back as it was', async () => {
		const entries = await whole();
		const { conversation } = startConversation({ url: mock.url, tools: counting().tools, transcript: entries });
		assert.equal(conversation.interrupted, false);
		await finish(conversation.submitMessage('and now?'));
		const [last, before] = [mock.requests.at(-1), mock.requests.at(-2)];
		assert.ok(last && before);
		const bare = (request: typeof last) =>
			messagesOf(request).map((message) =>
				JSON.stringify(message).replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, ''),
			);
		assert.deepEqual(bare(last).slice(0, bare(before).length), bare(before), 'the prefix is what was sent before');
		assert.deepEqual(mock.violations, []);
	});

	test('cut at any entry, it goes on where it was and runs nothing twice', async () => {
		const entries = await whole();
		for (let cut = 0; cut <= entries.length; cut++) {
			const transcript = entries.slice(0, cut);
			const { tools, runs } = counting();
			const { conversation, entries: after } = startConversation({ url: mock.url, tools, transcript });
			if (!conversation.interrupted) continue;
			const { terminal } = await finish(conversation.resume());
			assert.equal(terminal.reason, 'completed', `cut at ${cut}: ${terminal.failure?.message}`);
			assert.deepEqual(mock.violations, [], `cut at ${cut}`);
			const startedBefore = new Set(
				transcript.flatMap((entry) => (entry.type === 'tool_start' ? [entry.input['id']] : [])),
			);
			for (const [id, count] of runs) {
				assert.equal(count, 1);
				assert.ok(!startedBefore.has(id), `${id} had started before the cut at ${cut}`);
			}
			const starts = after.flatMap((entry) => (entry.type === 'tool_start' ? [entry.toolUseId] : []));
			assert.equal(new Set(starts).size, starts.length);
		}
	});

	test('cut at any entry, a new prompt is answered, and what was left open is not run', async () => {
		const entries = await whole();
		for (let cut = 0; cut <= entries.length; cut++) {
			mock.setScript([answer('Understood.')]);
			const { tools, runs } = counting();
			const { conversation } = startConversation({ url: mock.url, tools, transcript: entries.slice(0, cut) });
			const { terminal } = await finish(conversation.submitMessage('something else'));
			assert.equal(terminal.reason, 'completed', `cut at ${cut}`);
			assert.deepEqual(mock.violations, [], `cut at ${cut}`);
			assert.equal(runs.size, 0);
			const said = messagesOf(mock.requests.at(-1) ?? assert.fail())
				.at(-1)
				?.content.at(-1)?.['text'];
			assert.equal(said, 'something else');
		}
	});

	test('a call that had started is answered as of unknown outcome', async () => {
		const entries = await whole();
		const isC = ({ input }: { readonly input: unknown }) => JSON.stringify(input) === '{"id":"c"}';
		const started = entries.findIndex((entry) => entry.type === 'tool_start' && entry.input['id'] === 'c');
		const { conversation } = startConversation({
			url: mock.url,
			tools: counting().tools,
			transcript: entries.slice(0, started + 1),
		});
		await finish(conversation.resume());
		const request = mock.requests.findLast((sent) => toolResults(sent).some(isC));
		const result = toolResults(request ?? assert.fail()).find(isC);
		assert.equal(result?.isError, true);
		assert.match(result?.text ?? '', /outcome is unknown/);
	});

	test('a waiting permission comes back under its stored request id', async () => {
		const entries = await whole();
		const asked = entries.findIndex((entry) => entry.type === 'permission');
		const entry = entries[asked];
		assert.ok(entry?.type === 'permission');
		const ids: string[] = [];
		const { conversation } = startConversation({
			url: mock.url,
			tools: counting().tools,
			transcript: entries.slice(0, asked + 1),
			interaction: {
				requestPermission: ({ id }) => {
					ids.push(id);
					return Promise.resolve({ behavior: 'deny', reason: 'not now' });
				},
			},
		});
		await finish(conversation.resume());
		assert.equal(ids[0], entry.requestId);
	});

	test('a consumer that leaves in the middle leaves a conversation that goes on', async () => {
		const { tools, runs } = counting();
		const { conversation } = startConversation({ url: mock.url, tools });
		const exchange = conversation.submitMessage('do it');
		for (let step = await exchange.next(); !step.done; step = await exchange.next()) {
			if (step.value.type === 'tool_end') break;
		}
		await exchange.return(undefined as never);
		assert.equal(conversation.running, false);
		const { terminal } = await finish(conversation.submitMessage('go on'));
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual(mock.violations, []);
		for (const count of runs.values()) assert.equal(count, 1);
	});
});
