// The loop as loop.md describes it: golden turns through the real loop and client. Each transition and end of this slice
// is reached here, with the whole list of events and the exact requests.
import assert from 'node:assert/strict';
import type { FakeToolOptions } from '../../support/fakeTools.ts';
import { fakeTool, FakeJournal, said } from '../../support/fakeTools.ts';
import { exchange, kinds } from '../../support/exchange.ts';
import {
	answer,
	drop,
	fail,
	gate,
	html,
	messagesOf,
	text,
	thinking,
	toolResults,
	toolUse,
	turn,
} from '../../support/mockServer.ts';

const look = (options: Partial<FakeToolOptions> = {}) =>
	fakeTool({ name: 'Look', safe: true, run: ({ id }) => Promise.resolve(said(`saw ${id}`)), ...options });
const change = (options: Partial<FakeToolOptions> = {}) =>
	fakeTool({ name: 'Change', run: ({ id }) => Promise.resolve(said(`changed ${id}`)), ...options });

const answered = ['turn_start', 'block_start', 'block_end', 'answer_end'];

suite('query loop', () => {
	test('completed: an answer without tools ends the exchange', async () => {
		const { events, terminal, requests, violations } = await exchange({ model: [answer('hello')] });
		assert.deepEqual(kinds(events), [...answered, 'exchange_end']);
		assert.equal(terminal.reason, 'completed');
		assert.equal(terminal.turnCount, 1);
		assert.equal(requests.length, 1);
		assert.deepEqual(violations, []);
	});

	test('next_turn: results go back, in one message, first in it', async () => {
		const { events, terminal, requests, violations, entries } = await exchange({
			tools: [look(), change()],
			model: [
				turn(thinking('hm'), text('looking'), toolUse('Look', { id: 'a' }, 't1'), toolUse('Change', { id: 'b' }, 't2')),
				answer('done'),
			],
		});
		assert.equal(terminal.reason, 'completed');
		assert.equal(terminal.turnCount, 2);
		assert.deepEqual(
			requests.map((request) => messagesOf(request).length),
			[1, 3],
		);
		const second = requests[1];
		assert.ok(second);
		assert.deepEqual(
			toolResults(second).map(({ id, text: said, isError }) => [id, said, isError]),
			[
				['t1', 'saw a', false],
				['t2', 'changed b', false],
			],
		);
		assert.deepEqual(violations, []);
		const block = ['block_start', 'block_end'];
		assert.deepEqual(
			kinds(events).filter((kind) => !kind.startsWith('tool_')),
			['turn_start', ...block, ...block, ...block, ...block, 'answer_end', 'transition', ...answered, 'exchange_end'],
		);
		for (const id of ['t1', 't2']) {
			const mine = events.filter((event) => 'toolUseId' in event && event.toolUseId === id);
			assert.deepEqual(kinds(mine), ['tool_queued', 'tool_start', 'tool_end']);
		}
		const order = entries.map(({ type }) => type);
		assert.ok(order.indexOf('tool_start') > order.indexOf('block'), 'the call is on disk before it runs');
		assert.ok(
			order.lastIndexOf('tool_result') < order.lastIndexOf('request'),
			'results are on disk before the next request',
		);
	});

	test('a tool runs while the answer still streams', async () => {
		const rest = gate();
		let ranAt = '';
		const tool = look({
			run: async () => {
				ranAt = 'before the end';
				rest.open();
				return said('ok');
			},
		});
		const { terminal } = await exchange({
			tools: [tool],
			model: [turn(toolUse('Look', { id: 'a' }), rest, text('and more')), answer('done')],
		});
		assert.equal(ranAt, 'before the end');
		assert.equal(terminal.reason, 'completed');
	});

	test('without streaming execution the tools run after the answer, in order', async () => {
		const { events, terminal, requests } = await exchange({
			streamingTools: false,
			tools: [look()],
			model: [turn(toolUse('Look', { id: 'a' }, 't1'), toolUse('Look', { id: 'b' }, 't2')), answer('done')],
		});
		assert.equal(terminal.reason, 'completed');
		const list = kinds(events);
		assert.ok(list.indexOf('answer_end') < list.indexOf('tool_queued'));
		assert.deepEqual(
			toolResults(requests[1] ?? assert.fail()).map(({ id }) => id),
			['t1', 't2'],
		);
	});

	test('max_turns: three turns are exactly three requests', async () => {
		const { events, terminal, requests } = await exchange({
			tools: [look()],
			params: { maxTurns: 3 },
			model: () => turn(toolUse('Look', { id: 'again' })),
		});
		assert.equal(terminal.reason, 'max_turns');
		assert.equal(terminal.turnCount, 3);
		assert.equal(requests.length, 3);
		assert.deepEqual(kinds(events).slice(-2), ['max_turns_reached', 'exchange_end']);
	});

	test('aborted_streaming: the text so far is kept, a cut call is dropped, the next request is valid', async () => {
		const rest = gate();
		const { terminal, events } = await exchange({
			tools: [change()],
			model: [turn(text('half an ans', rest, 'wer'), toolUse('Change', { id: 'a' }))],
			onEvent: (event, { stop }) => {
				if (event.type === 'block_delta') stop();
			},
		});
		assert.equal(terminal.reason, 'aborted_streaming');
		assert.ok(kinds(events).includes('interrupted'));
		const next = await exchange({ messages: [...terminal.messages, { ...userSays('go on') }], model: [answer('ok')] });
		assert.deepEqual(next.violations, []);
		assert.deepEqual(
			messagesOf(next.requests[0] ?? assert.fail()).map(({ role }) => role),
			['user', 'assistant', 'user'],
		);
	});

	test('aborted_tools: what is ready is kept, the rest is answered, and an interrupt adds no note', async () => {
		const hang = change({
			run: (_, { signal }) =>
				new Promise((resolve) =>
					signal.addEventListener('abort', () => resolve({ ...said('partial output'), isError: true })),
				),
		});
		for (const reason of ['stop', 'interrupt'] as const) {
			const seen = new Set<string>();
			const { terminal, events } = await exchange({
				tools: [look(), hang],
				model: [
					turn(
						toolUse('Look', { id: 'a' }, 't1'),
						toolUse('Change', { id: 'b' }, 't2'),
						toolUse('Change', { id: 'c' }, 't3'),
					),
				],
				onEvent: (event, { stop }) => {
					seen.add(event.type === 'tool_start' ? event.toolUseId : event.type);
					if (seen.has('answer_end') && seen.has('t2')) stop(reason);
				},
			});
			assert.equal(terminal.reason, 'aborted_tools');
			assert.equal(kinds(events).includes('interrupted'), reason === 'stop');
			const next = await exchange({ messages: [...terminal.messages, userSays('go on')], model: [answer('ok')] });
			assert.deepEqual(next.violations, []);
			const results = toolResults(next.requests[0] ?? assert.fail());
			assert.deepEqual(
				results.map(({ id, isError }) => [id, isError]),
				[
					['t1', false],
					['t2', true],
					['t3', true],
				],
			);
			assert.match(results[1]?.text ?? '', /Interrupted by user[^]*partial output/);
		}
	});

	test('model_error: every failure ends the exchange with its kind, and the conversation stays valid', async () => {
		const cases = [
			[fail(401, 'authentication_error'), 'authentication'],
			[fail(529, 'overloaded_error'), 'overloaded'],
			[fail(404, 'not_found_error'), 'not_found'],
			[turn(text('half'), drop({ afterEvents: 3, how: 'end' })), 'dropped'],
			[turn(text('half'), drop({ afterEvents: 3, how: 'reset' })), 'dropped'],
			[html(), 'not_a_stream'],
		] as const;
		for (const [step, kind] of cases) {
			const { terminal, events } = await exchange({ model: [step] });
			assert.equal(terminal.reason, 'model_error', kind);
			assert.equal(terminal.failure?.kind, kind);
			assert.deepEqual(kinds(events).slice(-2), ['model_error', 'exchange_end']);
			const next = await exchange({ messages: [...terminal.messages, userSays('again')], model: [answer('ok')] });
			assert.deepEqual(next.violations, []);
		}
	});

	test('unknown tools, bad input and a failing tool are answered, not thrown', async () => {
		const { requests, terminal, violations } = await exchange({
			tools: [look({ run: () => Promise.reject(new Error('a bug')) })],
			model: [
				turn(toolUse('Nope', {}, 't1'), toolUse('Look', { id: 7 }, 't2'), toolUse('Look', { id: 'a' }, 't3')),
				answer('sorry'),
			],
		});
		assert.equal(terminal.reason, 'completed');
		assert.deepEqual(violations, []);
		const results = toolResults(requests[1] ?? assert.fail());
		assert.ok(results.every(({ isError }) => isError));
		assert.match(results[0]?.text ?? '', /no tool named "Nope"[^]*Look/);
		assert.match(results[1]?.text ?? '', /id: /);
		assert.match(results[2]?.text ?? '', /a bug/);
	});

	test('prompts typed while tools run are read at the turn boundary, once and in order', async () => {
		const completed: string[][] = [];
		const { requests, violations } = await exchange({
			tools: [look()],
			params: { onPromptsCompleted: (ids) => completed.push([...ids]) },
			model: [turn(toolUse('Look', { id: 'a' })), answer('done')],
			onEvent: (event, { queue }) => {
				if (event.type !== 'tool_queued') return;
				queue.add({ id: 'q1', text: 'first' });
				queue.add({ id: 'q2', text: 'second' });
			},
		});
		const last = messagesOf(requests[1] ?? assert.fail()).at(-1);
		assert.deepEqual(
			last?.content.map((block) => block['text'] ?? block['type']),
			['tool_result', 'first', 'second'],
		);
		assert.deepEqual(completed, [['q1', 'q2']]);
		assert.deepEqual(violations, []);
	});

	test('when the transcript cannot be written the loop stops instead of going on without it', async () => {
		const journal = new FakeJournal();
		journal.fail = new Error('disk full');
		await assert.rejects(exchange({ deps: { journal }, model: [answer('hello')] }), /disk full/);
	});

	test('a consumer that returns stops the tools', async () => {
		let stopped = false;
		const tool = change({
			run: (_, { signal }) =>
				new Promise((resolve) =>
					signal.addEventListener('abort', () => {
						stopped = true;
						resolve(said('stopped'));
					}),
				),
		});
		const leave = new Error('the consumer leaves');
		await assert.rejects(
			exchange({
				tools: [tool],
				model: [turn(toolUse('Change', { id: 'a' }))],
				onEvent: (event) => {
					if (event.type === 'tool_start') throw leave;
				},
			}),
			leave,
		);
		// The helper aborts on its way out, as a consumer's `return()` does.
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(stopped, true);
	});
});

function userSays(said: string) {
	return { role: 'user', id: 'next', origin: 'prompt', content: [{ type: 'text', text: said }], time: 0 } as const;
}
