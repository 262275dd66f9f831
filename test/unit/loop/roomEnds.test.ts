// Too long, too large, too full: how the loop makes room, and how it ends when there is none (loop.md 4 and 6).
import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../support/exchange.ts';
import { exchange } from '../../support/exchange.ts';
import { contextDeps, Talk, tokensOfText } from '../../support/contextWorld.ts';
import { fakeTool, said } from '../../support/fakeTools.ts';
import { answer, fail, messagesOf, toolUse, turn } from '../../support/mockServer.ts';

const tooLong = fail(400, 'invalid_request_error', 'prompt is too long: 211000 tokens > 200000 maximum');
const tooLarge = fail(
	400,
	'invalid_request_error',
	'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes',
);

function transitions({ events }: ExchangeRecord): readonly string[] {
	return events.flatMap((event) => (event.type === 'transition' ? [event.transition.reason] : []));
}

function toolWork(turns: number, tokens: number): Talk {
	const talk = new Talk().prompt('first task');
	for (let turn = 0; turn < turns; turn++) {
		talk.turn({ text: `step ${turn}`, calls: [{ name: 'Agent', input: { n: turn }, result: tokensOfText(tokens) }] });
	}
	return talk;
}

suite('making room', () => {
	test('collapse_drain_retry: staged summaries are put in first, and no error is shown', async () => {
		const { messages } = toolWork(8, 500).prompt('and now?');
		const context = contextDeps();
		const [from, to] = [messages[1]?.id ?? '', messages[6]?.id ?? ''];
		context.staged.start({ from, to }, () => Promise.resolve('Steps one to three in short.'));
		await context.staged.idle();
		const record = await exchange({ messages, params: { context }, model: [tooLong, answer('ok')] });
		assert.deepEqual(transitions(record), ['collapse_drain_retry']);
		assert.equal(record.terminal.reason, 'completed');
		assert.ok(!record.events.some(({ type }) => type === 'model_error'));
		assert.deepEqual(record.violations, []);
		const [before, after] = record.requests;
		assert.ok(before && after);
		assert.ok(JSON.stringify(messagesOf(after)).includes('Steps one to three in short.'));
		assert.ok(messagesOf(after).length < messagesOf(before).length);
		assert.ok(record.entries.some((entry) => entry.type === 'projection' && entry.change.kind === 'collapsed'));
	});

	test('draining that does not help is followed by one compaction, then by the error', async () => {
		const { messages } = toolWork(8, 500).prompt('and now?');
		const context = contextDeps();
		context.staged.start({ from: messages[1]?.id ?? '', to: messages[6]?.id ?? '' }, () => Promise.resolve('Short.'));
		await context.staged.idle();
		const record = await exchange({ messages, params: { context }, model: () => tooLong });
		assert.deepEqual(transitions(record), ['collapse_drain_retry', 'reactive_compact_retry']);
		assert.equal(record.terminal.reason, 'prompt_too_long');
		assert.equal(record.requests.length, 3);
		assert.equal(record.events.filter(({ type }) => type === 'model_error').length, 1);
	});

	test('image_error: the images are left out once; if that does not help it ends', async () => {
		const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;
		const talk = new Talk().prompt('look at this');
		talk.turn({ calls: [{ name: 'Read', result: [image] }] }).prompt('and?');
		const recovered = await exchange({ messages: talk.messages, model: [tooLarge, answer('I see a note.')] });
		assert.deepEqual(transitions(recovered), ['reactive_compact_retry']);
		assert.equal(recovered.terminal.reason, 'completed');
		assert.ok(!JSON.stringify(messagesOf(recovered.requests[1] ?? assert.fail())).includes('"image"'));
		const failed = await exchange({ messages: talk.messages, model: () => tooLarge });
		assert.equal(failed.terminal.reason, 'image_error');
		assert.equal(failed.requests.length, 2);
	});

	test('blocking_limit: over the hard limit with compaction off nothing is sent', async () => {
		const { messages } = new Talk()
			.prompt('go')
			.turn({ calls: [{ name: 'Bash', result: 'x' }], tokens: 197_500 })
			.prompt('more');
		const record = await exchange({
			messages,
			params: { settings: () => ({ ...settings, compaction: { enabled: false, window: 200_000 } }) },
			model: [],
		});
		assert.equal(record.terminal.reason, 'blocking_limit');
		assert.equal(record.requests.length, 0);
		assert.equal(record.events.filter(({ type }) => type === 'model_error').length, 1);
	});

	test('compaction before the request: written down first, told, and the answer goes on', async () => {
		const { messages } = toolWork(20, 9_000).prompt('and now?');
		const record = await exchange({
			messages,
			params: {
				context: contextDeps(),
				settings: () => ({ ...settings, compaction: { enabled: true, window: 200_000 } }),
			},
			model: [answer('on it')],
		});
		assert.equal(record.terminal.reason, 'completed');
		const kinds = record.events.map(({ type }) => type);
		assert.ok(kinds.indexOf('compaction_start') < kinds.indexOf('projection_changed'));
		assert.ok(kinds.indexOf('projection_changed') < kinds.indexOf('turn_start'));
		const entries = record.entries.map(({ type }) => type);
		assert.ok(entries.indexOf('projection') < entries.indexOf('request'));
		assert.match(JSON.stringify(messagesOf(record.requests[0] ?? assert.fail())), /first task/);
	});

	test('rapid_refill_breaker: a context that is full again right after each compaction ends it', async () => {
		const big = fakeTool({
			name: 'Read',
			safe: true,
			maxResultChars: Infinity,
			run: () => Promise.resolve(said(tokensOfText(190_000))),
		});
		const record = await exchange({
			tools: [big],
			params: {
				context: contextDeps(),
				settings: () => ({ ...settings, compaction: { enabled: true, window: 200_000 } }),
			},
			model: () => turn(toolUse('Read', { id: 'again' })),
		});
		assert.equal(record.terminal.reason, 'rapid_refill_breaker');
		assert.ok(record.requests.length < 12, String(record.requests.length));
	});
});

const settings = {
	models: ['claude-sonnet-5'],
	thinking: 'auto',
	maxConcurrency: 10,
	bashErrorCancelsSiblings: true,
	streamingTools: true,
} as const;
