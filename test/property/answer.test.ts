// The whole reading path as pure functions: any cutting of the bytes gives the same events, and the accumulator never
// throws, never gives out an unfinished tool call, whatever order of events a server sends.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AnswerAccumulator, type AnswerSignal } from '../../src/core/model/answer.ts';
import { callModel } from '../../src/core/model/callModel.ts';
import type { ModelSignal, StreamEvent } from '../../src/core/model/client.ts';
import { SseReader, type SseItem } from '../../src/node/anthropic/sse.ts';
import { eventsOf, type WireBlock } from '../../src/node/wire/events.ts';
import { sseRecord } from '../../src/node/wire/sse.ts';
import { bareRequest, FakeClock, noRetry } from '../support/fakeTools.ts';

const anyText = fc.oneof(
	fc.string({ unit: 'grapheme' }),
	fc.string(),
	fc.constantFrom('\r\n', '\u2028', '漢字', 'data: x\n\n'),
);
const anyBlock: fc.Arbitrary<WireBlock> = fc.oneof(
	anyText.map((text): WireBlock => ({ type: 'text', text })),
	fc.record({ type: fc.constant('thinking' as const), thinking: anyText, signature: fc.string() }),
	fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.string() }),
	fc.record({
		type: fc.constant('tool_use' as const),
		id: fc.string({ minLength: 1 }),
		name: fc.constantFrom('Read', 'Bash'),
		input: fc.dictionary(
			fc.string().filter((key) => key !== '__proto__'),
			anyText,
		),
	}),
);
const anyAnswer = fc.record({
	id: fc.constant('msg_1'),
	model: fc.constant('m'),
	blocks: fc.array(anyBlock, { maxLength: 5 }),
	stopReason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens', null, 'brand_new'),
	usage: fc.constantFrom(null, { input_tokens: 5, output_tokens: 7 }),
	pieceChars: fc.integer({ min: 1, max: 20 }),
});

function readCut(bytes: Uint8Array, sizes: readonly number[]): SseItem[] {
	const reader = new SseReader();
	const items: SseItem[] = [];
	let at = 0;
	for (let step = 0; at < bytes.length; step++) {
		const size = sizes.length === 0 ? bytes.length : (sizes[step % sizes.length] ?? 1);
		items.push(...reader.push(bytes.subarray(at, at + size)));
		at += size;
	}
	return [...items, ...reader.end()];
}

const anySizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 });
const anyLineEnd = fc.constantFrom('\n', '\r\n', '\r');

suite('answer properties', () => {
	test('blocks come back whole, however the bytes are cut and the lines end', async () => {
		await fc.assert(
			fc.asyncProperty(anyAnswer, anySizes, anyLineEnd, fc.boolean(), async (answer, sizes, lineEnd, dataOnly) => {
				let text = [...eventsOf(answer)].map(sseRecord).join('');
				if (dataOnly) text = text.replaceAll(/^event: .*\n/gm, '');
				const bytes = new TextEncoder().encode(text.replaceAll('\n', lineEnd).trimEnd());
				const items = readCut(bytes, sizes);
				async function* signals(): AsyncGenerator<ModelSignal> {
					for (const item of items) if (item.kind === 'event') yield item;
				}
				const client = { stream: signals, listModels: () => Promise.resolve([]) };
				const ports = { client, clock: new FakeClock(), retry: noRetry };
				const reading = callModel(bareRequest, { messageId: 'a', signal: new AbortController().signal }, ports);
				let step = await reading.next();
				while (!step.done) step = await reading.next();
				const { message, failure } = step.value;
				assert.equal(failure, undefined);
				assert.equal(message.complete, true);
				assert.deepEqual(message.content, JSON.parse(JSON.stringify(answer.blocks)));
				assert.equal(message.usage.outputTokens, answer.usage?.output_tokens ?? 0);
			}),
		);
	});

	test('any bytes, cut anywhere: the same items, no throw', () => {
		const piece = fc.constantFrom(
			'event: x',
			'data: {"type":"a"}',
			'data:',
			':',
			'\n',
			'\r',
			'\r\n',
			'[DONE]',
			'data: [DONE]',
			'漢',
			' ',
		);
		fc.assert(
			fc.property(fc.array(piece), anySizes, (pieces, sizes) => {
				const bytes = new TextEncoder().encode(pieces.join(''));
				assert.deepEqual(readCut(bytes, sizes), readCut(bytes, []));
			}),
		);
	});

	test('odd orders of events: every block ends once, an unfinished call never comes out', () => {
		const index = fc.integer({ min: 0, max: 2 });
		const junk = fc.constantFrom(null, 1, 'x', [], {}, undefined);
		const anyEvent = fc.oneof(
			fc.record({
				type: fc.constant('content_block_start'),
				index,
				content_block: fc.constantFrom(
					{ type: 'text', text: '' },
					{ type: 'tool_use', id: 't', name: 'Bash', input: {} },
					{ type: 'thinking', thinking: '' },
					{ type: 'new' },
				),
			}),
			fc.record({
				type: fc.constant('content_block_delta'),
				index,
				delta: fc.constantFrom(
					{ type: 'text_delta', text: 'a' },
					{ type: 'input_json_delta', partial_json: '{"command":"rm' },
					{ type: 'signature_delta', signature: 's' },
				),
			}),
			fc.record({ type: fc.constant('content_block_stop'), index }),
			fc.record({
				type: fc.constantFrom(
					'message_start',
					'message_delta',
					'content_block_start',
					'content_block_delta',
					'error',
					'',
				),
				index: junk,
				message: junk,
				delta: junk,
				usage: junk,
				content_block: junk,
			}),
		);
		fc.assert(
			fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
				const accumulator = new AnswerAccumulator('m');
				const signals: AnswerSignal[] = events.flatMap((event) => [
					...accumulator.accept(event as unknown as StreamEvent),
				]);
				signals.push(...accumulator.close());
				const started = signals.flatMap((signal) => (signal.type === 'block_start' ? [signal.index] : []));
				const ended = signals.flatMap((signal) => (signal.type === 'block_end' ? [signal.index] : []));
				assert.deepEqual(started, [...started.keys()]);
				assert.deepEqual(
					ended.toSorted((a, b) => a - b),
					started,
				);
				const { message } = accumulator.outcome('a', 1, undefined);
				for (const block of message.content) {
					if (block.type !== 'tool_use') continue;
					// Half of a JSON object is never taken for arguments.
					assert.ok(!('command' in block.input));
				}
				assert.equal(message.complete, false);
			}),
		);
	});
});
